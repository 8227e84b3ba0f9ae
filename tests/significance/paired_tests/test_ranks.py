"""Wilcoxon and sign tests, by hand and against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import Sign, Wilcoxon
from significance_cases import random_samples, row_pair, samples_of


def test_wilcoxon_by_hand() -> None:
    # Ranks of |d| = .1, .2, .3 are 1, 2, 3, all positive: one of 2³ sign patterns, two-sided.
    found = Wilcoxon().compare(samples_of([0.2, 0.4, 0.6], [0.1, 0.2, 0.3]), Seeds())
    assert found.p_values[0, 0] == pytest.approx(2 / 2**3)
    assert found.statistics[0, 0] == 1 + 2 + 3


@pytest.mark.parametrize("users", [12, 45, 200])
def test_wilcoxon_equals_scipy(users: int) -> None:
    first, second = row_pair(random_samples(3, users=users, lift=0.05))
    found = Wilcoxon().compare(samples_of(first.tolist(), second.tolist()), Seeds())
    differences = np.round(first - second, 2)
    apart = differences[differences != 0]
    ties = len(np.unique(np.abs(apart))) < len(apart)
    method = "approx" if ties or len(apart) > 50 else "exact"
    expected = stats.wilcoxon(apart, correction=False, method=method)  # type: ignore[call-overload]
    assert found.p_values[0, 0] == pytest.approx(expected.pvalue, rel=1e-9)


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
