"""Mean absolute differences between groups of items, against plain loops."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.run_metrics.group_cases import ITEMS, World, worlds
from suites import tries


def plain(world: World, n: int, *, ratings: bool) -> float:
    """Item by item: the mean of what it got, then the means of kinds, then their differences."""
    predicted, row = {}, 0
    for user, one in enumerate(world.lists):
        for item in one:
            predicted[user, item], row = -float(row), row + 1  # as run_of numbers them
    sums, sizes = [0.0, 0.0], [0.0, 0.0]
    for item in range(ITEMS):
        got = []
        for user, one in enumerate(world.lists):
            if item in one[:n] and world.relevant[user]:
                hit = item in world.relevant[user]
                worth = predicted[user, item] if ratings else 2 ** (5 - 4 + 1) - 1
                got.append(worth if hit else 0.0)
        for kind, share in enumerate(world.shares(item)):
            sums[kind] += share * fmean(got) if got else 0.0
            sizes[kind] += share if got else 0.0
    means = [total / size for total, size in zip(sums, sizes, strict=True) if size]
    return fmean(abs(x - y) for x, y in combinations(means, 2)) if len(means) > 1 else math.nan


@settings(deadline=None, max_examples=tries(100))
@given(world=worlds(), n=st.integers(1, 6))
def test_differences_are_those_of_plain_loops(world: World, n: int) -> None:
    ranking = world.value(f"ItemMAD(by=label(kind))@{n}")
    assert ranking == pytest.approx(plain(world, n, ratings=False), nan_ok=True)
    rating = world.value(f"ItemMAD(by=label(kind), of=ratings)@{n}")
    assert rating == pytest.approx(plain(world, n, ratings=True), nan_ok=True)


def test_by_hand() -> None:
    """Item 0, a, is a hit for one of two users; item 1, b, for none: (3 + 0)/2 − 0."""
    world = World([[0, 1], [0]], [[], []], [[0], [2]], [["a"], ["b"], ["a"], [], [], []])
    assert world.value("ItemMAD(by=label(kind))@2") == pytest.approx(3 / 2)
    assert math.isnan(world.value("ItemMAD(by=label(kind))@1"))  # no b is shown
