"""Novelty by its definition, list by list."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.collection.items import ItemFacts
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.scoring.run_metric import RunFacts
from run_cases import run_of
from suites import tries

COUNTS = [9, 4, 1, 0, 2]
RATERS = 10
USERS, ITEMS = Ids(pl.Series([10, 20, 30])), Ids(pl.Series(["a", "b", "c", "d", "e"]))
TEST = Ratings.from_triples([10, 10, 30], ["a", "d", "e"], [5, 4, 1]).reindex(USERS, ITEMS)
RELEVANT = {(0, 0), (0, 3)}
FACTS = RunFacts(ItemFacts(np.array(COUNTS, dtype=np.int64), RATERS), judge(TEST, relevance=4))
LISTS = st.lists(st.lists(st.integers(-1, 4), max_size=5, unique=True), min_size=3, max_size=3)


def value(name: str, lists: list[list[int]]) -> float:
    chosen: Any = parse("run-metric", name)
    return float(chosen.of_run(run_of(*lists), FACTS))


def novelty(name: str, item: int) -> float:
    if name == "EPC":
        return 1 - (COUNTS[item] / RATERS if item >= 0 else 0)
    return -log2(max(COUNTS[item] if item >= 0 else 0, 1) / sum(COUNTS))


@settings(deadline=None, max_examples=tries(25))
@given(
    name=st.sampled_from(["EPC", "EFD"]),
    lists=LISTS,
    n=st.integers(1, 6),
    discounted=st.booleans(),
    relevant=st.booleans(),
)
def test_novelty_is_a_discounted_mean_over_each_list(
    name: str, lists: list[list[int]], n: int, discounted: bool, relevant: bool
) -> None:
    means = []
    for user, one in enumerate(lists):
        weights = [1 / log2(k + 1) if discounted else 1.0 for k in range(1, len(one[:n]) + 1)]
        gained = [
            weight * novelty(name, item) * (not relevant or (user, item) in RELEVANT)
            for weight, item in zip(weights, one[:n], strict=True)
        ]
        if one:
            means.append(sum(gained) / sum(weights))
    discount = "logarithmic" if discounted else "none"
    spelled = f"{name}(discount={discount}, relevant={str(relevant).lower()})@{n}"
    wanted = sum(means) / len(means) if means else np.nan
    assert value(spelled, lists) == pytest.approx(wanted, nan_ok=True, abs=1e-12)


def test_an_item_that_everybody_saw_is_not_novel_and_one_that_nobody_saw_is() -> None:
    all_saw = RunFacts(ItemFacts(np.array([3, 0]), 3))
    for items, wanted in (([0], 0.0), ([1], 1.0), ([0, 1], 1 / 2)):
        assert parse("run-metric", "EPC").of_run(run_of(items), all_saw) == wanted


def test_a_collection_of_one_item_has_no_information_to_give() -> None:
    only = RunFacts(ItemFacts(np.array([7]), 7))
    assert parse("run-metric", "EFD").of_run(run_of([0]), only) == 0
