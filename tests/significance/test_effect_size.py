"""How large differences are: by hand, and against distributions they come from."""

from __future__ import annotations

from math import ceil, inf, isnan, nextafter, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.significance.effect_size import (
    MeanDifference,
    Outcomes,
    detection_power,
    interval_of,
    mean_difference,
    mean_of_influence,
    outcomes,
    smallest_detectable,
    standardised,
    users_needed,
)
from suites import tries


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


def test_the_smallest_detectable_difference_is_found_with_the_power_promised() -> None:
    error = 0.01
    found = smallest_detectable(MeanDifference(0.0, error, 10**8), alpha=0.05, power=0.8)
    assert found == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)


@pytest.mark.parametrize(
    ("users", "effect", "alpha", "power"),
    [
        (2, 1.0, 0.05, 0.092809155056),
        (5, 1.5, 0.05, 0.710702673926),
        (12, 0.9, 0.01, 0.529663587195),
        (100, 0.3, 0.05, 0.843947102737),
        (100, 0.01, 0.05, 0.051124241586),
        (5000, 0.06, 0.01, 0.952083852625),
        (10**6, 0.003, 0.05, 0.850838099086),
    ],
)
def test_the_power_is_that_of_statsmodels(
    users: int, effect: float, alpha: float, power: float
) -> None:
    # by TTestPower.power of statsmodels 0.15
    assert detection_power(effect * sqrt(users), users - 1, alpha) == pytest.approx(power, rel=1e-8)


@pytest.mark.parametrize("users", [2, 3, 400, 10**9])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-8])
def test_the_power_rises_from_the_level_to_one_and_goes_on_beyond_the_reach_of_scipy(
    users: int, alpha: float
) -> None:
    powers = [detection_power(10.0**at, users - 1, alpha) for at in np.arange(-6, 12, 0.25)]
    assert powers[0] == pytest.approx(alpha)
    assert powers[-1] == pytest.approx(1, abs=1e-3)
    assert (np.diff(powers) >= -2e-4).all()  # where the two forms meet


@pytest.mark.parametrize("users", [2, 5, 100, 5000, 10**9])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95), (1e-5, 0.5), (0.2, 0.3)])
def test_the_smallest_detectable_difference_has_the_power(
    users: int, alpha: float, power: float
) -> None:
    found = smallest_detectable(MeanDifference(0.0, 3.0, users), alpha, power)
    assert detection_power(found / 3.0, users - 1, alpha) == pytest.approx(power, rel=1e-7)


@pytest.mark.parametrize(
    ("effect", "alpha", "power", "users"),
    [
        (1.5, 0.05, 0.8, 5.686),
        (1.5, 0.01, 0.95, 11.421),
        (0.5, 0.05, 0.8, 33.367),
        (0.1, 0.01, 0.95, 1784.735),
        (0.01, 0.05, 0.8, 78490.526),
    ],
)
def test_the_users_needed_are_those_of_statsmodels_rounded_up(
    effect: float, alpha: float, power: float, users: float
) -> None:
    # as TTestPower of statsmodels 0.15 solves for nobs
    found = MeanDifference(-effect * 2, 2 / sqrt(50), 50)  # s = 2 by 50 users
    assert users_needed(found, alpha, power) == ceil(users)


def test_as_many_users_are_needed_for_what_they_can_just_detect() -> None:
    just = smallest_detectable(MeanDifference(0.5, 0.01, 400))
    assert users_needed(MeanDifference(just * 1.0001, 0.01, 400)) == 400
    assert users_needed(MeanDifference(just * 0.9999, 0.01, 400)) == 401


@pytest.mark.parametrize("effect", [3.0, 0.7, 0.05])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.05, 0.06), (1e-6, 0.99)])
def test_one_user_fewer_would_not_do(effect: float, alpha: float, power: float) -> None:
    needed = int(users_needed(MeanDifference(effect, 1 / sqrt(50), 50), alpha, power))
    assert detection_power(effect * sqrt(needed), needed - 1, alpha) >= power
    assert needed == 2 or (detection_power(effect * sqrt(needed - 1), needed - 2, alpha) < power)


def test_no_number_of_users_shows_a_difference_of_0_and_two_show_one_without_spread() -> None:
    assert users_needed(MeanDifference(0.0, 0.1, 10)) == inf
    assert users_needed(MeanDifference(0.0, 0.0, 10)) == inf
    assert users_needed(MeanDifference(0.2, 0.0, 10)) == 2


def test_a_tiny_difference_asks_for_users_by_the_normal_distribution() -> None:
    found = MeanDifference(1e-7, 1.0 / sqrt(30), 30)
    normal = (1.959963985 + 0.841621234) ** 2 / 1e-7**2
    assert users_needed(found) == pytest.approx(normal, rel=1e-5)


@pytest.mark.parametrize("users", [2, 3, 30, 6040])
@pytest.mark.parametrize("t", [301.0, 1e4, 1e6, 1e12])
def test_far_from_0_the_interval_is_that_of_the_standard_deviation(users: int, t: float) -> None:
    # d_z = d/s, and (n − 1)·s²/σ² is χ² of n − 1; the mean hardly varies beside it
    found = standardised(MeanDifference(t, 1.0, users))
    ends = [t * sqrt(stats.chi2.ppf(p, users - 1) / (users - 1) / users) for p in (0.025, 0.975)]
    assert (found.low, found.high) == pytest.approx(ends, rel=2e-3)
    assert found.low < found.estimate < found.high


@pytest.mark.parametrize("users", [2, 5, 100, 6040])
def test_the_interval_has_no_step_where_its_computation_changes(users: int) -> None:
    near, far = (standardised(MeanDifference(t, 1.0, users)) for t in (300.0, 300.0 + 1e-9))
    assert (far.low, far.high) == pytest.approx((near.low, near.high), rel=1e-3)


def test_differences_that_hardly_vary_have_their_interval_at_once() -> None:
    found = standardised(alike(0.1, 0.1, 0.1 + 1e-7))
    assert found.estimate > 1e5
    assert found.low < found.estimate < found.high


@settings(deadline=None, max_examples=tries(25))
@given(st.floats(0, 200) | st.floats(1e3, 1e9), st.integers(2, 5000))
def test_effects_of_a_turned_pair_are_turned(t: float, users: int) -> None:
    one, two = (standardised(MeanDifference(sign * t, 1.0, users)) for sign in (1, -1))
    turned = -one.estimate, -one.high, -one.low
    assert (two.estimate, two.low, two.high) == pytest.approx(turned, abs=1e-6)
    assert one.low <= one.estimate <= one.high


def test_a_mean_of_rounding_alone_is_none() -> None:
    found = alike(0.7 - 0.3, 0.1 - 0.7, 0.3 - 0.1)
    assert (0.7 - 0.3) + (0.1 - 0.7) + (0.3 - 0.1) != 0
    assert (found.mean, found.statistic) == (0, 0)
    assert found.error > 0.05


def test_a_small_mean_that_is_more_than_rounding_stays() -> None:
    # (1 − 1 + 3e−9)/3 beside sizes of 2/3
    assert alike(1.0, -1.0, 3e-9).mean == pytest.approx(1e-9, rel=1e-6)


def test_weighted_errors_by_hand() -> None:
    # weights 1/4 and 3/4, d̄ = 1·1/4 + 3·3/4 = 2.5, SE² = 2/1·((1.5/4)² + (0.5·3/4)²)
    found = mean_difference(np.array([1.0, 3.0]), np.array([0.25, 0.75]))
    assert found.mean == 2.5
    assert found.error == pytest.approx(sqrt(2 * ((1.5 / 4) ** 2 + (0.5 * 3 / 4) ** 2)))


def test_users_without_weight_are_not_counted_and_change_nothing() -> None:
    found = mean_difference(np.array([1.0, 3.0, 50.0]), np.array([0.25, 0.75, 0.0]))
    assert found == mean_difference(np.array([1.0, 3.0]), np.array([0.25, 0.75]))


@settings(deadline=None, max_examples=tries(50))
@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_share_of_users_lies_within_its_interval(wins: int, ties: int, losses: int) -> None:
    if wins + ties + losses:
        found = Outcomes(wins, ties, losses).better()
        assert 0 <= found.low <= found.estimate <= found.high <= 1


def test_two_users_are_enough_for_an_error_by_influence() -> None:
    assert mean_of_influence(0.5, np.array([0.1, -0.1])).error == pytest.approx(sqrt(2 * 0.02))
    assert isnan(mean_of_influence(0.5, np.array([0.1])).error)


def test_the_error_of_a_single_user_is_unknown() -> None:
    found = mean_difference(np.array([0.3]), np.array([1.0]))
    assert (found.mean, found.users) == (0.3, 1)
    assert isnan(found.error)


MANY = MeanDifference(0.0, 0.01, 400)
shares = st.floats(0.001, 0.999)


def test_by_hand_from_a_table_of_the_normal_distribution() -> None:
    # z of 0.975 is 1.960, z of 0.8 is 0.842, z of 0.995 is 2.576, z of 0.9 is 1.282
    # Student's t of 399 degrees of freedom: at most 0.6 % more
    assert 1 < smallest_detectable(MANY) / ((1.960 + 0.842) * 0.01) < 1.006
    assert 1 < smallest_detectable(MANY, 0.01, 0.9) / ((2.576 + 1.282) * 0.01) < 1.006


def test_a_t_test_of_as_many_users_finds_it_as_often_as_promised() -> None:
    found = smallest_detectable(MANY, alpha=0.05, power=0.8)
    critical = stats.t.ppf(0.975, 399)
    assert stats.nct.sf(critical, 399, found / 0.01) == pytest.approx(0.8, abs=1e-5)


@settings(deadline=None, max_examples=tries(50))
@given(shares, shares, shares)
def test_stricter_levels_and_more_power_ask_for_more(alpha: float, one: float, two: float) -> None:
    low, high = sorted([one, two])
    assert smallest_detectable(MANY, alpha, low) <= smallest_detectable(MANY, alpha, high)
    assert smallest_detectable(MANY, high, alpha) <= smallest_detectable(MANY, low, alpha)


@pytest.mark.parametrize("users", [2, 10, 5000, 10**9])
@pytest.mark.parametrize("alpha", [1e-12, 0.0014792213439941406, 0.05, 0.5])
def test_a_power_hardly_above_the_level_asks_for_hardly_anything(alpha: float, users: int) -> None:
    some = MeanDifference(0.2, 1.0, users)
    assert 0 <= smallest_detectable(some, alpha, nextafter(alpha, 1)) < 0.02


def test_any_difference_is_detected_where_differences_do_not_vary() -> None:
    constant = MeanDifference(0.2, 0.0, 10)
    assert smallest_detectable(constant) == 0
