"""Hitting times near a user, against plain iteration on the graph that a search meets."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_item, by_user
from cranfield.recommendation.kernels.hitting_time import times_nearby
from neighbourhood_cases import Floats, table_of, training, training_sets
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))


def searched(table: Floats, user: int, most: int) -> tuple[set[int], set[int]]:
    """Users and items met breadth first, by code at each node; no item beyond so many."""
    users, items = {user}, set[int]()
    queue = deque([("user", user)])
    while queue:
        kind, code = queue.popleft()
        if kind == "user":
            for item in np.flatnonzero(table[code]).tolist():
                if item not in items and len(items) < most:
                    items.add(item)
                    queue.append(("item", item))
        else:
            for other in np.flatnonzero(table[:, code]).tolist():
                if other not in users:
                    users.add(other)
                    queue.append(("user", other))
    return users, items


def walked(table: Floats, user: int, steps: int, users: set[int], items: set[int]) -> Floats:
    """h_t by its definition on the graph of some users and items; NaN elsewhere."""
    rows, columns = sorted(users), sorted(items)
    part = table[np.ix_(rows, columns)]
    n = len(rows)
    graph = np.block([[np.zeros((n, n)), part], [part.T, np.zeros((len(columns),) * 2)]])
    moves = graph / graph.sum(axis=1, keepdims=True)
    times = np.zeros(len(graph))
    for _ in range(steps):
        times = 1 + moves @ times
        times[rows.index(user)] = 0
    out = np.full(table.shape[1], np.nan)
    out[columns] = times[n:]
    return out


@SOME
@given(train=training_sets(), most=st.integers(1, 7), steps=st.integers(1, 8))
def test_times_are_those_of_the_graph_that_the_search_meets(
    train: Ratings, most: int, steps: int
) -> None:
    table = table_of(train)
    out = np.empty(table.shape)
    rows = np.arange(train.n_users, dtype=np.int32)
    times_nearby(rows, by_user(train), by_item(train), most, steps, out)
    for user in range(train.n_users):
        if table[user].any():
            wanted = walked(table, user, steps, *searched(table, user, most))
            np.testing.assert_allclose(out[user], wanted, rtol=1e-12)
        else:
            assert np.isnan(out[user]).all()


@pytest.mark.parametrize("steps", [1, 2, 3, 10])
def test_a_time_is_between_one_and_the_number_of_steps(steps: int) -> None:
    train = training([[5, 1, np.nan, np.nan], [np.nan, 2, 3, np.nan], [np.nan, np.nan, 1, 4]])
    out = np.empty((3, 4))
    times_nearby(np.arange(3, dtype=np.int32), by_user(train), by_item(train), 99, steps, out)
    assert (out >= 1).all()
    assert (out <= steps + 1e-12).all()
    assert out[0, 0] == 1  # the user is all that rated it
