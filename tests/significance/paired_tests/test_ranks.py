"""Wilcoxon and sign tests, by hand and against SciPy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import Sign, Wilcoxon
from significance_cases import random_samples, row_pair, samples_of
from suites import tries


def test_wilcoxon_by_hand() -> None:
    # Ranks of |d| = .1, .2, .3 are 1, 2, 3, all positive: one of 2³ sign patterns, two-sided.
    found = Wilcoxon().compare(samples_of([0.2, 0.4, 0.6], [0.1, 0.2, 0.3]), Seeds())
    assert found.p_values[0, 0] == pytest.approx(2 / 2**3)
    assert found.statistics[0, 0] == 1 + 2 + 3


@pytest.mark.parametrize(("users", "method"), [(6, "exact"), (45, "exact"), (200, "approx")])
def test_wilcoxon_equals_scipy(users: int, method: Any) -> None:
    # without ties for few users, with them for many
    stream = np.random.default_rng(3)
    differences = stream.normal(0.1, 1, users) if users < 50 else stream.integers(-9, 12, users)
    found = Wilcoxon().compare(samples_of(differences.tolist(), [0.0] * users), Seeds())
    apart = differences[differences != 0]
    expected = stats.wilcoxon(apart, correction=False, method=method)
    assert found.p_values[0, 0] == pytest.approx(expected.pvalue, rel=1e-9)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9))
@settings(deadline=None, max_examples=tries(60))
def test_few_users_are_enumerated_ties_and_all(differences: list[int]) -> None:
    found = Wilcoxon().compare(samples_of(differences, [0.0] * len(differences)), Seeds())
    ranks = stats.rankdata([abs(d) for d in differences if d])
    balance = sum(np.sign([d for d in differences if d]) * ranks)
    patterns = [sum(s * ranks) for s in product([1, -1], repeat=len(ranks))] if len(ranks) else [0]
    expected = np.mean([abs(total) >= abs(balance) for total in patterns])
    assert found.p_values[0, 0] == pytest.approx(expected)
    assert found.statistics[0, 0] == balance


def test_five_users_who_agree_are_too_few_to_reject_at_five_per_cent() -> None:
    # all ranks are 3: 2 of 2⁵ assignments are as extreme; by the normal, p = 0.025
    found = Wilcoxon().compare(samples_of([0.1] * 5, [0.0] * 5), Seeds())
    assert found.p_values[0, 0] == 2 / 2**5


def test_exact_and_normal_p_values_meet() -> None:
    ties = np.resize([0.1, 0.2, -0.1, 0.3, 0.1, -0.2, 0.0], 58)  # 50 differences and 8 ties
    more = np.append(ties, 0.1)
    one, two = (
        Wilcoxon().compare(samples_of(row.tolist(), [0.0] * len(row)), Seeds()).p_values[0, 0]
        for row in (ties, more)
    )
    assert np.count_nonzero(ties) == 50
    assert one == pytest.approx(two, rel=0.15)


def test_equal_differences_share_their_rank_though_they_differ_by_rounding() -> None:
    # 0.3 − 0.2 < 0.2 − 0.1 in binary; the ranks of .1, −.1, .2 are 1½, 1½, 3.
    assert 0.3 - 0.2 != 0.2 - 0.1
    found = Wilcoxon().compare(samples_of([0.3, 0.1, 0.2, 0.9], [0.2, 0.2, 0.0, 0.9]), Seeds())
    assert found.statistics[0, 0] == 1.5 - 1.5 + 3


def test_sign_by_hand() -> None:
    # 3 wins, 1 loss, 1 tie: 2·P(X ≤ 1) = 2·(1 + 4)/2⁴
    found = Sign().compare(samples_of([3, 3, 3, 0, 1], [1, 1, 1, 1, 1]), Seeds())
    assert found.p_values[0, 0] == pytest.approx(2 * (1 + 4) / 2**4)
    assert found.statistics[0, 0] == 3 - 1


def test_sign_equals_the_binomial_test() -> None:
    first, second = row_pair(random_samples(4, users=60, lift=0.05))
    found = Sign().compare(samples_of(first.tolist(), second.tolist()), Seeds())
    wins, losses = int((first > second).sum()), int((first < second).sum())
    expected = stats.binomtest(wins, wins + losses).pvalue
    assert found.p_values[0, 0] == pytest.approx(expected, rel=1e-9)


def test_as_many_wins_as_losses_are_no_sign_of_anything() -> None:
    assert Sign().compare(samples_of([1, 0], [0, 1]), Seeds()).p_values[0, 0] == 1


def test_users_who_are_all_equal_give_a_p_value_of_one() -> None:
    found = Sign().compare(samples_of([0.2, 0.4], [0.2, 0.4]), Seeds())
    assert (found.p_values[0, 0], found.statistics[0, 0]) == (1.0, 0.0)
