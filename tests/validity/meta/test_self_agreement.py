"""How well orders agree with themselves: curves, areas and what is read from them."""

from __future__ import annotations

from math import nan

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.stats import kendalltau

from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.meta.self_agreement import (
    ThinnedValues,
    area,
    assess_thinned,
    mean_of_known,
    spread_of_known,
    stands_to,
)
from suites import tries

UP, DOWN, TIED = [1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 1.0, 1.0]
NEARLY = [1.0, 3.0, 2.0]
"""One of three pairs is turned: τ = (2 − 1)/3."""


def thinned(
    whole: list[float], *samples: list[list[float]], sizes: tuple[float, ...]
) -> ThinnedValues:
    """One mean, one metric; for each sample the values of three systems at each size."""
    values = np.array(samples)[:, :, None, None, :]
    topics = np.arange(len(samples) * len(sizes)).reshape(len(samples), len(sizes))
    return ThinnedValues(
        "ratings", ("arithmetic",), ("P",), tuple("abc"), sizes, np.array([[whole]]), values, topics
    )


def read(*samples: list[list[float]], sizes: tuple[float, ...]) -> Assessment:
    return assess_thinned([thinned(UP, *samples, sizes=sizes)], {})


def test_curves_are_means_over_the_samples_that_have_an_order() -> None:
    found = thinned(UP, [UP, NEARLY], [UP, DOWN], [UP, TIED], sizes=(1.0, 0.5))
    assert found.curves[:, 0, 0].tolist() == pytest.approx([1, (1 / 3 - 1) / 2])
    (row_1, row_2) = assess_thinned([found], {}).details["curves"].to_dicts()
    assert (row_1["undefined"], row_2["undefined"]) == (0, 1)
    assert row_2["spread"] == pytest.approx(np.std([1 / 3, -1], ddof=1))
    # all nine values of the samples at that size have the mean 2, but those of the tied one
    assert row_2["value"] == pytest.approx((2 + 2 + 1) / 3)
    assert row_2["topics"] == pytest.approx((1 + 3 + 5) / 3)


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.permutations([1.0, 2.0, 3.0, 4.0]), min_size=2, max_size=2))
def test_agreement_is_kendalls_tau(orders: list[list[float]]) -> None:
    found = ThinnedValues(
        "users", ("x",), ("P",), tuple("abcd"), (1.0,), np.array([[orders[0]]]),
        np.array(orders[1])[None, None, None, None, :], None,
    )  # fmt: skip
    assert found.agreement[0, 0, 0, 0] == pytest.approx(kendalltau(*orders).statistic)


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=8), st.integers(0, 99))
def test_the_area_is_the_integral_over_the_range_of_sizes(curve: list[float], seed: int) -> None:
    sizes = np.sort(np.random.default_rng(seed).random(len(curve)))[::-1]
    expected = -trapezoid(curve, sizes) / (sizes[0] - sizes[-1])
    assert area(sizes.tolist(), np.array(curve)) == pytest.approx(expected, abs=1e-9)
    assert min(curve) - 1e-9 <= area(sizes.tolist(), np.array(curve)) <= max(curve) + 1e-9


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.sampled_from([1.0, 0.9, 0.89, nan]), min_size=1, max_size=6))
def test_a_curve_stands_as_long_as_no_size_above_is_low(curve: list[float]) -> None:
    sizes = [1 - place / 10 for place in range(len(curve))]
    found = stands_to(sizes, np.array(curve))
    standing = [size for size in sizes if not np.isnan(found) and size >= found]
    assert all(curve[place] >= 0.9 for place in range(len(standing)))
    if len(standing) < len(curve):
        assert not curve[len(standing)] >= 0.9


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.floats(-5, 5) | st.just(nan), min_size=1, max_size=8))
def test_means_and_spreads_are_those_of_what_is_known(values: list[float]) -> None:
    column = np.array(values)[:, None]
    known = [value for value in values if not np.isnan(value)]
    mean, spread = mean_of_known(column)[0], spread_of_known(column)[0]
    assert mean == pytest.approx(np.mean(known) if known else nan, nan_ok=True, abs=1e-12)
    wanted = np.std(known, ddof=1) if len(known) > 1 else nan
    assert spread == pytest.approx(wanted, nan_ok=True, abs=1e-9)


def test_the_reading_tells_the_first_size_at_which_the_order_is_lost() -> None:
    assert read([UP, NEARLY, UP], sizes=(1.0, 0.6, 0.2)).reading == (
        "P is below τ = 0.9 already at 60 % of the ratings (area 0.67)."
    )
    assert read([UP, UP, NEARLY], sizes=(1.0, 0.6, 0.2)).reading == (
        # (0.4·1 + 0.4·(1 + 1/3)/2) / 0.8
        "P keeps τ ≥ 0.9 down to 60 % of the ratings (area 0.83)."
    )


def test_a_test_set_that_was_not_thinned_shows_nothing() -> None:
    made = read([UP], sizes=(1.0,))
    assert made.reading == "P was not tried on less than all of the ratings (area 1.00)."


def test_sizes_need_not_start_with_the_whole() -> None:
    assert read([NEARLY, UP], sizes=(0.5, 0.1)).reading.startswith(
        "P is below τ = 0.9 already at 50 % of the ratings"
    )
    assert read([UP, UP], sizes=(0.5, 0.1)).reading.startswith(
        "P keeps τ ≥ 0.9 down to 10 % of the ratings"
    )


def test_systems_that_are_tied_throughout_do_not_fall_below_anything() -> None:
    tied = assess_thinned([thinned(TIED, [TIED, UP], sizes=(1.0, 0.5))], {})
    assert tied.reading == "P gives no order to compare (area 0.00)."
    (note,) = tied.notes
    assert note == (
        "ratings: 2 thinned orders are undefined, since all systems are tied or no user remains, "
        "and were excluded from the mean."
    )


def test_an_order_that_is_undefined_once_thinned_is_not_called_low() -> None:
    made = read([UP, TIED], sizes=(1.0, 0.5))
    assert made.reading == "P is without an order already at 50 % of the ratings (area 0.50)."
    (note,) = made.notes
    assert note == (
        "ratings: 1 thinned order is undefined, since all systems are tied or no user remains, "
        "and was excluded from the mean."
    )


def test_charts_and_tables_hold_every_metric_and_scenario() -> None:
    one = thinned(UP, [UP, NEARLY], sizes=(1.0, 0.5))
    two = ThinnedValues("users", *(getattr(one, name) for name in (
        "means", "metrics", "systems", "sizes", "whole", "values", "topics")))  # fmt: skip
    made = assess_thinned([one, two], {"seed": 3})
    assert made.decisions["seed"] == 3
    assert made.shown("area").columns == ["mean", "metric", "ratings", "users"]
    assert made.title("stands_to") == "share down to which τ ≥ 0.9"
    assert made.shown("stands_to")["users"].to_list() == [1.0]
    chart = made.charts[1]
    assert isinstance(chart, Chart)
    assert chart.lines[0].x == (100.0, 50.0)
    assert chart.lines[0].y == pytest.approx((1, 1 / 3))
    values = made.details["values"].filter(pl.col("system") == "c")["value"]
    assert values.to_list() == [3, 2, 3, 2]
