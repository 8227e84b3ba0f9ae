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
    Cosine,
    cosine_neighbours,
    product_neighbours,
    profiles,
    transposed,
)
from neighbourhood_cases import (
    cosine,
    nearest,
    table_of,
    training,
    training_sets,
    weighted_cosine,
)
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))


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
    chosen = Cosine(least_overlap=least, shrinkage=shrinkage)
    found = as_lists(cosine_neighbours(profiles(train), train.n_items, k, chosen))
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


def crowd(users: int, items: int, share: float) -> Ratings:
    """A share of all pairs, drawn at random, with ratings from 1 to 5."""
    generator = np.random.default_rng(users)
    values = generator.integers(1, 6, (users, items)).astype(float)
    values[generator.random((users, items)) >= share] = np.nan
    return training(values.tolist())


@SOME
@given(
    train=training_sets(users=9),
    alpha=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    exponent=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
def test_cosines_are_weighted_and_asymmetric_as_defined(
    train: Ratings, alpha: float, exponent: float
) -> None:
    table = table_of(train)
    chosen = Cosine(alpha=alpha, length_exponent=exponent)
    found = as_lists(cosine_neighbours(profiles(train), train.n_items, 9, chosen))
    for u in range(len(table)):
        weights = [weighted_cosine(table, u, v, alpha, exponent) for v in range(len(table))]
        assert found[u] == pytest.approx(nearest(weights, u, 9))


def test_a_plain_cosine_is_divided_by_square_roots_to_the_last_bit() -> None:
    train = crowd(40, 15, 0.5)
    table = table_of(train)
    norms = np.sqrt([np.bincount(np.zeros(15, dtype=int), row * row)[0] for row in table])
    for u, near in enumerate(as_lists(cosine_neighbours(profiles(train), 15, 99))):
        for v, found in near.items():
            dot = 0.0
            for product in table[u] * table[v]:
                dot += product
            assert found == dot / (norms[u] * norms[v])


@pytest.mark.parametrize("share", [0.005, 0.02, 0.1, 0.6])
def test_rows_that_share_columns_with_few_or_many_are_found_alike(share: float) -> None:
    """Row by row the kernel lists what is shared, or goes through all: the share decides."""
    train = crowd(400, 60, share)
    table = table_of(train)
    shared = (table > 0).astype(int) @ (table > 0).T.astype(int)
    norms = np.sqrt((table**2).sum(axis=1))
    products = table @ table.T / np.maximum(np.outer(norms, norms), 1e-300)
    for chosen in (Cosine(), Cosine(least_overlap=2, shrinkage=3.0)):
        weights = products * (shared >= chosen.least_overlap)
        weights *= shared / np.maximum(shared + chosen.shrinkage, 1)
        np.fill_diagonal(weights, 0)
        found = as_lists(cosine_neighbours(profiles(train), 60, 7, chosen))
        for u, near in enumerate(found):
            best = -np.sort(-weights[u])[:7]
            assert list(near) == sorted(near)
            assert sorted(near.values(), reverse=True) == pytest.approx(best[best > 0].tolist())


@SOME
@given(train=training_sets(users=9), k=st.integers(1, 9))
def test_the_nearest_by_product_are_divided_by_the_scale_of_the_other(
    train: Ratings, k: int
) -> None:
    table = table_of(train)
    scale = np.arange(1.0, len(table) + 1)
    columns = transposed(profiles(train, 10 * train.values), train.n_items)
    found = as_lists(product_neighbours(profiles(train), columns, scale, k))
    for u in range(len(table)):
        weights = [float(10 * table[u] @ table[v] / scale[v]) for v in range(len(table))]
        wanted = nearest(weights, u, k)
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
