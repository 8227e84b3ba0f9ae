"""The smallest difference that the present users would show."""

from __future__ import annotations

from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.errors import CranfieldError
from cranfield.significance.effect_size import MeanDifference
from cranfield.significance.power import refuse_no_share, smallest_detectable

MANY = MeanDifference(0.0, 0.01, 400)
shares = st.floats(0.001, 0.999)


def test_by_hand_from_a_table_of_the_normal_distribution() -> None:
    # z of 0.975 is 1.960, z of 0.8 is 0.842, z of 0.995 is 2.576, z of 0.9 is 1.282
    assert smallest_detectable(MANY) == pytest.approx((1.960 + 0.842) * 0.01, abs=1e-5)
    assert smallest_detectable(MANY, 0.01, 0.9) == pytest.approx((2.576 + 1.282) * 0.01, abs=1e-5)


def test_a_t_test_of_as_many_users_finds_it_as_often_as_promised() -> None:
    found = smallest_detectable(MANY, alpha=0.05, power=0.8)
    critical = stats.t.ppf(0.975, 399)
    assert stats.nct.sf(critical, 399, found / 0.01) == pytest.approx(0.8, abs=0.005)


@settings(deadline=None, max_examples=50)
@given(shares, shares, shares)
def test_stricter_levels_and_more_power_ask_for_more(alpha: float, one: float, two: float) -> None:
    low, high = sorted([one, two])
    assert smallest_detectable(MANY, alpha, low) <= smallest_detectable(MANY, alpha, high)
    assert smallest_detectable(MANY, high, alpha) <= smallest_detectable(MANY, low, alpha)


def test_any_difference_is_detected_where_differences_do_not_vary() -> None:
    constant = MeanDifference(0.2, 0.0, 10)
    assert smallest_detectable(constant) == 0


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, nan])
def test_what_is_no_share_is_refused_by_name(value: float) -> None:
    with pytest.raises(CranfieldError, match=r"here, level: .* a number above 0 and below 1"):
        refuse_no_share("here", "level", value)
