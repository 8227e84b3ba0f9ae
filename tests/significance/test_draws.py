"""What is drawn: fair, one after the other, by key and number alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.seeds import words
from cranfield.significance.draws import (
    all_signs,
    random_signs,
    resample_counts,
    shuffled_systems,
    words_per_draw,
)

keys = st.integers(0, 2**64 - 1)


def test_a_word_holds_the_signs_of_64_users() -> None:
    assert [words_per_draw(users) for users in (1, 64, 65, 128, 129)] == [1, 1, 2, 2, 3]


def test_signs_are_the_bits_of_words_from_the_lowest_up() -> None:
    # draw 3 of 70 users starts at word 3·2 and goes on in the next one
    low, high = words(7, [6, 7]).tolist()
    bits = [low >> place & 1 for place in range(64)] + [high >> place & 1 for place in range(6)]
    assert random_signs(7, range(3, 4), 70)[0].tolist() == [2.0 * bit - 1 for bit in bits]


@settings(deadline=None, max_examples=30)
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


@settings(deadline=None, max_examples=30)
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


@settings(deadline=None, max_examples=30)
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
