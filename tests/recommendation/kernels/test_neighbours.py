"""The nearest rows and sums over them, against sorting everything."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.neighbours import sum_rows
from cranfield.recommendation.recommenders.neighbours import (
    cosine_neighbours,
    profiles,
    transposed,
)
from neighbourhood_cases import cosine, nearest, table_of, training, training_sets

SOME = settings(deadline=None, max_examples=20)


def as_lists(rows) -> list[dict[int, float]]:  # type: ignore[no-untyped-def]
    offsets, codes, weights = rows
    return [
        dict(zip(codes[a:b].tolist(), weights[a:b].tolist(), strict=True))
        for a, b in pairwise(offsets)
    ]


@SOME
@given(
    train=training_sets(users=9),
    k=st.integers(1, 9),
    least=st.integers(1, 3),
    shrinkage=st.sampled_from([0.0, 5.0]),
)
def test_neighbours_are_the_first_of_all_sorted_by_shrunk_cosine(
    train: Ratings, k: int, least: int, shrinkage: float
) -> None:
    table = table_of(train)
    shared = (table > 0).astype(int) @ (table > 0).T.astype(int)
    rows = range(len(table))
    found = as_lists(
        cosine_neighbours(
            profiles(train), train.n_items, k, least_overlap=least, shrinkage=shrinkage
        )
    )
    for u in rows:
        weights = [
            round(cosine(table[u], table[v]) * n / (n + shrinkage), 12) if n >= least else 0.0
            for v, n in zip(rows, shared[u], strict=True)
        ]
        wanted = nearest(weights, u, k)
        assert len(found[u]) == len(wanted)
        assert list(found[u]) == sorted(found[u])
        # equal ones may be told apart by the last bit, so weights are compared
        assert sorted(found[u].values()) == pytest.approx(sorted(wanted.values()))


@pytest.mark.parametrize("k", [1, 2, 3, 50, 99, 100, 150])
def test_of_many_equally_near_rows_the_first_are_taken(k: int) -> None:
    """A hundred users who rated alike: each has the k lowest codes beside the own."""
    train = training([[5.0, 3.0]] * 100)
    found = as_lists(cosine_neighbours(profiles(train), 2, k))
    for user, near in enumerate(found):
        assert list(near) == [code for code in range(101) if code != user][: min(k, 99)]
        assert list(near.values()) == pytest.approx([1.0] * min(k, 99))


@pytest.mark.parametrize("k", [1, 3, 10])
def test_the_nearest_are_found_whether_they_come_first_or_last(k: int) -> None:
    """User 0 against 60 users ever nearer, or ever further away."""
    angles = np.linspace(0.1, 1.4, 60)
    for order in (angles, angles[::-1]):
        rows = [[1.0, 0.001], *[[float(np.cos(a)), float(np.sin(a))] for a in order]]
        found = as_lists(cosine_neighbours(profiles(training(rows)), 2, k))[0]
        wanted = 1 + np.argsort(order, kind="stable")[:k]
        assert sorted(found) == sorted(wanted.tolist())


def test_opposite_and_zero_ratings_make_no_neighbours() -> None:
    train = training([[5.0, -5.0], [-5.0, 5.0], [0.0, 0.0], [4.0, -1.0]])
    assert [list(near) for near in as_lists(cosine_neighbours(profiles(train), 2, 9))] == [
        [3],
        [],
        [],
        [0],
    ]


@SOME
@given(train=training_sets(), data=st.data())
def test_sums_over_rows_are_products_of_matrices(train: Ratings, data: st.DataObject) -> None:
    table = table_of(train)
    users = data.draw(st.lists(st.integers(0, train.n_users - 1), max_size=5))
    other = transposed(profiles(train), train.n_items)
    out = np.empty((len(users), train.n_users))
    sum_rows(np.array(users, dtype=np.int32), profiles(train), other, out)
    wanted = (table @ table.T)[users] if users else np.empty((0, train.n_users))
    reached = ((table > 0).astype(int) @ (table > 0).T)[users] > 0
    np.testing.assert_allclose(out, np.where(reached, wanted, np.nan))
