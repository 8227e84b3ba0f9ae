"""Ranks over data sets: Friedman against scipy, critical differences against Demšar's table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare

from cranfield.validity.data_sets.rank_differences import mean_ranks, rank_differences
from suites import tries

DEMSAR = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}
"""Demšar 2006, Table 5a: q_0.05 by the number of systems, divided by √2."""

VALUES = st.tuples(st.integers(5, 12), st.integers(3, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5]))
)


@settings(max_examples=tries(30))
@given(VALUES)
def test_friedman_is_that_of_scipy(values: np.ndarray) -> None:
    found = rank_differences([f"s{each}" for each in range(values.shape[1])], values, 0.05)
    if (values == values[:, :1]).all():
        assert found.statistic == 0
        assert found.p_value == 1
        return
    reference = friedmanchisquare(*values.T)
    assert found.statistic == pytest.approx(reference.statistic)
    assert found.p_value == pytest.approx(reference.pvalue)


@pytest.mark.parametrize("systems", sorted(DEMSAR))
def test_critical_differences_are_those_that_demsar_prints(systems: int) -> None:
    values = np.random.default_rng(1).random((9, systems))
    found = rank_differences([f"s{each}" for each in range(systems)], values, 0.05)
    scale = (systems * (systems + 1) / (6 * 9)) ** 0.5
    assert found.critical / scale == pytest.approx(
        DEMSAR[systems], abs=1e-3
    )  # printed from rounded quantiles


def test_the_best_system_has_rank_1_and_differs_from_the_worst() -> None:
    values = np.array([[0.5, 0.3, 0.1]] * 8)
    found = rank_differences(["a", "b", "c"], values, 0.05)
    assert list(found.mean_ranks) == [1, 2, 3]
    assert found.differing() == (("a", "c"),)
    assert mean_ranks(np.array([[0.2, 0.2, 0.1]])).tolist() == [1.5, 1.5, 3]
    assert found.to_dict()["mean_ranks"] == [1, 2, 3]


def test_ranks_and_critical_difference_are_those_of_autorank() -> None:
    """Figures of autorank 1.3 on values that were drawn once."""
    values = np.array([
        [0.697, 0.4, 0.36, 0.106], [0.306, 0.337, 0.228, 0.023], [0.312, 0.45, 0.318, 0.233],
        [0.346, 0.686, 0.386, 0.403], [0.404, 0.267, 0.188, 0.114], [0.724, 0.259, 0.126, 0.173],
        [0.371, 0.389, 0.338, 0.008], [0.655, 0.25, 0.53, 0.186],
    ])  # fmt: skip
    found = rank_differences(["a", "b", "c", "d"], values, 0.05)
    assert list(found.mean_ranks) == [1.875, 1.625, 2.875, 3.625]
    assert found.p_value == pytest.approx(0.006423057576577993)
    assert found.critical == pytest.approx(
        1.6582924452770451, abs=2e-5
    )  # from a table of quantiles
