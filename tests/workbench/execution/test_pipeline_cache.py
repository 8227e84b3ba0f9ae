"""One pipeline reads data once, parses runs once and fits systems once for all it is asked."""

from __future__ import annotations

import weakref
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.file import File
from cranfield.recommendation.recommenders.popularity import Popularity
from cranfield.recommendation.runs import files
from cranfield.workbench.execution.estimate import estimate
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems import runs as run_files
from cranfield.workbench.results.study_results import fingerprint_of_designs
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, study_of

VARY = {
    "split.test_share": [0.2, 0.3, 0.4],
    "cutoff": [3, 5],
    "targets": ["all-items", "test-items"],
}
"""Twelve designs on three splits, one of which is the base's."""
SYSTEMS = {"Popularity": "Popularity", "kNN": "user-kNN(k=5)"}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a file was read, a run parsed, and Popularity fitted to which ratings."""
    done: Counter[str] = Counter()
    read, fit, open_run = File.read, Popularity.fit, files.open_run

    def counted_read(self: File) -> Ratings:
        done[f"read {Path(self.path).name}"] += 1
        return read(self)

    def counted_fit(self: Popularity, train: Ratings, seeds: Any) -> Any:
        done[f"fit {train.fingerprint}"] += 1
        return fit(self, train, seeds)

    def counted_open(source: Any, **options: Any) -> Any:
        done[f"open {options['system']}"] += 1
        return open_run(source, **options)

    monkeypatch.setattr(File, "read", counted_read)
    monkeypatch.setattr(Popularity, "fit", counted_fit)
    monkeypatch.setattr(run_files, "open_run", counted_open)
    return done


@pytest.fixture
def ratings(tmp_path: Path) -> str:
    """A file of ratings."""
    cf.read("simulated(size=tiny)").to_polars().write_csv(tmp_path / "ratings.csv")
    return str(tmp_path / "ratings.csv")


def fits(done: Counter[str]) -> list[int]:
    return [count for name, count in done.items() if name.startswith("fit")]


def test_a_study_and_its_estimate_read_once_and_fit_once_per_split(
    ratings: str, work: Counter[str]
) -> None:
    study = study_of({"vary": VARY, "draws": 0}, data=ratings, systems=SYSTEMS)
    road = Pipeline()
    planned = estimate(study, road)
    made = execute_study(study, road)
    assert (planned.designs, planned.splits, planned.fits) == (12, 3, 3 * len(SYSTEMS))
    assert len(made.designs) == 12
    assert work["read ratings.csv"] == 1
    assert fits(work) == [1, 1, 1]


def test_a_base_that_is_no_design_is_fitted_once_too(ratings: str, work: Counter[str]) -> None:
    """Its split is none of those that are tried."""
    vary = {**VARY, "split.test_share": [0.2, 0.3]}
    study = study_of({"vary": vary, "draws": 0}, data=ratings, systems=SYSTEMS)
    made = execute_study(study)
    assert made.designs.base is None
    assert work["read ratings.csv"] == 1
    assert fits(work) == [1, 1, 1]


def test_what_was_estimated_first_is_found_all_the_same(ratings: str) -> None:
    study = study_of({"vary": VARY, "draws": 50}, data=ratings, systems=SYSTEMS)
    road = Pipeline()
    estimate(study, road)
    made, alone = execute_study(study, road), execute_study(study)
    assert fingerprint_of_designs(made.designs) == fingerprint_of_designs(alone.designs)
    assert same_scores(made.base.scores, alone.base.scores)
    base = execute(study.base)
    assert same_scores(made.base.scores, base.scores)
    assert made.base.summary.rows == base.summary.rows


@pytest.mark.parametrize("vary", [{"seed": [0, 1, 2, 3]}, {"split.test_share": [0.1, 0.2, 0.3]}])
def test_other_seeds_and_splits_read_nothing_again(
    ratings: str, work: Counter[str], vary: dict[str, list[Any]]
) -> None:
    study = study_of({"vary": vary, "draws": 0}, data=ratings, systems=SYSTEMS)
    execute_study(study)
    assert work["read ratings.csv"] == 1


def test_runs_of_a_study_are_parsed_once(ratings: str, work: Counter[str], tmp_path: Path) -> None:
    parts = cf.split(cf.read(ratings), "per-user(test_share=0.4)")
    made = cf.rank(parts.train, cf.judge(parts.test, 4), {"one": "user-kNN(k=3)", "two": "Random"})
    files = {}
    for name, each in made.items():
        files[name] = str(tmp_path / f"{name}.csv")
        each.run.table(parts.train.user_ids, parts.train.item_ids).write_csv(files[name])
    work.clear()
    vary = {"cutoff": [3, 5], "relevance": [3, 4], "training_items": ["drop", "keep"],
            "targets": ["all-items", "test-items"]}  # fmt: skip
    study = study_of({"vary": vary, "draws": 0}, data=ratings, systems={}, runs=files)
    road = Pipeline()
    estimate(study, road)
    found = execute_study(study, road)
    assert len(found.designs) == 16
    assert work == {"read ratings.csv": 1, "open one": 1, "open two": 1}


def test_given_parts_and_runs_are_read_once_by_an_experiment(
    ratings: str, work: Counter[str], tmp_path: Path
) -> None:
    frame = pl.read_csv(ratings)
    for name, part in {"train": frame[::2], "test": frame[1::2]}.items():
        part.write_csv(tmp_path / f"{name}.csv")
    run = {"user": frame["user_id"], "item": frame["item_id"], "score": frame["rating"]}
    split = {"name": "given", "train": f"{tmp_path}/train.csv", "test": f"{tmp_path}/test.csv"}
    asked = experiment_of(data=None, split=split, systems=None, runs={"mine": run}, topics="run")
    road = Pipeline()
    estimate(asked, road)
    execute(asked, road)
    assert work == {"read train.csv": 1, "read test.csv": 1, "open mine": 1}


def test_the_store_is_asked_for_a_split_once(ratings: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    study = study_of({"vary": VARY, "draws": 0}, data=ratings, systems=SYSTEMS)
    road = Pipeline(store)
    estimate(study, road)
    execute_study(study, road)
    kinds = {size.kind: size.entries for size in store.sizes()}
    assert kinds["split"] == 3
    assert kinds["fit"] == 3 * len(SYSTEMS)


def test_prepared_data_are_the_same_object_while_they_are_recent() -> None:
    road = Pipeline()
    asked = [experiment_of(seed=seed) for seed in range(5)]
    first = [road.prepare(each) for each in asked]
    assert road.prepare(asked[-1]) is first[-1]
    assert road.prepare(asked[1]) is first[1]
    again = road.prepare(asked[0])
    assert again is not first[0], "the last four stay"
    assert again.folds[0].test.fingerprint == first[0].folds[0].test.fingerprint


def test_what_was_used_longest_ago_goes_first() -> None:
    road = Pipeline()
    asked = [experiment_of(seed=seed) for seed in range(5)]
    first = [road.prepare(each) for each in asked[:4]]
    assert road.prepare(asked[0]) is first[0]
    road.prepare(asked[4])
    assert road.prepare(asked[0]) is first[0], "it was used after seeds 1 to 3"
    assert road.prepare(asked[1]) is not first[1]


def test_another_seed_samples_other_ratings_of_the_same_file(
    ratings: str, work: Counter[str]
) -> None:
    road = Pipeline()
    asked = [experiment_of(data=ratings, filters=["sample(share=0.5)"], seed=s) for s in (0, 1)]
    found = [road.prepare(each).ratings for each in asked]
    alone = [Pipeline().prepare(each).ratings for each in asked]
    names = [each.fingerprint for each in (*found, *alone) if each is not None]
    assert names[:2] == names[2:]
    assert names[0] != names[1]


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"relevance": 3}, True), ({"topics": "all"}, True), ({"depth": 4}, True),
        ({"training_items": "keep"}, True), ({"scale": [0, 9]}, True), ({"by": "activity"}, True),
        ({"catalogue": [1000]}, False), ({"seed": 1}, False), ({"split": "random"}, False),
        ({"filters": ["k-core(k=2)"]}, False), ({"data": "simulated(size=small)"}, False),
    ],
)  # fmt: skip
def test_data_are_shared_by_what_they_depend_on(changes: dict[str, Any], same: bool) -> None:
    assert (data_key(experiment_of()) == data_key(experiment_of(**changes))) is same


def test_data_that_a_user_made_are_told_apart_by_themselves() -> None:
    tables = [pl.DataFrame({"user": [1, 1, 2], "item": [1, 2, 2], "rating": r}) for r in (4, 5)]
    asked = [
        experiment_of(data=None, split={"name": "given", "train": each, "test": each})
        for each in (*tables, tables[0])
    ]
    road = Pipeline()
    values = [road.prepare(each).folds[0].test.values.tolist() for each in asked]
    assert values == [[4] * 3, [5] * 3, [4] * 3]


def test_a_table_lives_as_long_as_what_is_known_of_it() -> None:
    """Data are known by which table they are of: no other may come to stand in its place."""
    road, table = Pipeline(), pl.DataFrame({"item": ["new"]})
    alive = weakref.ref(table)
    data = road.prepare(experiment_of(catalogue=table))
    del table
    assert "new" in data.item_ids.values
    assert alive() is not None
