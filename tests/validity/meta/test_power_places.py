"""Places of metrics by discriminative power over parts of the systems."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.meta.p_values import PairwisePValues
from cranfield.validity.meta.power_places import (
    draw_subsets,
    places_of,
    power_places,
    subset_sums,
)


def p_values(systems: int, metrics: int, seed: int) -> PairwisePValues:
    rng = np.random.default_rng(seed)
    names = [f"s{number}" for number in range(systems)]
    pairs = tuple(itertools.combinations(names, 2))
    values = rng.random((metrics, len(pairs))) ** 6
    return PairwisePValues(pairs, tuple(f"m{number}" for number in range(metrics)), values)


@settings(max_examples=25)
@given(st.integers(2, 7), st.integers(1, 4), st.integers(0, 99))
def test_sums_and_places_are_those_of_plain_loops(systems: int, metrics: int, seed: int) -> None:
    found = p_values(systems, metrics, seed)
    drawn = draw_subsets(found, 6, 2 / 3, seed)
    sums = subset_sums(found, drawn)
    names = sorted(found.systems)
    for row, members in enumerate(drawn):
        inside = {name for name, member in zip(names, members, strict=True) if member}
        expected = [
            sum(p for pair, p in zip(found.pairs, values, strict=True) if set(pair) <= inside)
            for values in found.values
        ]
        assert sums[row] == pytest.approx(expected)
        places = [1 + sum(other < mine - 1e-9 for other in expected) for mine in expected]
        assert places_of(sums[row]).tolist() == places


@pytest.mark.parametrize(
    ("systems", "share", "size"), [(21, 2 / 3, 14), (3, 2 / 3, 2), (2, 0.1, 2), (5, 1.0, 5)]
)
def test_a_part_has_its_share_of_the_systems_and_two_at_least(
    systems: int, share: float, size: int
) -> None:
    drawn = draw_subsets(p_values(systems, 1, 0), 40, share, 1)
    assert (drawn.sum(axis=1) == size).all()
    assert drawn.any(axis=0).all()  # nobody is never drawn


def test_all_systems_always_leave_no_interval() -> None:
    found = power_places(p_values(6, 3, 4), subsets=10, share=1.0, seed=0)
    assert (found.low == found.places).all()
    assert (found.high == found.places).all()
    assert (found.first == (found.places == 1)).all()


def test_tied_metrics_share_the_best_place() -> None:
    assert places_of(np.array([0.3, 0.1 + 0.2, 0.1])).tolist() == [2, 2, 1]


def test_the_order_of_pairs_changes_nothing() -> None:
    one = p_values(6, 3, 2)
    back = slice(None, None, -1)
    other = PairwisePValues(
        tuple((second, first) for first, second in one.pairs[back]),
        one.metrics,
        one.values[:, back],
    )
    asked = {"subsets": 30, "share": 0.5, "seed": 3}
    found = [power_places(each, **asked) for each in (one, other)]  # type: ignore[arg-type]
    assert (found[0].low == found[1].low).all()
    assert (found[0].first == found[1].first).all()


def test_the_highest_three_pairs_can_be_nearly_all_of_it() -> None:
    pairs = tuple(itertools.combinations("abcd", 2))
    values = np.array([[0.9, 0.8, 0.7, 0.1, 0.0, 0.0], [0.0] * 6])
    found = power_places(PairwisePValues(pairs, ("m", "n"), values), subsets=5, share=0.5, seed=0)
    assert found.top[0] == pytest.approx(2.4 / 2.5)
    assert np.isnan(found.top[1])
