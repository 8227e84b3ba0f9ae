"""PreparedData: what is read, filtered, split and judged, and what names it in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.fold import TEST, TRAIN, Fold
from cranfield.collection.ratings import Ratings
from cranfield.workbench.execution.data.data_facts import facts_of
from cranfield.workbench.execution.data.prepared_data import (
    PreparedData,
    _known_part,
    data_inputs,
    fit_inputs,
    ranking_inputs,
    targets_of,
)
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of
from suites import tries


def material_of(store: Store | None = None, **changes: Any) -> PreparedData:
    return Pipeline(store).prepare(experiment_of(**changes))


WHOLE = material_of()


def parts_of(data: PreparedData) -> list[list[int]]:
    """The part of each rating, fold by fold."""
    return [fold.parts.tolist() for fold in data.folds if isinstance(fold, Fold)]


def _pairs(ratings: Ratings) -> set[tuple[int, int]]:
    return set(zip(ratings.users.tolist(), ratings.items.tolist(), strict=True))


@settings(deadline=None, max_examples=tries(40))
@given(st.floats(0.01, 1), st.floats(0.01, 1), st.integers(0, 5))
def test_a_smaller_share_of_judgments_is_part_of_a_larger_one(
    one: float, other: float, seed: int
) -> None:
    test = WHOLE.folds[0].test
    small, large = (_known_part(test, share, seed) for share in sorted((one, other)))
    assert len(small) == max(1, round(min(one, other) * len(test)))
    pairs = [
        set(zip(each.users.tolist(), each.items.tolist(), strict=True)) for each in (small, large)
    ]
    assert pairs[0] <= pairs[1]


def test_files_are_named_by_their_paths_and_tables_by_which_they_are() -> None:
    assert data_inputs(experiment_of())["catalogue"] is None
    assert data_inputs(experiment_of(catalogue="items.csv"))["catalogue"] == "items.csv"
    tables = [pl.DataFrame({"item": ["i0"]}) for _ in range(2)]
    one, other = (data_inputs(experiment_of(catalogue=each))["catalogue"] for each in tables)
    assert one != other


def test_the_whole_is_not_drawn_from() -> None:
    test = WHOLE.folds[0].test
    assert _known_part(test, 1, 3) is test


def test_facts_are_those_of_the_ratings_and_folds() -> None:
    made = material_of(split="k-fold(folds=2)", filters=["k-core(k=2)"])
    facts = facts_of(made)
    assert made.ratings is not None
    assert facts["size"] == len(made.ratings)
    assert facts["filters"][0]["after"] == facts["size"]
    assert len(facts["folds"]) == 2
    for told, fold in zip(facts["folds"], made.folds, strict=True):
        assert isinstance(fold, Fold)
        assert told["train_ratings"] == int((fold.parts == TRAIN).sum()) == len(fold.train)
        assert told["test_ratings"] == int((fold.parts == TEST).sum()) == len(fold.test)
    assert sum(each["test_ratings"] for each in facts["folds"]) == facts["size"]


def test_a_split_from_the_store_is_the_same(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first, again = (material_of(store, split="k-fold(folds=3)") for _ in range(2))
    fresh = material_of(split="k-fold(folds=3)")
    for other in (again, fresh):
        assert parts_of(other) == parts_of(first)
        assert facts_of(other) == facts_of(first)
    assert len(list(tmp_path.rglob("*.entry"))) == 1


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"relevance": 3}, True), ({"metrics": ["AP"]}, True), ({"targets": "condensed"}, True),
        ({"seed": 2}, False), ({"split": "random"}, False), ({"filters": ["k-core(k=2)"]}, False),
        ({"data": "simulated(size=tiny, seed=1)"}, False),
        ({"train_filters": ["k-core(k=2)"]}, False), ({"test_filters": ["k-core(k=2)"]}, False),
    ],
)  # fmt: skip
def test_material_is_shared_by_what_it_depends_on_alone(
    changes: dict[str, Any], same: bool
) -> None:
    one, other = data_inputs(experiment_of()), data_inputs(experiment_of(**changes))
    assert (one == other) is same


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"metrics": ["AP"]}, True), ({"aggregation": "median"}, True), ({"ties": "random"}, False),
        ({"unscored": "popularity"}, False), ({"targets": "condensed"}, False),
        ({"judged_share": 0.5}, False), ({"depth": 3}, False), ({"least_train": 9}, False),
        ({"relevance": 3}, False), ({"seed": 2}, False),
    ],
)  # fmt: skip
def test_hits_are_named_by_all_that_they_depend_on(changes: dict[str, Any], same: bool) -> None:
    fold = WHOLE.folds[0]
    one, other = (
        ranking_inputs(each, targets_of(WHOLE, fold, each))
        for each in (experiment_of(), experiment_of(**changes))
    )
    assert (one == other) is same


def test_hits_and_fits_are_named_by_the_ids_behind_their_codes() -> None:
    """Items 20 and 30 have codes 1 and 2 after an item 10, and 0 and 1 before an item 40."""
    split = {
        "name": "given",
        "train": {"user": [1, 2], "item": [20, 30], "rating": [5, 4]},
        "test": {"user": [1, 2], "item": [30, 20], "rating": [5, 4]},
    }
    found = []
    for item in (10, 40):
        asked = experiment_of(data=None, split=split, catalogue=[item])
        data = Pipeline().prepare(asked)
        found.append((asked, data, targets_of(data, data.folds[0], asked)))
    one, other = (ranking_inputs(asked, targets) for asked, _, targets in found)
    assert one["targets"] == other["targets"], "the same pairs, and three items to rank"
    assert one != other
    trains = [data.folds[0].train for _, data, _ in found]
    assert trains[0].fingerprint == trains[1].fingerprint
    assert fit_inputs(trains[0], "MF", 0) != fit_inputs(trains[1], "MF", 0)


def test_a_fit_is_named_by_ratings_ids_system_and_seed() -> None:
    train, other = WHOLE.folds[0].train, material_of(seed=1).folds[0].train
    names = [
        fit_inputs(train, "MF", 0), fit_inputs(train, "MF", 1), fit_inputs(train, "SVD", 0),
        fit_inputs(other, "MF", 0),
    ]  # fmt: skip
    assert len({str(each) for each in names}) == 4
    assert fit_inputs(train, "MF", 0) == names[0]


def test_the_scale_is_that_of_all_ratings() -> None:
    assert WHOLE.ratings is not None
    values = WHOLE.ratings.values
    assert WHOLE.scale == (float(np.min(values)), float(np.max(values)))


def test_users_are_judged_by_what_is_relevant() -> None:
    fold = WHOLE.folds[0]
    targets = targets_of(WHOLE, fold, experiment_of(topics="relevant"))
    relevant = {
        int(user)
        for user, value in zip(fold.test.users, fold.test.values, strict=True)
        if value >= 4
    }
    trained = set(np.flatnonzero(fold.train.user_counts).tolist())
    assert set(targets.topics.users.tolist()) == relevant & trained
