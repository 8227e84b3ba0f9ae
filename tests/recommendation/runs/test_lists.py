from __future__ import annotations

from functools import cmp_to_key
from math import isnan

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.lists import (
    Entries,
    falling_keys,
    in_lists,
    in_training,
    order_rows,
    repetitions,
    tied_positions,
)
from suites import tries

predictions = st.one_of(
    st.just(float("nan")),
    st.sampled_from([0.0, -0.0, 1.0, 1 + 2**-52, 1 + 2**-20, -1.0, 5e-324, 1e308, -1e308]),
    st.floats(allow_nan=False, allow_infinity=False),
)
Row = tuple[int, float, int]
rows = st.lists(st.tuples(st.integers(0, 3), predictions, st.integers(0, 4)), max_size=60)


def before(left: Row, right: Row) -> int:
    """The plain meaning of the order: user, falling prediction, none last, place."""
    if left[0] != right[0]:
        return left[0] - right[0]
    if isnan(left[1]) or isnan(right[1]):
        if isnan(left[1]) != isnan(right[1]):
            return 1 if isnan(left[1]) else -1
    elif left[1] != right[1]:
        return -1 if left[1] > right[1] else 1
    return left[2] - right[2]


def entries(table: list[Row], items: list[int] | None = None) -> Entries:
    users = np.array([row[0] for row in table], np.int32)
    found = np.array([row[1] for row in table], np.float64)
    places = np.array([row[2] for row in table], np.int64)
    codes = np.array(items if items is not None else range(len(table)), np.int32)
    return Entries(users, codes, found, places, np.arange(len(table)))


@settings(deadline=None, max_examples=tries(300))
@given(rows)
def test_rows_come_in_the_order_that_comparing_them_gives(table: list[Row]) -> None:
    given_rows = entries(table)
    order = order_rows(given_rows.users, given_rows.predictions, given_rows.places)
    in_order = cmp_to_key(before)
    expected = sorted(range(len(table)), key=lambda at: in_order(table[at]))
    assert (list(range(len(table))) if order is None else order.tolist()) == expected


@settings(deadline=None, max_examples=tries(50))
@given(rows, st.integers(2**20, 2**24))
def test_users_of_high_number_come_in_the_same_order(table: list[Row], shift: int) -> None:
    shifted = [(user + shift, found, place) for user, found, place in table if user < 2]
    low = entries([row for row in table if row[0] < 2])
    high = entries(shifted)
    one = order_rows(low.users, low.predictions, low.places)
    other = order_rows(high.users, high.predictions, high.places)
    assert (one is None and other is None) or np.array_equal(np.asarray(one), np.asarray(other))


def test_predictions_that_differ_in_the_last_bit_only_are_told_apart() -> None:
    close = [1.0, 1.0 + 2**-52]
    assert falling_keys(np.array(close)).argsort().tolist() == [1, 0]
    assert order_rows(np.zeros(2, np.int32), np.array(close), np.zeros(2, np.int64)) is not None


@settings(deadline=None, max_examples=tries(100))
@given(rows)
def test_tied_positions_have_a_neighbour_of_the_same_prediction(table: list[Row]) -> None:
    lists = in_lists(entries(table))
    found, users = lists.entries.predictions, lists.entries.users
    for at, tied in enumerate(tied_positions(lists)):
        others = [k for k in (at - 1, at + 1) if 0 <= k < len(found) and users[k] == users[at]]
        assert tied == any(found[k] == found[at] for k in others)


@settings(deadline=None, max_examples=tries(100))
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=30))
def test_repetitions_are_all_but_the_best_placed(pairs: list[tuple[int, int]]) -> None:
    table = [(user, float(-at), 0) for at, (user, _) in enumerate(pairs)]
    lists = in_lists(entries(table, [item for _, item in pairs]))
    seen: set[tuple[int, int]] = set()
    expected = []
    for at, pair in enumerate(zip(lists.entries.users, lists.entries.items, strict=True)):
        expected += [at] if pair in seen else []
        seen.add(pair)
    assert repetitions(lists).tolist() == expected


def test_only_the_users_own_training_items_count_and_strangers_never_do() -> None:
    train = Ratings.from_triples([0, 1], [0, 1])
    users, items = np.array([0, 0, 1, 1], np.int32), np.array([0, 1, 1, -1], np.int32)
    assert in_training(users, items, train).tolist() == [True, False, True, False]
