"""Spread: Gini, quartiles and curves, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.statistics.spread import Curve, Histogram, Spread
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))
COUNTS = st.lists(st.integers(1, 50), min_size=1, max_size=20)


def spread(counts: list[int]) -> Spread:
    return Spread(np.sort(np.array(counts, dtype=np.int64)))


@SOME
@given(counts=COUNTS)
def test_gini_is_half_the_relative_mean_difference(counts: list[int]) -> None:
    values = np.array(counts, dtype=float)
    by_pairs = np.abs(values[:, None] - values).mean() / (2 * values.mean())
    assert spread(counts).gini == pytest.approx(by_pairs, abs=1e-12)


@SOME
@given(counts=COUNTS, times=st.integers(2, 5))
def test_gini_knows_neither_the_unit_nor_the_size_of_the_population(
    counts: list[int], times: int
) -> None:
    once = spread(counts).gini
    assert spread([times * count for count in counts]).gini == pytest.approx(once, abs=1e-12)
    assert spread(counts * times).gini == pytest.approx(once, abs=1e-12)


@SOME
@given(counts=COUNTS)
def test_gini_is_twice_the_area_above_the_lorenz_curve(counts: list[int]) -> None:
    """The concentration curve, from the largest, lies as far above the diagonal."""
    curve = spread(counts).concentration
    x, y = np.append(0, curve.x / len(counts)), np.append(0, curve.y)
    area = float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())
    assert spread(counts).gini == pytest.approx(2 * area - 1, abs=1e-12)


def test_gini_at_its_ends() -> None:
    assert spread([7] * 9).gini == 0
    assert spread([5]).gini == 0
    assert Spread(np.array([0] * 99 + [8])).gini == pytest.approx(99 / 100)


@SOME
@given(counts=COUNTS, x=st.integers(0, 60))
def test_the_share_with_at_most_so_many_is_read_off_the_curve(counts: list[int], x: int) -> None:
    curve = spread(counts).at_most
    reached = curve.y[curve.x <= x]
    share = sum(count <= x for count in counts) / len(counts)
    assert (reached[-1] if len(reached) else 0) == pytest.approx(share)
    assert curve.y[-1] == pytest.approx(1)


@SOME
@given(counts=COUNTS, first=st.integers(1, 20))
def test_the_share_of_the_first_is_read_off_the_curve(counts: list[int], first: int) -> None:
    curve = spread(counts).concentration
    place = min(first, len(counts))
    held = sum(sorted(counts, reverse=True)[:place]) / sum(counts)
    assert curve.y[place - 1] == pytest.approx(held)
    assert curve.x[place - 1] == place


def test_quartiles_are_interpolated() -> None:
    assert spread([1, 2, 3, 4]).quartiles == (1.75, 2.5, 3.25)
    assert spread([9]).quartiles == (9, 9, 9)


@pytest.mark.parametrize("size", [1, 2, 99, 100, 101, 5000])
def test_a_thinned_curve_keeps_its_ends_and_at_most_a_hundred_points(size: int) -> None:
    x = np.arange(size, dtype=float)
    told = Curve(x, x * 2).to_dict()
    assert len(told["x"]) == min(size, 100)
    assert (told["x"][0], told["x"][-1]) == (0, size - 1)
    assert told["y"] == [2 * one for one in told["x"]]


def test_a_histogram_tells_values_or_edges() -> None:
    counts = np.array([2, 1])
    assert Histogram(counts, values=np.array([1.0, 5.0])).to_dict() == {
        "values": [1.0, 5.0],
        "counts": [2, 1],
    }
    edges = Histogram(counts, edges=np.array([0.0, 1.0, 2.0])).to_dict()
    assert edges == {"edges": [0.0, 1.0, 2.0], "counts": [2, 1]}
