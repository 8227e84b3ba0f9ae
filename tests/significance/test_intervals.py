"""Intervals by resampling: against scipy, by hand, and how often they hold the truth."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import Interval
from cranfield.significance.intervals import acceleration, bca_interval

Statistic = Callable[..., Any]


def without_each(values: Floats, statistic: Statistic) -> Floats:
    return np.array([statistic(np.delete(values, at)) for at in range(len(values))])


@pytest.mark.parametrize("statistic", [np.mean, np.median, np.std])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_interval_is_that_of_scipy_from_the_same_draws(
    statistic: Statistic, confidence: float
) -> None:
    values = np.random.default_rng(1).exponential(size=30)
    options: Any = {
        "method": "BCa",
        "confidence_level": confidence,
        "rng": np.random.default_rng(2),
    }
    expected = stats.bootstrap((values,), statistic, n_resamples=999, **options)
    drawn = expected.bootstrap_distribution
    found = bca_interval(
        float(statistic(values)), drawn, without_each(values, statistic), confidence
    )
    wanted = expected.confidence_interval
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_symmetric_draws_and_equal_users_give_the_percentile_interval() -> None:
    drawn = np.linspace(-1, 1, 2001)
    found = bca_interval(0.0, drawn, np.zeros(7))
    assert (found.low, found.high) == pytest.approx((-0.95, 0.95))


def test_the_acceleration_by_hand() -> None:
    # values without one user: 1, 1, 4; mean 2; l = 1, 1, −2
    assert acceleration(np.array([1.0, 1.0, 4.0])) == pytest.approx((1 + 1 - 8) / (6 * 6**1.5))


def test_undefined_draws_are_left_out() -> None:
    drawn, jackknifed = np.linspace(-1, 1, 2001), np.array([1.0, 1.0, 4.0])
    more = np.append(drawn, [np.nan, np.nan]), np.append(jackknifed, np.nan)
    assert bca_interval(0.0, *more) == bca_interval(0.0, drawn, jackknifed)


def test_without_spread_the_interval_is_the_value() -> None:
    assert bca_interval(0.2, np.full(100, 0.2), np.full(5, 0.2)) == Interval(0.2, 0.2, 0.2)


@pytest.mark.parametrize("drawn", [np.array([]), np.array([np.nan]), np.array([1.0, 2.0])])
def test_there_is_no_interval_from_no_draws_or_from_draws_on_one_side(drawn: Floats) -> None:
    found = bca_interval(0.0, drawn, np.zeros(3))
    assert isnan(found.low)
    assert isnan(found.high)


def test_nineteen_of_twenty_intervals_of_a_skewed_mean_hold_it() -> None:
    rng, held, times = np.random.default_rng(3), 0, 400
    for _ in range(times):
        values = rng.exponential(size=60)
        drawn = values[rng.integers(60, size=(1000, 60))].mean(axis=1)
        jackknifed = (values.sum() - values) / 59
        found = bca_interval(float(values.mean()), drawn, jackknifed)
        held += found.low <= 1 <= found.high
    # BCa is second-order right: a little below 95 % for 60 skewed users
    assert held / times >= 0.95 - 0.015 - 3 * sqrt(0.95 * 0.05 / times)


def test_one_draw_that_differs_is_a_spread() -> None:
    draws = np.array([0.5] * 9 + [0.9])
    assert bca_interval(0.5, draws, np.array([0.4, 0.5, 0.6])).high > 0.5
    assert bca_interval(0.5, draws[:9], np.array([0.4, 0.5, 0.6])).high == 0.5
