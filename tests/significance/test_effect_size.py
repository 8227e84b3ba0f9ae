"""How large differences are: by hand, and against distributions they come from."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from cranfield.base.errors import CranfieldError
from cranfield.significance.effect_size import (
    Belief,
    MeanDifference,
    Outcomes,
    believe,
    interval_of,
    mean_difference,
    outcomes,
    standardised,
)
from cranfield.significance.power import smallest_detectable, users_needed


def alike(*differences: float) -> MeanDifference:
    return mean_difference(np.array(differences), np.full(len(differences), 1 / len(differences)))


SOME = alike(0.1, 0.2, 0.3)  # mean .2, s .1


def test_the_interval_of_the_difference_equals_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 25))
    found = interval_of(alike(*(first - second)))
    expected = stats.ttest_rel(first, second).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_the_standardised_difference_is_in_standard_deviations() -> None:
    assert standardised(SOME).estimate == pytest.approx(0.2 / 0.1)


def test_the_ends_of_the_standardised_difference_make_t_just_credible() -> None:
    found, n = standardised(SOME), 3
    t = SOME.statistic
    assert stats.nct.sf(t, n - 1, found.low * sqrt(n)) == pytest.approx(0.025, abs=1e-4)
    assert stats.nct.cdf(t, n - 1, found.high * sqrt(n)) == pytest.approx(0.025, abs=1e-4)


def test_for_many_users_the_interval_is_the_normal_one() -> None:
    d, n = 0.25, 6000
    found = standardised(MeanDifference(d, 1 / sqrt(n), n))
    reach = 1.96 * sqrt(1 / n + d * d / (2 * n))
    assert (found.low, found.high) == pytest.approx((d - reach, d + reach), abs=1e-4)


def test_no_difference_at_all_is_no_effect() -> None:
    none = alike(0.0, 0.0, 0.0)
    assert standardised(none).estimate == 0
    assert (interval_of(none).low, interval_of(none).high) == (0, 0)


def test_a_constant_difference_is_infinitely_many_standard_deviations() -> None:
    found = standardised(alike(0.1, 0.1, 0.1))
    assert found.estimate == inf
    assert isnan(found.low)


def test_wins_ties_and_losses_are_counted() -> None:
    assert outcomes(np.array([0.1, 0.0, -0.2, 0.3, 0.0])) == Outcomes(2, 2, 1)


def test_the_share_of_users_has_wilsons_interval() -> None:
    found = Outcomes(7, 2, 1).better()
    expected = stats.binomtest(7, 10).proportion_ci(method="wilson")
    assert found.estimate == 7 / 10
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_belief_is_the_posterior_of_the_mean() -> None:
    found = believe(SOME, rope=0.05)
    posterior = stats.t(2, loc=0.2, scale=0.1 / sqrt(3))
    assert found.first == pytest.approx(posterior.sf(0.05))
    assert found.second == pytest.approx(posterior.cdf(-0.05))
    assert found.first + found.equivalent + found.second == pytest.approx(1)


def test_without_a_region_belief_in_the_second_is_the_one_sided_p_value() -> None:
    found = believe(SOME, rope=0)
    assert found.second == pytest.approx(stats.t.sf(SOME.statistic, 2))
    assert found.equivalent == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("difference", "belief"),
    [(0.1, Belief(1, 0, 0)), (-0.1, Belief(0, 0, 1)), (0.001, Belief(0, 1, 0))],
)
def test_without_spread_all_belief_is_in_one_place(difference: float, belief: Belief) -> None:
    assert believe(alike(difference, difference), rope=0.01) == belief


def test_the_smallest_detectable_difference_is_found_with_the_power_promised() -> None:
    error = 0.01
    found = smallest_detectable(MeanDifference(0.0, error, 1000), alpha=0.05, power=0.8)
    assert found == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert stats.norm.sf(1.959964, loc=found / error) == pytest.approx(0.8, abs=1e-5)


def test_half_the_difference_needs_four_times_the_users() -> None:
    found = MeanDifference(0.1, 0.01, 50)
    assert users_needed(found, smallest_detectable(found) / 2) == pytest.approx(4 * 50)


def test_power_out_of_range_is_refused() -> None:
    with pytest.raises(CranfieldError, match="power, power: 1 is not a number above 0"):
        smallest_detectable(SOME, power=1)
    with pytest.raises(CranfieldError, match="power, difference: 0 is not"):
        users_needed(SOME, 0)
