from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from cranfield.base.errors import TooFew
from cranfield.base.seeds import Seeds
from cranfield.base.threads import VARIABLE
from cranfield.scoring.scores import Floats
from cranfield.validity.study import joint_test as module
from cranfield.validity.study.joint_test import Hypothesis, JointTest, joint_test
from design_cases import of_sums
from significance_cases import random_signs
from suites import tries

STREAM = np.random.default_rng(5)
SHARED = STREAM.standard_normal((40, 1)) + STREAM.standard_normal((40, 6)) + np.arange(6) / 8


def of_medians(scores: Floats) -> list[Hypothesis | None]:
    """Differences of medians (users × 2 × hypotheses), which are no sums over users."""
    everyone = np.arange(len(scores), dtype=np.int32)
    return [_median(scores[:, :, place], everyone) for place in range(scores.shape[2])]


def _median(pair: Floats, everyone: Any) -> Hypothesis:
    def swapped(signs: Floats) -> Floats:
        first = np.where(signs > 0, pair[:, 0], pair[:, 1])
        second = np.where(signs > 0, pair[:, 1], pair[:, 0])
        return np.asarray(np.median(first, axis=1) - np.median(second, axis=1))

    return Hypothesis(everyone, float(swapped(np.ones((1, len(pair))))[0]), swapped=swapped)


def jointly(contributions: Floats, **others: Any) -> JointTest:
    return joint_test(of_sums(contributions), len(contributions), **others)


def statistics(contributions: Floats) -> Floats:
    return np.asarray(contributions.sum(0) / np.sqrt((contributions**2).sum(0)))


def brute_force(observed: Floats, drawn: Floats) -> list[float]:
    """Romano & Wolf's step-down, one hypothesis after the other, from the largest |t| on."""
    left, adjusted, least = list(range(len(observed))), [np.nan] * len(observed), 0.0
    while left:
        next_one = max(left, key=lambda place: abs(observed[place]))
        maxima = [max(abs(row[place]) for place in left) for row in drawn]
        reached = sum(each >= abs(observed[next_one]) - 1e-9 for each in maxima)
        least = max(least, (reached + 1) / (len(drawn) + 1))
        adjusted[next_one] = least
        left.remove(next_one)
    return adjusted


@pytest.mark.parametrize("cells", [2**23, 1])
def test_it_equals_romano_and_wolf_step_by_step(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CELLS", cells)  # one block for all, or one for each
    found = jointly(SHARED, draws=500, seeds=Seeds(7))
    signs = random_signs(Seeds(7).key("joint test"), range(500), 40)
    drawn = np.array([statistics(row[:, None] * SHARED) for row in signs])
    assert found.statistics == pytest.approx(statistics(SHARED))
    assert found.adjusted.tolist() == brute_force(statistics(SHARED), drawn)
    assert found.p_value == found.adjusted.min()
    highest = np.sort(np.abs(drawn).max(axis=1))
    # the 95 % quantile of 500 maxima: the first of which 95 % of the 499 gaps lie below
    assert found.critical == pytest.approx(highest[int(np.ceil(0.95 * 499))])


@pytest.mark.parametrize("kept", [2**26, 0])
def test_differences_that_are_no_sums_are_standardised_by_their_own_draws(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_KEPT", kept)  # their draws are kept, or drawn again
    scores = np.random.default_rng(2).random((15, 2, 3)) + np.array([0.2, 0.0])[:, None]
    found = joint_test(of_medians(scores), 15, draws=300, seeds=Seeds(3))
    signs = random_signs(Seeds(3).key("joint test"), range(300), 15)
    rows = []
    for row in np.vstack([np.ones(15), signs]):
        turned = np.where(row[:, None, None] > 0, scores, scores[:, ::-1])
        rows.append(np.median(turned[:, 0], axis=0) - np.median(turned[:, 1], axis=0))
    observed, drawn = rows[0], np.array(rows[1:])
    spread = np.sqrt((drawn**2).mean(axis=0))
    assert found.scales == pytest.approx(spread)
    assert found.adjusted.tolist() == brute_force(observed / spread, drawn / spread)


def test_draws_without_a_value_make_nothing_significant() -> None:
    def sometimes(signs: Floats) -> Floats:
        return np.where(signs[:, 0] > 0, signs @ SHARED[:, 5], np.nan)

    everyone = np.arange(40, dtype=np.int32)
    odd = Hypothesis(everyone, float(SHARED[:, 5].sum()), swapped=sometimes)
    found = joint_test([*of_sums(SHARED[:, :1] + 1), odd], 40, draws=400)
    # in half of the draws the difference is undefined, which counts as reached
    assert found.adjusted[1] == pytest.approx(0.5, abs=0.1)
    assert np.isfinite(found.scales).all()


def test_sums_are_the_same_test_by_whichever_way() -> None:
    pair = np.random.default_rng(4).random((20, 2))
    everyone, added = np.arange(20, dtype=np.int32), (pair[:, 0] - pair[:, 1]) / 20
    summed = Hypothesis(everyone, float(added.sum()), added)
    swapped = Hypothesis(everyone, float(added.sum()), swapped=lambda signs: signs @ added)
    one, two = joint_test([summed, None, swapped], 20, draws=4000).statistics[[0, 2]]
    assert one == pytest.approx(two, rel=0.05)  # √Σc² against its estimate from 4,000 draws


def test_ties_count_whatever_the_rounding() -> None:
    # |Σ ±1/3| of three users is 1 (2 of 8 signs) or 1/3: every draw reaches 1/3
    found = jointly(np.array([[0.1], [0.1], [-0.1]]) / 3, draws=200)
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
    found = jointly(contributions, draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=5 * found.error)


def test_users_who_do_not_enter_a_design_add_nothing() -> None:
    some = np.array([1, 4, 7], dtype=np.int32)
    added = np.array([0.3, 0.2, -0.1])
    whole = np.zeros((9, 1))
    whole[some, 0] = added
    found = joint_test([Hypothesis(some, 0.4, added)], 9, draws=300)
    assert found.adjusted.tolist() == jointly(whole, draws=300).adjusted.tolist()


def test_designs_that_cannot_be_tested_are_left_out_and_counted() -> None:
    with_gap = np.column_stack([SHARED[:, :2], np.full(40, np.nan), SHARED[:, 2:]])
    found, without = jointly(with_gap, draws=200), jointly(SHARED, draws=200)
    assert (found.tested, found.left_out) == (6, 1)
    assert np.isnan(found.adjusted[2])
    assert np.delete(found.adjusted, 2).tolist() == without.adjusted.tolist()
    assert found.p_value == without.p_value


def test_a_design_in_which_nobody_differs_is_never_significant() -> None:
    found = jointly(np.column_stack([np.abs(SHARED[:, 0]), np.zeros(40)]), draws=200)
    assert found.statistics[1] == 0
    assert found.adjusted[1] == 1


def test_copies_of_a_design_change_nothing() -> None:
    alone = jointly(SHARED[:, :1], draws=500)
    assert jointly(np.repeat(SHARED[:, :1], 5, axis=1), draws=500).p_value == alone.p_value


def test_one_strong_finding_does_not_hide_a_second() -> None:
    """Step-down: once the first is rejected, the second competes with the others alone."""
    signs = random_signs(Seeds().key("joint test"), range(999), 30)
    noise = np.random.default_rng(9).standard_normal((30, 4))
    noise[:, 0] = 1.0
    noise[:, 1] += 0.55
    found = jointly(noise, draws=999)
    drawn = np.array([np.abs(statistics(row[:, None] * noise)) for row in signs])
    single_step = ((drawn.max(axis=1) >= abs(found.statistics[1])).sum() + 1) / 1000
    assert found.adjusted[0] < found.adjusted[1] < single_step


def test_what_could_have_been_found_is_worked_by_hand() -> None:
    found = jointly(SHARED, draws=200)
    scale = np.sqrt((SHARED**2).sum(0))
    assert found.detectable(0.9) == pytest.approx((found.critical + norm.ppf(0.9)) * scale)


@settings(deadline=None, max_examples=tries(30))
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_adjusted_p_values_follow_the_statistics(seed: int, designs: int) -> None:
    contributions = np.random.default_rng(seed).standard_normal((12, designs))
    found = jointly(contributions, draws=100)
    order = np.argsort(-np.abs(found.statistics))
    assert (np.diff(found.adjusted[order]) >= 0).all()
    assert jointly(-contributions, draws=100).adjusted.tolist() == found.adjusted.tolist()


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(threads: str) -> Any:
        monkeypatch.setenv(VARIABLE, threads)
        found = jointly(SHARED, draws=3000)
        return found.p_value, found.critical, found.adjusted.tolist()

    assert made("1") == made("3")


def test_without_a_difference_the_level_is_held() -> None:
    stream = np.random.default_rng(11)
    rejected = 0
    for _ in range(200):
        noise = stream.standard_normal((25, 1)) + stream.standard_normal((25, 8))
        rejected += jointly(noise, draws=199).p_value <= 0.05
    # 10 are expected; more than 20 would come once in a thousand times
    assert rejected <= 20


def test_nothing_to_test_is_refused() -> None:
    with pytest.raises(TooFew, match="at least 2 users"):
        jointly(np.ones((1, 3)))
    with pytest.raises(TooFew, match="at least 1 designs that can be tested"):
        joint_test([None, None], 5)


@settings(deadline=None, max_examples=tries(25))
@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.7]), min_size=3, max_size=9))
def test_the_same_design_in_other_units_has_the_same_p_value(added: list[float]) -> None:
    # sums that are equal but for rounding are ties in every unit
    one = np.array(added)[:, None]
    found = jointly(np.hstack([one, one * 3, one / 7, -one]), draws=60)
    assert len(set(found.adjusted.tolist())) == 1
    # as integers, sums have no rounding: both signs of the least p are reached as often
    assert found.adjusted[0] == jointly(np.rint(one * 10), draws=60).p_value
