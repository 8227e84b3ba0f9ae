"""Running experiments: what the results depend on, and what they must not depend on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import judge
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import choose_users
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.runs.writing import write_run
from cranfield.scoring.measurement.measure import measure
from cranfield.workbench.api import evaluate
from cranfield.workbench.execution.data.prepared_data import targets_of
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.verify import NOT_COMPARED
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, write_ratings

METRICS_OF_RUNS = ["nDCG@5", "AP@5", "Gini@5", "Gini"]
KINDS = ("comparison", "expectation", "fit", "fit-time", "hits", "lists", "scores", "split")


def without_time(results: Results) -> dict[str, Any]:
    return {name: each for name, each in results.to_dict().items() if name not in NOT_COMPARED}


def assert_same(one: Results, other: Results) -> None:
    assert same_scores(one.scores, other.scores)
    assert without_time(one) == without_time(other)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"split": "k-fold(folds=2)", "metrics": ["AP", "nDCG@5", "Gini@5"], "ties": "random"},
        {"targets": "test-items, one-relevant, sampled(n=9)", "unscored": "random"},
        {"judged_by": "truth", "ties": "expected", "aggregation": "median"},
    ],
)
def test_results_are_the_same_without_a_store_with_a_new_one_and_with_a_warm_one(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    experiment, said = experiment_of(**changes), list[str]()
    store = Store(tmp_path, say=said.append)
    alone, first, second = (execute(experiment, Pipeline(each)) for each in (None, store, store))
    assert_same(alone, first)
    assert_same(first, second)
    assert [size.kind for size in store.sizes()] == list(KINDS)
    assert "fitting" in first.seconds
    assert not {"fitting", "ranking", "scoring"} & set(second.seconds)
    assert said == []


@pytest.mark.parametrize(
    "split",
    [
        "given", "k-fold(folds=2, per=user)", "leave-out", "leave-out(pick=latest)",
        "per-item-train(count=1)", "random", "random-exact", "rolling", "temporal(test_share=0.3)",
        "temporal-per-user", "uniform(test_share=0.1)",
    ],
)  # fmt: skip
def test_every_split_is_the_same_from_the_store(tmp_path: Path, split: str) -> None:
    asked: Any = split
    if split == "given":
        Simulated(size="tiny").read().to_polars()[::3].write_csv(tmp_path / "test.csv")
        asked = {"name": split, "test": str(tmp_path / "test.csv")}
    experiment = experiment_of(split=asked, systems={"Popularity": "Popularity"})
    store = Store(tmp_path / "store")
    alone, first, second = (execute(experiment, Pipeline(each)) for each in (None, store, store))
    assert_same(alone, first)
    assert_same(first, second)


def test_results_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = experiment_of(
        data="simulated(size=small)",
        systems={"MF": "MF(factors=4, iterations=2)", "kNN": "item-kNN(k=9)", "Random": "Random"},
        comparison=None,
    )
    found = []
    for count in ("1", "2", "3"):
        monkeypatch.setenv("CRANFIELD_THREADS", count)
        found.append(execute(experiment))
    assert_same(found[0], found[1])
    assert_same(found[0], found[2])


def test_results_of_a_system_do_not_depend_on_who_else_takes_part() -> None:
    systems = {
        "MF": "MF(factors=3, iterations=2)",
        "Random": "Random",
        "twin": "Random",
        "kNN": "user-kNN(k=5)",
    }
    whole = execute(experiment_of(systems=systems, ties="random", unscored="random"))
    for name, spelling in systems.items():
        alone = execute(experiment_of(systems={name: spelling}, ties="random", unscored="random"))
        place = whole.scores.systems.index(name)
        assert whole.scores.values[place].tobytes() == alone.scores.values[0].tobytes()
        assert alone.comparison is None
    names = list(whole.scores.systems)
    assert (
        whole.scores.values[names.index("Random")].tobytes()
        == whole.scores.values[names.index("twin")].tobytes()
    ), "the name of a system decides nothing"


def test_the_order_of_systems_decides_nothing() -> None:
    forth = experiment_of()
    back = replace(forth, systems=dict(reversed(list(forth.systems.items()))))
    one, other = execute(forth), execute(back)
    assert one.scores.values[::-1].tobytes() == other.scores.values.tobytes()


def test_cells_score_the_same_alone_and_together(tmp_path: Path) -> None:
    base = experiment_of()
    cells = [
        RankingCondition(experiment=each, metrics=each.metrics, list_depth=depth)
        for each, depth in (
            (base, 0),
            (experiment_of(targets="test-items"), 3),
            (experiment_of(ties="random", unscored="popularity"), 3),
            (experiment_of(targets="one-relevant", relevance=3), 0),
            (experiment_of(systems={"kNN": "user-kNN(k=9)"}, metrics=["AP"]), 0),
        )
    ]
    material = Pipeline().prepare(base)
    together = Pipeline(Store(tmp_path)).score(material, cells)
    for cell, found in zip(cells, together, strict=True):
        (alone,) = Pipeline(Store(None)).score(material, [cell])
        assert same_scores(found, alone)
        if cell.experiment.split == base.split:
            assert same_scores(found, execute(cell.experiment).scores)


def test_a_collection_with_the_same_training_ratings_has_fits_of_its_own(tmp_path: Path) -> None:
    """New items in the test ratings move the codes of all that come after them."""
    train = [(user, f"i{item}", 5.0) for user in range(6) for item in (2, 4, 6) if user % item]
    store = Store(tmp_path / "store")
    found = []
    for month, extra in (("january", ["i7"]), ("february", ["i1", "i3"])):
        test = [(user, item, 5.0) for user in (0, 1, 2) for item in extra]
        rows = write_ratings(tmp_path / f"{month}.csv", train + test)
        tests = write_ratings(tmp_path / f"{month}-test.csv", test)
        experiment = experiment_of(
            data=str(rows),
            split={"name": "given", "test": str(tests)},
            systems={"kNN": "item-kNN(k=3)", "Popularity": "Popularity"},
        )
        found.append((experiment, execute(experiment, Pipeline(store))))
    for experiment, results in found:
        assert_same(results, execute(experiment))


def test_the_scores_of_folds_are_averaged_per_user() -> None:
    experiment = experiment_of(split="k-fold(folds=3)", metrics=["nDCG@5"])
    results = execute(experiment)
    material = Pipeline().prepare(experiment)
    for name, system in experiment.systems.items():
        seen: dict[int | str, list[float]] = {}
        for fold in material.folds:
            judgments = judge(fold.test, 4.0, material.scale)
            topics = choose_users(fold.train, judgments)
            targets = experiment.targets.choose(topics, TestCollection(fold.train, judgments), 0)
            predictor = system.fit(fold.train, Seeds(0).child("fit", str(system)))
            (ranked,) = rank(predictor, [targets], RankingChoice(), name)
            for user, score in zip(
                topics.users, measure(ranked.hits, experiment.metrics)[0], strict=True
            ):
                seen.setdefault(fold.train.user_ids[user], []).append(score)
        means = [np.nanmean(each) for each in seen.values() if not np.isnan(each).all()]
        row = results.summary.row(name, "nDCG@5")
        assert row.value == pytest.approx(np.mean(means), rel=1e-12)
        assert len(results.scores) == row.topics == len(seen)
        assert row.evaluated == len(means)


def test_every_fold_tells_its_fingerprints() -> None:
    results = execute(experiment_of(split="k-fold(folds=3)"))
    folds = results.data["folds"]
    assert len(folds) == len(set(results.targets)) == 3
    assert sum(fold["test_ratings"] for fold in folds) == results.data["size"] == 400
    assert len({fold["train"] for fold in folds}) == 3


@pytest.mark.parametrize("ties", ["item-id", "trec_eval", "expected", "random"])
def test_runs_from_files_score_as_evaluate_scores_them(tmp_path: Path, ties: Any) -> None:
    plain = experiment_of(metrics=METRICS_OF_RUNS, ties=ties)
    material = Pipeline().prepare(plain)
    (fold,) = material.folds
    targets = targets_of(material, fold, plain)
    files = {}
    for name, system in plain.systems.items():
        predictor = system.fit(fold.train, Seeds(0).child("fit", str(system)))
        (ranked,) = rank(predictor, [targets], RankingChoice(depth=20), name)
        files[f"{name} from a file"] = str(tmp_path / f"{name}.tsv")
        write_run(
            ranked.run,
            tmp_path / f"{name}.tsv",
            user_ids=fold.train.user_ids,
            item_ids=fold.train.item_ids,
        )
    experiment = replace(plain, systems={"Popularity": plain.systems["Popularity"]}, runs=files)
    results = execute(experiment)
    evaluated = evaluate(
        fold.test, files, METRICS_OF_RUNS, relevance=4, train=fold.train, ties=ties
    )
    assert len(results.scores) == len(evaluated.scores)
    for name in files:
        for metric in ("nDCG@5", "AP@5"):
            found, expected = (
                each.scores.of(name, metric).tobytes() for each in (results, evaluated)
            )
            assert found == expected
            assert results.summary.row(name, metric) == evaluated.summary.row(name, metric)
    assert {name: results.lists[name] for name in files} == evaluated.lists


class Counting:
    """A model of the user's that counts how often it was asked to learn."""

    fits = 0

    def fit(self, train: Any, seeds: Any) -> Counting:
        type(self).fits += 1
        self.counts = train.item_counts.astype(float)
        return self

    def predict(self, users: Any) -> Any:
        return np.tile(self.counts, (len(users), 1))


def test_a_model_of_the_users_own_takes_part_and_is_not_kept(tmp_path: Path) -> None:
    store, before = Store(tmp_path), Counting.fits
    experiment = experiment_of(systems={"mine": Counting(), "Popularity": "Popularity"})
    first, second = execute(experiment, Pipeline(store)), execute(experiment, Pipeline(store))
    assert Counting.fits == before + 2, "it may have changed since"
    assert {size.kind: size.entries for size in store.sizes()} == dict.fromkeys(KINDS, 1), (
        "all entries are of Popularity, of the collection, and of what was scored"
    )
    assert same_scores(first.scores, second.scores)
    values = dict(zip(first.scores.systems, first.scores.values, strict=True))
    assert values["mine"].tobytes() == values["Popularity"].tobytes()


RATED = {
    "name": "given",
    "train": {"user": [1, 2, 3], "item": [7, 8, 9], "rating": [5, 5, 5]},
    "test": {"user": [1, 1, 2, 3], "item": [8, 9, 7, 7], "rating": [5, 2, 4, 1]},
}
LISTED = {"mine": {"user": [1], "item": [8], "score": [1]}}
"""A run with a list for one of three users."""


def test_scores_tell_how_many_items_of_a_user_are_judged_and_relevant() -> None:
    asked = experiment_of(
        data=None, split=RATED, systems=None, runs=LISTED, metrics=["P@1"], undefined="zero",
        aggregation="weighted-mean",
    )  # fmt: skip
    made = execute(asked)
    assert made.scores.judged is not None
    assert made.scores.relevant is not None
    assert made.scores.judged.tolist() == [2, 1, 1]
    assert made.scores.relevant.tolist() == [1, 1, 0]
    assert made.summary.row("mine", "P@1").value == (2 * 1 + 1 * 0 + 1 * 0) / (2 + 1 + 1)
