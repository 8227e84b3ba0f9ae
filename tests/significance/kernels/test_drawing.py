"""Draws: compiled ones equal their definitions, fair, by key and number alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.seeds import words
from cranfield.significance.kernels.drawing import add_shuffled, fill_counts, fill_signs
from cranfield.significance.paired_tests.permutation import all_signs
from significance_cases import random_signs, resample_counts, shuffled_systems
from suites import tries

KEY = 2**63 + 12345
keys = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("users", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("first", [0, 7])
def test_signs_equal_their_definition(users: int, first: int) -> None:
    out = np.empty((5, users))
    fill_signs(np.uint64(KEY), first, out)
    np.testing.assert_array_equal(out, random_signs(KEY, range(first, first + 5), users))


@pytest.mark.parametrize("users", [1, 2, 150])
def test_counts_equal_their_definition(users: int) -> None:
    out = np.empty((4, users))
    fill_counts(np.uint64(KEY), 3, out)
    np.testing.assert_array_equal(out, resample_counts(KEY, range(3, 7), users))
    assert (out.sum(axis=1) == users).all()


@pytest.mark.parametrize("systems", [2, 3, 21])
def test_sums_of_shuffled_scores_equal_their_definition(systems: int) -> None:
    scores = np.random.default_rng(1).integers(0, 100, (11, systems, 4)).astype(float)
    sums = np.zeros((3, systems, 4))
    add_shuffled(np.uint64(KEY), 5, scores, sums)
    for draw, found in enumerate(sums, start=5):
        places = shuffled_systems(KEY, draw, *scores.shape[:2])
        expected = np.take_along_axis(scores, places[:, :, None], axis=1).sum(axis=0)
        np.testing.assert_array_equal(found, expected)


def test_signs_are_fair_and_unrelated() -> None:
    signs = random_signs(KEY, range(20_000), 130)
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(20_000)
    related = np.corrcoef(signs[:, [0, 1, 63, 64, 129]].T) - np.eye(5)
    assert np.abs(related).max() < 5 / np.sqrt(20_000)


def test_all_signs_are_all_different() -> None:
    signs = all_signs(5)
    assert len({tuple(row) for row in signs.tolist()}) == 2**4
    assert (signs[:, 0] == 1).all()


def test_signs_are_the_bits_of_words_from_the_lowest_up() -> None:
    # draw 3 of 70 users starts at word 3·2 and goes on in the next one
    low, high = words(7, [6, 7]).tolist()
    bits = [low >> place & 1 for place in range(64)] + [high >> place & 1 for place in range(6)]
    assert random_signs(7, range(3, 4), 70)[0].tolist() == [2.0 * bit - 1 for bit in bits]


@settings(deadline=None, max_examples=tries(30))
@given(keys, st.integers(1, 130), st.integers(0, 50), st.integers(0, 5), st.integers(0, 5))
def test_a_block_of_draws_is_its_parts_one_after_the_other(
    key: int, users: int, start: int, one: int, two: int
) -> None:
    middle, end = start + one, start + one + two
    for draw in (random_signs, resample_counts):
        if one and two:
            whole = draw(key, range(start, end), users)
            parts = draw(key, range(start, middle), users), draw(key, range(middle, end), users)
            assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.parametrize("users", [1, 2, 3, 6])
def test_all_signs_and_their_mirrors_are_every_assignment_once(users: int) -> None:
    half = all_signs(users)
    every = Counter(tuple(row) for row in np.concatenate([half, -half]).tolist())
    assert len(every) == 2**users
    assert set(every.values()) == {1}


@settings(deadline=None, max_examples=tries(30))
@given(keys, st.integers(1, 40))
def test_every_draw_of_users_is_as_large_as_the_sample(key: int, users: int) -> None:
    counts = resample_counts(key, range(3), users)
    assert counts.shape == (3, users)
    assert counts.sum(axis=1).tolist() == [users] * 3


def test_every_user_is_drawn_as_often_as_any_other() -> None:
    drawn = resample_counts(11, range(2000), 7).sum(axis=0)
    assert stats.chisquare(drawn).pvalue > 1e-4
    # the number of times that a user is drawn is binomial with variance n·1/n·(1 − 1/n)
    assert resample_counts(11, range(2000), 7).var() == pytest.approx(1 - 1 / 7, abs=0.05)


@settings(deadline=None, max_examples=tries(30))
@given(keys, st.integers(0, 9), st.integers(1, 5), st.integers(2, 6))
def test_a_shuffle_gives_each_system_one_score_of_each_user(
    key: int, draw: int, users: int, systems: int
) -> None:
    places = shuffled_systems(key, draw, users, systems)
    assert np.sort(places, axis=1).tolist() == [list(range(systems))] * users


def test_every_order_of_systems_is_as_likely() -> None:
    orders = Counter(map(tuple, shuffled_systems(5, 0, 3000, 3).tolist()))
    assert len(orders) == 6
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4
