"""Expected exposure loss against all orders of relevant items, and by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.run_metrics.group_cases import ITEMS, World, worlds
from suites import tries

SOME = settings(deadline=None, max_examples=tries(60))


def attention(rank: int, n: int, p: float) -> float:
    return p ** (rank - 1) if rank <= n else 0.0


def wanted(world: World, user: int, n: int, p: float) -> np.ndarray:
    """Mean attention over all orders of all items with the relevant ones on top."""
    good = world.relevant[user]
    rest = [i for i in range(ITEMS) if i not in good and i not in world.train[user]]
    exposure = np.zeros(ITEMS)
    for items, before in ((good, 0), (rest, len(good))):
        orders = list(permutations(items))
        for order in orders:
            for place, item in enumerate(order, start=before + 1):
                exposure[item] += attention(place, n, p) / len(orders)
    return exposure


def excess(world: World, n: int, p: float) -> np.ndarray:
    """ε − ε* of users with a list and a relevant item."""
    rows = []
    for user, one in enumerate(world.lists):
        if world.relevant[user] and one:
            given = np.zeros(ITEMS)
            for rank, item in enumerate(one, start=1):
                if item >= 0:
                    given[item] = attention(rank, n, p)
            rows.append(given - wanted(world, user, n, p))
    return np.array(rows).reshape(-1, ITEMS)


@SOME
@given(world=worlds(), n=st.integers(1, 7), p=st.sampled_from([0.5, 0.9]))
def test_the_loss_is_the_distance_from_the_mean_of_all_best_orders(
    world: World, n: int, p: float
) -> None:
    apart = excess(world, n, p)
    kinds = np.array([world.shares(item) for item in range(ITEMS)])
    for by, found in (("", apart), (", by=label(kind)", apart @ kinds)):
        mean = float((found**2).sum(axis=1).mean()) if len(found) else math.nan
        pooled = float((found.mean(axis=0) ** 2).sum()) if len(found) else math.nan
        spelled = f"discount=geometric(p={p}){by}"
        loss = world.value(f"EEL({spelled})@{n}")
        assert loss == pytest.approx(mean, abs=1e-12, nan_ok=True)
        together = world.value(f"EEL({spelled}, average=exposure)@{n}")
        assert together == pytest.approx(pooled, abs=1e-12, nan_ok=True)


@SOME
@given(world=worlds())
def test_without_a_cut_off_all_ranks_count(world: World) -> None:
    found = excess(world, ITEMS + 1, 0.5)  # as deep as a list can be
    mean = float((found**2).sum(axis=1).mean()) if len(found) else math.nan
    assert world.value("EEL") == pytest.approx(mean, abs=1e-12, nan_ok=True)


def test_one_relevant_item_on_top_is_all_that_it_should_have() -> None:
    one = World([[2]], [[]], [[2]], [["a"]] * ITEMS)
    assert one.value("EEL@1") == pytest.approx(0)
    two = World([[2]], [[]], [[2, 3]], [["a"]] * ITEMS)
    assert two.value("EEL@1") == pytest.approx(0.5**2 + 0.5**2)  # each should have half


def test_turns_make_up_for_one_another_only_where_exposure_is_averaged() -> None:
    turns = World([[2], [3]], [[], []], [[2, 3], [2, 3]], [["a"]] * ITEMS)
    assert turns.value("EEL@1") == pytest.approx(0.5)
    assert turns.value("EEL(average=exposure)@1") == pytest.approx(0)


def test_it_is_undefined_where_nobody_has_a_relevant_item() -> None:
    assert math.isnan(World([[2]], [[]], [[]], [["a"]] * ITEMS).value("EEL"))
