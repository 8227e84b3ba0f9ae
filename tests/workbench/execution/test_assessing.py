"""Assessments of metrics: the same from the store, recomputed when inputs change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment, MissingFacts, TooFew
from cranfield.collection.ratings import Ratings
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.validity.assessment import Assessment
from cranfield.validity.criteria import Robustness
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.self_agreement import ThinnedScenarios
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import (
    AssessedSystems,
    assess_metrics,
    locate_systems,
    thin_systems,
)
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of
from suites import spread

RATINGS = pl.DataFrame(
    [(u, i, 1 + (u * i) % 5) for u in range(30) for i in range(12) if (u + i) % 3],
    schema=["user", "item", "rating"],
    orient="row",
)
CRITERIA = [
    "correlation",
    "DP",
    "robustness(samples=2, sizes=[1, 0.5])",
    "stability(samples=20)",
    "thinned-DP(samples=2, sizes=[1, 0.5])",
]


def run(store: Store | None, **changes: Any) -> tuple[Assessment, ...]:
    asked = {"assess": CRITERIA, "split": "k-fold(folds=2)", **changes}
    made = execute(experiment_of(**asked), Pipeline(store)).assessments
    return tuple(each for each in made if not each.criterion.startswith("bias"))


def kept_assessments(store: Store) -> int:
    return sum(size.entries for size in store.sizes() if size.kind == "assessment")


def assert_same(ours: tuple[Assessment, ...], others: tuple[Assessment, ...]) -> None:
    for one, other in zip(ours, others, strict=True):
        assert one.to_dict() == other.to_dict()
        assert one.charts == other.charts
        for name, table in {**one.tables, **one.details}.items():
            assert table.equals({**other.tables, **other.details}[name])


def test_assessments_are_the_same_without_a_store_with_a_new_one_and_with_a_warm_one(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    alone, first, second = run(None), run(store), run(store)
    assert_same(alone, first)
    assert_same(first, second)
    assert kept_assessments(store) == len(CRITERIA)


def test_what_is_kept_is_not_assessed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    run(store)

    def refuse(criterion: Robustness, evidence: Evidence) -> ThinnedScenarios:
        raise AssertionError("it is kept")

    monkeypatch.setattr(Robustness, "thin", refuse)
    assert len(run(store)) == len(CRITERIA)
    asked = experiment_of(assess=CRITERIA, split="k-fold(folds=2)")
    assert list(thin_systems(asked, Pipeline(store))) == [asked.assess[2]]
    with pytest.raises(AssertionError, match="it is kept"):
        run(store, assess=["robustness(samples=2, sizes=[1, 0.25])"])


@pytest.mark.parametrize(
    ("changes", "criteria"),
    spread(
        [
            ({"seed": 5}, 5),
            ({"relevance": 3}, 5),
            ({"comparison": {"test": "sign"}}, 2),
            ({"comparison": {"test": "t", "alpha": 0.1}}, 0),
            ({"aggregation": "weighted-mean", "comparison": {"test": "weighted-t"}}, 3),
            ({"metrics": ["P@5", "AP@5", "RR@5"]}, 5),
        ],
        every=2,
    ),
)
def test_what_an_assessment_depends_on_makes_another_one(
    tmp_path: Path, changes: dict[str, Any], criteria: int
) -> None:
    store = Store(tmp_path)
    run(store)
    changed = run(store, **changes)
    assert kept_assessments(store) == len(CRITERIA) + criteria
    assert_same(changed, run(None, **changes))


@pytest.mark.parametrize("criterion", ["DP", "stability(samples=20)"])
def test_verdicts_on_users_depend_on_the_scores_of_each(criterion: str) -> None:
    asked = experiment_of(assess=[criterion])
    scores = execute(asked).scores
    turned = replace(scores, values=scores.values[..., ::-1])  # the same means
    made = [AssessedSystems(asked, each, {}, Evidence()) for each in (scores, turned)]
    one, other = (each.inputs(asked.assess[0]) for each in made)
    assert one is not None
    assert other is not None
    assert one["scores"] != other["scores"]


def test_criteria_look_at_what_they_need_whatever_else_is_asked() -> None:
    together = run(None)
    alone = [run(None, assess=[each])[0] for each in CRITERIA]
    assert_same(together, tuple(alone))


def test_robustness_weighs_items_by_their_positive_ratings() -> None:
    criterion = "robustness(samples=2, sizes=[1, 0.5])"
    asked = experiment_of(assess=[criterion], metrics=["P@5", "StratifiedRecall(gamma=1)@5"])
    made = execute(asked)
    (found, *_), (targets,) = made.assessments, made.target_sets
    located = locate_systems(asked)
    assert located.popularity is not None
    parts = targets.train, targets.judgments.ratings
    liked = np.concatenate([part.items[part.values >= 4] for part in parts])
    counts = np.bincount(liked, minlength=targets.train.n_items)
    assert located.popularity.tolist() == counts.tolist()
    assert_same((found,), (asked.assess[0].assess(located),))


@pytest.mark.long
@pytest.mark.parametrize(
    ("changed", "again"),
    spread(
        [
            ("order of users", 2),
            ("nothing", 0),
            ("popularity", 2),
            ("training ratings of items", 2),
            ("catalogue", 2),
            ("hits", 2),
        ],
        every=2,
    ),
)
def test_scores_hits_and_popularity_are_what_criteria_that_see_them_depend_on(
    changed: str, again: int, tmp_path: Path
) -> None:
    """Discriminative power and stability see the scores of users, the others hits and items.

    Medians are the same whatever the order of users.
    """
    test, store = {"test": "permutation(draws=100)"}, Store(tmp_path)
    asked = experiment_of(assess=CRITERIA, aggregation="median", comparison=test)
    scores, located = execute(asked).scores, locate_systems(asked)
    assert located.hits is not None
    assert located.popularity is not None
    hits, items = {name: [each] for name, each in located.hits.items()}, located
    assess_metrics(AssessedSystems(asked, scores, hits, items), store)
    if changed == "order of users":
        turned = scores.values.copy()
        turned[0] = turned[0, :, ::-1]
        scores = replace(scores, values=turned)
    elif changed == "popularity":
        items = replace(items, popularity=located.popularity + np.arange(len(located.popularity)))
    elif changed == "training ratings of items":
        assert located.train_counts is not None
        items = replace(items, train_counts=located.train_counts[::-1].copy())
    elif changed == "catalogue":
        items = replace(items, n_items=None)
    elif changed == "hits":
        hits = {**hits, "kNN": hits["Random"]}
    assess_metrics(AssessedSystems(asked, scores, hits, items), store)
    assert kept_assessments(store) == len(CRITERIA) + again


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"metrics": ["P@5"]}, "correlation needs at least 2 metrics; here 1 can be used"),
        ({"systems": {"a": "Random"}}, "correlation needs at least 2 systems; here 1 can be used"),
    ],
)
def test_what_cannot_be_assessed_is_told_before_anything_is_fitted(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    store = Store(tmp_path)
    with pytest.raises((TooFew, BadExperiment), match=message):
        run(store, **changes)
    assert "fit" not in {size.kind for size in store.sizes()}


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, str]:
    """Two systems; the second leaves some users without a list."""
    rng = np.random.default_rng(3)
    rows = pl.DataFrame({"user": np.repeat(range(30), 12), "item": np.tile(range(12), 30)})
    for name in ("a", "b"):
        scored = rows.with_columns(pl.Series("score", rng.integers(0, 5, 360) / 2))
        kept = scored if name == "a" else scored.filter(pl.col("user") % 7 > 0)
        kept.write_parquet(tmp_path / f"{name}.parquet")
    return {name: str(tmp_path / f"{name}.parquet") for name in ("a", "b")}


@pytest.mark.parametrize("ties", ["item-id", "random", "pessimistic"])
@pytest.mark.parametrize("rows", [1, 50, 200])
def test_hits_are_the_same_however_many_rows_are_read_at_a_time(
    runs: dict[str, str], ties: Any, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(
        split=given_parts(Ratings.from_frame(RATINGS)), runs=runs, metrics=(AveragePrecision(),),
        relevance=4, ties=ties, seed=2,
    )  # fmt: skip
    whole = locate_systems(experiment)
    monkeypatch.setattr("cranfield.recommendation.runs.source.ROWS_AT_ONCE", rows)
    parts = locate_systems(experiment)
    assert whole.hits is not None
    assert parts.hits is not None
    assert list(whole.hits) == list(parts.hits) == list(runs)
    np.testing.assert_array_equal(whole.popularity, parts.popularity)
    for name, expected in whole.hits.items():
        found = parts.hits[name]
        np.testing.assert_array_equal(found.topics.users, expected.topics.users)
        for field in ("offsets", "items", "ratings", "ranks", "lengths", "targets", "unscored"):
            np.testing.assert_array_equal(getattr(found, field), getattr(expected, field))


@pytest.mark.parametrize(
    "criterion",
    [
        "robustness(samples=2, sizes=[1, 0.5], popular_by=train, of=all-items, nested=false)",
        "thinned-DP(samples=2, sizes=[1, 0.5])",
    ],
)
def test_an_experiment_and_its_lists_are_assessed_alike(criterion: str) -> None:
    asked = experiment_of(assess=[criterion])
    data = Pipeline().prepare(asked)
    (fold,) = data.folds
    assert fold.train is not None
    judged = cf.judge(fold.test, 4, (1, 5))
    made = cf.rank(fold.train, judged, asked.systems, seed=asked.seed)
    found = cf.assess(criterion, made, ["nDCG@5", "P@5"], test="t", seed=asked.seed)
    assert_same((found,), (execute(asked).assessments[0],))


def test_a_design_without_training_ratings_cannot_say_what_is_popular_there(
    runs: dict[str, str],
) -> None:
    experiment = Experiment(
        split=given_parts(Ratings.from_frame(RATINGS)), runs=runs, metrics=(AveragePrecision(),),
        relevance=4, assess=("robustness(popular_by=train)",),  # type: ignore[arg-type]
    )  # fmt: skip
    with pytest.raises(MissingFacts, match="training ratings of items"):
        execute(experiment)
