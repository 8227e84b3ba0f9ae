from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from cranfield.base.errors import TooFew
from cranfield.base.seeds import Seeds
from cranfield.base.threads import VARIABLE
from cranfield.scoring.scores import Floats
from cranfield.validity.study.joint_test import joint_test
from significance_cases import random_signs

STREAM = np.random.default_rng(5)
SHARED = STREAM.standard_normal((40, 1)) + STREAM.standard_normal((40, 6)) + np.arange(6) / 8


def statistics(contributions: Floats) -> Floats:
    return np.asarray(contributions.sum(0) / np.sqrt((contributions**2).sum(0)))


def test_it_equals_its_definition_draw_by_draw() -> None:
    draws = 500
    found = joint_test(SHARED, draws=draws, seeds=Seeds(7))
    signs = random_signs(Seeds(7).key("joint test"), range(draws), 40)
    drawn = np.array([np.abs(statistics(row[:, None] * SHARED)).max() for row in signs])
    observed = np.abs(statistics(SHARED))
    assert found.statistics == pytest.approx(statistics(SHARED))
    assert found.p_value == ((drawn >= observed.max() - 1e-9).sum() + 1) / (draws + 1)
    for design in range(6):
        reached = (drawn >= observed[design] - 1e-9).sum()
        assert found.adjusted[design] == (reached + 1) / (draws + 1)


def test_the_curve_equals_its_definition_draw_by_draw() -> None:
    draws, sides = 300, []
    found = joint_test(SHARED, draws=draws, seeds=Seeds(7))
    signs = random_signs(Seeds(7).key("joint test"), range(draws), 40)
    for row in [np.ones(40), *signs]:
        flipped = row[:, None] * SHARED
        effects = statistics(flipped) / np.sqrt(40)
        tested = ttest_1samp(flipped, 0)
        sure = tested.pvalue < 0.05
        share = max(np.mean(sure & (tested.statistic > 0)), np.mean(sure & (tested.statistic < 0)))
        sides.append((np.median(effects), share))
    medians, shares = np.array(sides).T
    assert found.median_effect == pytest.approx(medians[0])
    assert found.share_significant == pytest.approx(shares[0])
    reached = (np.abs(medians[1:]) >= abs(medians[0]) - 1e-9).sum()
    assert found.median_effect_p == (reached + 1) / (draws + 1)
    assert found.share_significant_p == ((shares[1:] >= shares[0]).sum() + 1) / (draws + 1)


def test_ties_count_whatever_the_rounding() -> None:
    # |Σ ±1/3| of three users is 1 (2 of 8 signs) or 1/3: every draw reaches 1/3
    contributions = np.array([[0.1], [0.1], [-0.1]]) / 3
    found = joint_test(contributions, draws=200)
    assert found.p_value == 1
    assert found.adjusted.tolist() == [1]


def test_the_exact_share_is_approached() -> None:
    contributions = np.array([[1.0, 0.4], [0.8, -0.3], [0.9, 0.6], [0.7, 0.5], [-0.2, 0.9]])
    observed = np.abs(statistics(contributions)).max()
    every = [
        np.abs(statistics(np.array(signs)[:, None] * contributions)).max()
        for signs in product([1, -1], repeat=5)
    ]
    exact = np.mean(np.array(every) >= observed - 1e-9)
    found = joint_test(contributions, draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=5 * found.error)


def test_designs_that_are_no_sums_are_left_out_and_counted() -> None:
    with_gap = np.column_stack([SHARED[:, :2], np.full(40, np.nan), SHARED[:, 2:]])
    found, without = joint_test(with_gap, draws=200), joint_test(SHARED, draws=200)
    assert (found.designs, found.left_out) == (6, 1)
    assert np.isnan(found.adjusted[2])
    assert np.delete(found.adjusted, 2).tolist() == without.adjusted.tolist()
    assert found.p_value == without.p_value


def test_a_design_in_which_nobody_differs_is_never_significant() -> None:
    found = joint_test(np.column_stack([np.abs(SHARED[:, 0]), np.zeros(40)]), draws=200)
    assert found.statistics[1] == 0
    assert found.adjusted[1] == 1
    assert found.share_significant == 0.5


def test_one_user_alone_shows_nothing() -> None:
    contributions = np.zeros((5, 2))
    contributions[0] = 1
    assert joint_test(contributions, draws=100).share_significant == 0


def test_copies_of_a_design_change_nothing() -> None:
    copied = np.repeat(SHARED[:, :1], 5, axis=1)
    alone = joint_test(SHARED[:, :1], draws=500)
    assert joint_test(copied, draws=500).p_value == alone.p_value


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_adjusted_p_values_follow_the_statistics(seed: int, designs: int) -> None:
    contributions = np.random.default_rng(seed).standard_normal((12, designs))
    found = joint_test(contributions, draws=100)
    order = np.argsort(-np.abs(found.statistics))
    assert (np.diff(found.adjusted[order]) >= 0).all()
    assert found.adjusted.min() == found.p_value
    flipped = joint_test(-contributions, draws=100)
    assert flipped.adjusted.tolist() == found.adjusted.tolist()


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(threads: str) -> Any:
        monkeypatch.setenv(VARIABLE, threads)
        found = joint_test(SHARED, draws=3000)
        return found.p_value, found.median_effect_p, found.adjusted.tolist()

    assert made("1") == made("3")


def test_without_a_difference_the_level_is_held() -> None:
    stream = np.random.default_rng(11)
    rejected = 0
    for _ in range(200):
        noise = stream.standard_normal((25, 1)) + stream.standard_normal((25, 8))
        rejected += joint_test(noise, draws=199).p_value <= 0.05
    # 10 are expected; more than 20 would come once in a thousand times
    assert rejected <= 20


def test_nothing_to_test_is_refused() -> None:
    with pytest.raises(TooFew, match="users"):
        joint_test(np.ones((1, 3)))
    with pytest.raises(TooFew, match="sum over users"):
        joint_test(np.full((5, 2), np.nan))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.7]), min_size=3, max_size=9))
def test_the_same_design_in_other_units_has_the_same_p_value(added: list[float]) -> None:
    # sums that are equal but for rounding are ties in every unit
    one = np.array(added)[:, None]
    found = joint_test(np.hstack([one, one * 3, one / 7, -one]), draws=60)
    assert len(set(found.adjusted.tolist())) == 1
    assert found.adjusted[0] == found.p_value
    # as integers, sums have no rounding: both signs of the least p are reached as often
    assert found.adjusted[0] == joint_test(np.rint(one * 10), draws=60).p_value
