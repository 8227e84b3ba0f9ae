"""Random effects over data sets: against statsmodels, and what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.validity.data_sets.random_effects import combine

statsmodels = pytest.importorskip("statsmodels.stats.meta_analysis")

EFFECTS = st.lists(
    st.tuples(st.floats(-0.3, 0.3), st.floats(0.001, 0.1)), min_size=2, max_size=12
).filter(lambda rows: np.ptp([effect for effect, _ in rows]) > 1e-6)


@given(EFFECTS)
def test_the_same_as_statsmodels_by_paule_mandel_and_hartung_knapp(
    rows: list[tuple[float, float]],
) -> None:
    effects, errors = map(np.array, zip(*rows, strict=True))
    found = combine(effects, errors)
    reference = statsmodels.combine_effects(effects, errors**2, method_re="iterated", use_t=True)
    assert found.spread**2 == pytest.approx(max(0.0, reference.tau2), rel=1e-4, abs=1e-7)
    assert found.estimate == pytest.approx(reference.mean_effect_re, rel=1e-4, abs=1e-7)
    assert found.error == pytest.approx(reference.sd_eff_w_re_hksj, rel=1e-4, abs=1e-7)
    low, high = reference.conf_int(alpha=0.05, use_t=True)[3]
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-4, abs=1e-7)
    assert found.spread_share == pytest.approx(max(0.0, reference.i2), rel=1e-4, abs=1e-7)


def test_equal_differences_have_no_spread() -> None:
    found = combine(np.full(4, 0.02), np.array([0.01, 0.02, 0.01, 0.005]))
    assert found.estimate == pytest.approx(0.02)
    assert found.spread == 0 == found.spread_share
    assert found.error == pytest.approx(0, abs=1e-12)


@given(EFFECTS)
def test_turning_the_pair_turns_the_sign_alone(rows: list[tuple[float, float]]) -> None:
    effects, errors = map(np.array, zip(*rows, strict=True))
    one, other = combine(effects, errors), combine(-effects, errors)
    assert (one.estimate, one.low) == pytest.approx((-other.estimate, -other.high))
    assert one.p_value == pytest.approx(other.p_value)


def test_the_next_data_set_is_less_certain_than_the_mean() -> None:
    found = combine(np.array([0.1, -0.02, 0.05]), np.array([0.01, 0.01, 0.02]))
    assert found.next_low < found.low < found.estimate < found.high < found.next_high
    two = combine(np.array([0.1, -0.02]), np.array([0.01, 0.01]))
    assert np.isnan([two.next_low, two.next_high]).all()
    assert two.to_dict()["data_sets"] == 2
