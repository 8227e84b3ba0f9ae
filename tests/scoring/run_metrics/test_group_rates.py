"""RSP and REO against plain loops over users and items, and by hand."""

from __future__ import annotations

import math
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import MissingFacts
from cranfield.base.options import parse
from cranfield.collection.items import ItemFacts
from cranfield.scoring.run_metric import RunFacts
from run_cases import run_of
from scoring.run_metrics.group_cases import ITEMS, World, worlds
from suites import tries

SOME = settings(deadline=None, max_examples=tries(100))
HALVES = World([[0, 1], [2, 0]], [[3], [1]], [[1, 4], [0]], [["a"], ["a"], ["b"], ["b"], [], []])


def spread(numbers: list[float], of: list[float]) -> float:
    rates = [number / whole for number, whole in zip(numbers, of, strict=True) if whole]
    return pstdev(rates) / fmean(rates) if len(rates) > 1 and any(rates) else math.nan


def plain(world: World, n: int, *, relevant: bool) -> float:
    """Count, for each kind, what is shown and what could have been."""
    shown, could = [0.0, 0.0], [0.0, 0.0]
    for user, one in enumerate(world.lists):
        for item in range(ITEMS):
            counts = item in world.relevant[user] if relevant else item not in world.train[user]
            for kind, share in enumerate(world.shares(item)):
                could[kind] += share * counts
                shown[kind] += share * (item in one[:n] and (counts or not relevant))
    return spread(shown, could)


@SOME
@given(world=worlds(), n=st.integers(1, 6))
def test_statistical_parity_is_that_of_plain_counts(world: World, n: int) -> None:
    wanted = plain(world, n, relevant=False)
    assert world.value(f"RSP(by=label(kind))@{n}") == pytest.approx(wanted, nan_ok=True)


@SOME
@given(world=worlds(), n=st.integers(1, 6))
def test_equal_opportunity_is_that_of_plain_counts(world: World, n: int) -> None:
    wanted = plain(world, n, relevant=True)
    assert world.value(f"REO(by=label(kind))@{n}") == pytest.approx(wanted, nan_ok=True)


def test_both_by_hand() -> None:
    """Of kind a, 3 places of 0, 1 and 0 (user 2 knows 1); of kind b, 1 of 2 and 2, 3."""
    high, low = 3 / 3, 1 / 3
    parity = ((high - low) / 2) / ((high + low) / 2)
    assert HALVES.value("RSP(by=label(kind))@2") == pytest.approx(parity)
    assert HALVES.value("RSP(by=label(kind))@1") == pytest.approx(0)  # 1 of 3 each
    assert math.isnan(HALVES.value("REO(by=label(kind))@2"))  # no relevant item of kind b


@SOME
@given(world=worlds(), n=st.integers(1, 6))
def test_groups_that_are_shown_alike_have_no_gap(world: World, n: int) -> None:
    """Each item is half of either kind, so that both have the same chance."""
    alike = World(world.lists, world.train, world.relevant, [["a", "b"]] * ITEMS)
    for name in ("RSP", "REO"):
        value = alike.value(f"{name}(by=label(kind))@{n}")
        assert math.isnan(value) or value == pytest.approx(0)


@SOME
@given(world=worlds(), n=st.integers(1, 6))
def test_names_of_groups_do_not_matter(world: World, n: int) -> None:
    other = {"a": "b", "b": "a"}
    named = [[other[kind] for kind in own] for own in world.kinds]
    swapped = World(world.lists, world.train, world.relevant, named)
    for name in ("RSP", "REO"):
        spelled = f"{name}(by=label(kind))@{n}"
        assert swapped.value(spelled) == pytest.approx(world.value(spelled), nan_ok=True)


def test_head_and_tail_are_the_groups_without_a_label() -> None:
    world = World([[3], [4], [5]], [[0], [0], [1]], [[3], [], []], [["a"]] * ITEMS)
    assert world.value("PopRSP(by=popularity(head=0.5))") == pytest.approx(1)  # no head is shown
    assert math.isnan(world.value("REO"))  # only the tail has a relevant item


def test_what_is_not_known_is_asked_for() -> None:
    bare = RunFacts(ItemFacts(HALVES.facts.items.popularity, 2))
    with pytest.raises(MissingFacts, match="RSP needs training ratings"):
        parse("run-metric", "RSP").of_run(run_of([0]), bare)
    with pytest.raises(MissingFacts, match="REO needs what is judged"):
        parse("run-metric", "REO").of_run(run_of([0]), bare)
