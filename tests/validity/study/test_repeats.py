"""Repeats: variances by hand and of simulated components, and how often intervals hold."""

from __future__ import annotations

from dataclasses import astuple
from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from cranfield.base.errors import TooFew
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import Interval
from cranfield.validity.study.repeats import RepeatedDifference, Repeats, repeated_difference

VARIANCES = (1.0, 0.04, 0.02, 0.25, 0.16)
"""Of users, splits, fits, users × splits, and the rest."""


def simulated(
    rng: np.random.Generator, shape: tuple[int, int, int], variances: tuple[float, ...] = VARIANCES
) -> Floats:
    users, splits, fits = shape
    shapes = [(users, 1, 1), (1, splits, 1), (1, splits, fits), (users, splits, 1), shape]
    parts = [
        rng.normal(0, sqrt(variance), each)
        for variance, each in zip(variances, shapes, strict=True)
    ]
    total: Floats = parts[0] + parts[1] + parts[2] + parts[3] + parts[4]
    return total


def many(shape: tuple[int, int, int], times: int, *variances: float) -> list[RepeatedDifference]:
    rng = np.random.default_rng(5)
    asked = variances or VARIANCES
    return [repeated_difference(simulated(rng, shape, asked)) for _ in range(times)]


def test_one_fit_per_split_is_a_two_way_layout_by_hand() -> None:
    # users 0 and 1 in splits 0 and 1: d = 1, 3 and 5, 11; means 2, 8 | 3, 7 | 5
    found = repeated_difference(np.array([[1.0, 3.0], [5.0, 11.0]])[:, :, None])
    # users: 2·((2−5)² + (8−5)²) = 36; splits: 2·((3−5)² + (7−5)²) = 16; rest: 4·1² = 4
    assert found.difference == 5
    assert found.users_error == pytest.approx(sqrt(36 / 4))
    assert found.error == pytest.approx(sqrt((36 + 16 - 4) / 4))
    assert found.freedom == pytest.approx((36 + 16 - 4) ** 2 / (36**2 + 16**2 + 4**2))
    user, split, fit, both, rest = astuple(found.components)
    assert (user, split, both) == pytest.approx(((36 - 4) / 2, (16 - 4) / 2, 4))
    assert isnan(fit)
    assert isnan(rest)


def test_fits_that_differ_by_nothing_but_the_rest_add_no_error() -> None:
    # users differ by 1, 2, 4, 9; every fit is ±1 from them, so that all fits have one mean
    users = np.array([1.0, 2.0, 4.0, 9.0])
    signs = np.array([[1, -1], [-1, 1], [1, -1], [-1, 1]])
    found = repeated_difference((users[:, None] + signs)[:, None, :].repeat(2, axis=1))
    assert found.components.fit == 0
    assert found.error == pytest.approx(users.std(ddof=1) / sqrt(4))
    assert found.freedom == pytest.approx(4 - 1)


def test_fits_of_a_single_split_take_the_place_of_splits() -> None:
    values = simulated(np.random.default_rng(1), (30, 1, 4))
    found, turned = repeated_difference(values), repeated_difference(values.transpose(0, 2, 1))
    assert (found.difference, found.error) == (turned.difference, turned.error)
    assert found.components.fit == turned.components.split
    assert isnan(found.components.split)


def test_with_users_alone_the_error_is_that_of_the_paired_t_test() -> None:
    users = np.random.default_rng(2).normal(0.1, 1, 25)
    found = repeated_difference(np.tile(users[:, None, None], (1, 3, 2)))
    expected = stats.ttest_1samp(users, 0)
    assert found.p_value == pytest.approx(expected.pvalue)
    ends = expected.confidence_interval()
    assert (found.interval().low, found.interval().high) == pytest.approx((ends.low, ends.high))
    assert (found.components.split, found.components.fit) == pytest.approx((0, 0), abs=1e-12)


def test_the_error_is_that_of_its_variances() -> None:
    # by the formula: users' part by itself, then σ²_split/S + σ²_fit/(S·F)
    found = repeated_difference(simulated(np.random.default_rng(3), (50, 4, 3)))
    user, split, fit, both, rest = astuple(found.components)
    assert found.users_error**2 == pytest.approx((user + both / 4 + rest / 12) / 50)
    assert found.error**2 == pytest.approx(found.users_error**2 + split / 4 + fit / 12)


def test_variances_are_estimated_without_bias() -> None:
    found = np.array([astuple(each.components) for each in many((60, 5, 3), 600)])
    errors = found.std(axis=0) / sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - VARIANCES) < 4 * errors).all()


@pytest.mark.parametrize(
    ("shape", "variances"),
    [
        ((60, 5, 3), VARIANCES),
        ((60, 5, 3), (1.0, 0.3, 0.3, 0.25, 0.16)),
        ((60, 5, 3), (1.0, 0.0, 0.1, 0.25, 0.16)),
        ((60, 5, 1), VARIANCES),
        ((60, 1, 5), (1.0, 0.0, 0.1, 0.0, 0.16)),
        ((60, 2, 2), VARIANCES),
    ],
)
def test_nineteen_of_twenty_intervals_hold_the_difference_of_the_algorithms(
    shape: tuple[int, int, int], variances: tuple[float, ...]
) -> None:
    intervals = [each.interval() for each in many(shape, 800, *variances)]
    held = np.mean([each.low <= 0 <= each.high for each in intervals])
    assert held >= 0.95 - 0.01 - 3 * sqrt(0.05 * 0.95 / 800)


def test_users_alone_would_claim_far_too_often() -> None:
    found = many((60, 5, 3), 300, 1.0, 0.3, 0.3, 0.25, 0.16)
    claims = np.mean([abs(each.difference) > 2 * each.users_error for each in found])
    assert claims > 0.2


def test_no_spread_at_all_is_certain() -> None:
    found = repeated_difference(np.full((4, 2, 2), 0.5))
    assert (found.error, found.p_value, found.freedom) == (0, 0, 3)
    assert repeated_difference(np.zeros((4, 2, 2))).p_value == 1
    assert found.interval() == Interval(0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("shape", "what"), [((1, 5, 3), "2 users; here 1"), ((9, 1, 1), "2 splits or fits; here 1")]
)
def test_too_few_are_refused(shape: tuple[int, int, int], what: str) -> None:
    with pytest.raises(TooFew, match=what):
        repeated_difference(np.zeros(shape))


def repeats(values: Floats) -> Repeats:
    found = repeated_difference(values)
    return Repeats(first="A", second="B", metric="P@5", found=found, alpha=0.05)


def test_the_text_says_over_what_and_for_whom() -> None:
    rng = np.random.default_rng(4)
    difference, error, holds = repeats(3 + simulated(rng, (50, 5, 3))).sentences
    assert difference.startswith("Over 5 random splits of these ratings, with 3 fits each, A − B")
    assert " by P@5 is +" in difference
    assert "between splits and " in error
    assert holds.startswith("It is established for the algorithms")
    assert "is not established" in repeats(simulated(rng, (50, 5, 3))).sentences[-1]


def test_the_text_leaves_out_what_was_not_repeated() -> None:
    rng = np.random.default_rng(4)
    difference, error, _ = repeats(simulated(rng, (50, 5, 1))).sentences
    assert difference.startswith("Over 5 random splits of these ratings, A − B")
    assert "fits" not in error
    difference, error, _ = repeats(simulated(rng, (50, 1, 3))).sentences
    assert difference.startswith("Over 3 fits on this split, A − B")
    assert "splits" not in error
