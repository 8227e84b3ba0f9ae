"""Power before any result, against statsmodels."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from cranfield.significance.planned_power import detectable_effect, planned_power, power_of

REFERENCE = TTestPower()


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.05 / 15])
@pytest.mark.parametrize("users", [5, 40, 943, 6040])
@pytest.mark.parametrize("effect", [0.01, 0.05, 0.2, 0.5])
def test_power_is_that_of_statsmodels(effect: float, users: int, alpha: float) -> None:
    wanted = REFERENCE.power(effect, users, alpha)
    if isnan(wanted):  # of statsmodels, where the other tail is too small
        assert power_of(effect, users, alpha) > 0.99
        return
    assert power_of(effect, users, alpha) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("users", [10, 40, 943])
def test_the_detectable_effect_is_that_of_statsmodels(users: int) -> None:
    wanted = REFERENCE.solve_power(nobs=users, alpha=0.05, power=0.8)
    assert detectable_effect(users, 0.05, 0.8) == pytest.approx(float(wanted), rel=1e-6)


@given(effect=st.floats(0.01, 2), users=st.integers(2, 5000), comparisons=st.integers(1, 50))
def test_more_users_find_more_and_more_comparisons_find_less(
    effect: float, users: int, comparisons: int
) -> None:
    found = planned_power(effect, users, 0.05, comparisons)
    assert 0 <= found.corrected_power <= found.power + 1e-12 <= 1 + 1e-9
    assert power_of(effect, users + 10, 0.05) >= found.power - 1e-9


def test_one_comparison_needs_no_correction() -> None:
    found = planned_power(0.1, 100, 0.05, 1)
    assert found.power == found.corrected_power
    assert planned_power(0.1, 100, 0.05, 0) == found


def test_one_user_shows_nothing() -> None:
    assert isnan(power_of(0.5, 1, 0.05))
    assert isnan(detectable_effect(1, 0.05, 0.8))
