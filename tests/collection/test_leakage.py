"""What training and test have in common: the future, cold users and items, pairs."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.base.ids import Ids
from cranfield.collection.leakage import Cold, cold, in_both, joined_pairs, leakage, pair_numbers
from cranfield.collection.ratings import Ratings

USERS, ITEMS = Ids(pl.Series(["a", "b", "c"])), Ids(pl.Series(["w", "x", "y", "z"]))
Row = tuple[int, int, float, int]


def ratings(*rows: Row, times: bool = True) -> Ratings:
    """Ratings of a user, an item, a value and a time each, in the order of pairs."""
    users, items, values, at = zip(*sorted(rows), strict=True) if rows else ((), (), (), ())
    return Ratings(
        USERS, ITEMS, np.array(users, dtype=np.int32), np.array(items, dtype=np.int32),
        np.array(values, dtype=np.float64), np.array(at, dtype=np.int64) if times else None,
    )  # fmt: skip


TRAIN = ratings((0, 0, 4.0, 1), (0, 1, 4.0, 9), (1, 0, 3.0, 5), (1, 1, 3.0, 6))
TEST = ratings((0, 2, 5.0, 8), (0, 3, 5.0, 4), (1, 2, 2.0, 6))


def test_training_after_the_users_own_first_test_rating_leaks() -> None:
    found = leakage(TRAIN, TEST)
    assert found is not None
    # User a is tested from 4 on, b from 6: of four ratings only that of a at 9 comes later.
    assert found.per_user == pytest.approx(1 / 4)
    # Anyone is tested from 4 on: those at 9, 5 and 6 come later.
    assert found.overall == pytest.approx(3 / 4)


def test_users_without_a_test_rating_leak_on_the_common_timeline_alone() -> None:
    found = leakage(ratings((2, 0, 4.0, 99)), TEST)
    assert found is not None
    assert (found.per_user, found.overall) == (0.0, 1.0)


def test_a_timeline_that_is_kept_does_not_leak() -> None:
    found = leakage(ratings((0, 0, 4.0, 1), (1, 0, 4.0, 4)), TEST)
    assert found is not None
    assert (found.per_user, found.overall) == (0.0, 0.0)


def test_nothing_is_known_without_times_or_ratings() -> None:
    assert leakage(ratings((0, 0, 4.0, 1), times=False), TEST) is None
    assert leakage(TRAIN, ratings((0, 2, 4.0, 1), times=False)) is None
    assert leakage(ratings(), TEST) is None
    assert leakage(TRAIN, ratings()) is None


def test_users_and_items_that_training_lacks_are_counted_with_their_ratings() -> None:
    test = ratings((0, 0, 5.0, 1), (2, 0, 5.0, 1), (2, 3, 5.0, 1))
    assert cold(TRAIN, test) == Cold(
        test_users=2, users=1, user_ratings=2, test_items=2, items=1, item_ratings=1
    )


def test_nobody_is_cold_who_is_not_tested() -> None:
    found = cold(TRAIN, ratings((0, 0, 5.0, 1)))
    assert (found.users, found.items, found.user_ratings, found.item_ratings) == (0, 0, 0, 0)


def test_pairs_of_both_parts_are_found() -> None:
    some = ratings((0, 1, 1.0, 0), (1, 3, 1.0, 0), (2, 0, 1.0, 0))
    assert in_both(some, TRAIN).tolist() == [True, False, False]
    assert in_both(TRAIN, some).tolist() == [False, True, False, False]


def test_nothing_is_in_both_parts_where_one_is_empty() -> None:
    assert in_both(TRAIN, ratings()).tolist() == [False] * 4
    assert in_both(ratings(), TRAIN).tolist() == []


def test_joined_ratings_are_those_of_both_in_the_order_of_pairs() -> None:
    joined = joined_pairs(TEST, TRAIN)
    assert len(joined) == len(TEST) + len(TRAIN)
    assert (np.diff(pair_numbers(joined)) > 0).all()
    assert joined.values[in_both(joined, TEST)].tolist() == TEST.values.tolist()
    assert joined.timestamps is None


def test_ratings_joined_with_none_are_the_same() -> None:
    assert joined_pairs(TEST, ratings()) is TEST


def test_a_pair_is_one_number_by_user_then_item() -> None:
    assert pair_numbers(ratings((0, 3, 1.0, 0), (1, 0, 1.0, 0), (2, 1, 1.0, 0))).tolist() == [
        0 * 4 + 3,
        1 * 4 + 0,
        2 * 4 + 1,
    ]
