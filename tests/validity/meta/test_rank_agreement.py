from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from cranfield.validity.meta.rank_agreement import agreement_matrix, tau_ap, tau_b
from suites import tries

pair_of_orders = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n)] * 2)
)


@settings(deadline=None, max_examples=tries(200))
@given(pair_of_orders)
def test_tau_b_equals_scipy_ties_and_all(orders: tuple[list[int], list[int]]) -> None:
    expected = kendalltau(*orders).statistic
    assert tau_b(*orders) == pytest.approx(expected, nan_ok=True)


@settings(deadline=None, max_examples=tries(50))
@given(st.permutations(range(7)))
def test_identical_orders_agree_fully_and_reversed_ones_not_at_all(order: list[int]) -> None:
    values = np.array(order, dtype=float)
    assert tau_b(values, values) == 1
    assert tau_b(values, -values) == -1
    assert tau_ap(values, values) == 1
    assert tau_ap(values, -values) == -1


@settings(deadline=None, max_examples=tries(50))
@given(st.permutations(range(6)), st.permutations(range(6)))
def test_tau_ap_without_ties_is_the_formula_of_yilmaz(one: list[int], two: list[int]) -> None:
    truth = dict(enumerate(two))
    listed = sorted(range(6), key=lambda system: -one[system])
    shares = [sum(truth[above] > truth[listed[i]] for above in listed[:i]) / i for i in range(1, 6)]
    assert tau_ap(one, two) == pytest.approx(2 / 5 * sum(shares) - 1)


def test_tau_ap_weighs_the_top() -> None:
    truth = [5, 4, 3, 2, 1]
    assert tau_ap([4, 5, 3, 2, 1], truth) < tau_ap([5, 4, 3, 1, 2], truth)
    assert tau_b([4, 5, 3, 2, 1], truth) == tau_b([5, 4, 3, 1, 2], truth)


def test_tied_systems_are_not_above_each_other_in_tau_ap() -> None:
    # two share the first place; the third has both rightly above it: (1 + 1)/2
    assert tau_ap([2, 2, 1], [3, 2, 1]) == 1
    # the pair of the first and the last is tied in truth: (0 + 1)/2
    assert tau_ap([3, 3, 1], [1, 2, 1]) == 1 / 2


def test_orders_without_differences_have_no_agreement() -> None:
    assert np.isnan(tau_b([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau_ap([1, 1, 1], [1, 2, 3]))
    assert np.isnan(tau_b([1, np.nan, 1], [1, 2, 3]))
    assert np.isnan(tau_ap([1, np.nan, 1], [1, 2, 3]))


def test_a_matrix_has_each_order_against_each() -> None:
    values = np.array([[1.0, 2, 3, 4], [1, 2, 4, 3], [4, 3, 2, 1]])
    matrix = agreement_matrix(values)
    assert matrix == pytest.approx(np.array([[1, 2 / 3, -1], [2 / 3, 1, -2 / 3], [-1, -2 / 3, 1]]))
    top = agreement_matrix(values, "tau-ap")
    assert top[0, 1] == tau_ap(values[0], values[1])
    assert top[1, 0] == tau_ap(values[1], values[0])
    turned = agreement_matrix(np.array([[1.0, 2, 3], [2, 3, 1]]), "tau-ap")
    assert turned[0, 1] != turned[1, 0]  # (−1 + (1 − 1)/2)/2 and (1 + (−1 − 1)/2)/2
