from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.knn  # noqa: F401
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import (
    cosine,
    cosine_neighbours,
    nearest,
    predictions,
    table_of,
    training,
    training_sets,
)

NAN = float("nan")
KS = st.integers(1, 7)


@given(training_sets(), KS)
@settings(deadline=None, max_examples=60)
def test_user_knn_sums_similarity_times_rating_over_the_nearest_users(
    train: Ratings, k: int
) -> None:
    table = table_of(train)
    wanted = np.full(table.shape, np.nan)
    for u, near in enumerate(cosine_neighbours(table, k)):
        for i in range(table.shape[1]):
            rated = [v for v in near if table[v, i] > 0]
            if rated:
                wanted[u, i] = sum(near[v] * table[v, i] for v in rated)
    np.testing.assert_allclose(predictions(f"user-kNN(k={k})", train), wanted, rtol=1e-12)


@given(training_sets(), KS)
@settings(deadline=None, max_examples=60)
def test_item_knn_sums_similarity_times_rating_over_the_nearest_items(
    train: Ratings, k: int
) -> None:
    table = table_of(train)
    wanted = np.full(table.shape, np.nan)
    for i, near in enumerate(cosine_neighbours(table.T, k)):
        for u in range(table.shape[0]):
            rated = [j for j in near if table[u, j] > 0]
            if rated:
                wanted[u, i] = sum(near[j] * table[u, j] for j in rated)
    np.testing.assert_allclose(predictions(f"item-kNN(k={k})", train), wanted, rtol=1e-12)


@given(training_sets(), KS, st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_neighbours_share_the_least_overlap(train: Ratings, k: int, overlap: int) -> None:
    table = table_of(train)
    wanted = np.full(table.shape, np.nan)
    for u in range(len(table)):
        shared = [int(((table[u] > 0) & (table[v] > 0)).sum()) for v in range(len(table))]
        weights = [
            cosine(table[u], table[v]) if shared[v] >= overlap else 0.0 for v in range(len(table))
        ]
        near = nearest(weights, u, k)
        for i in range(table.shape[1]):
            rated = [v for v in near if table[v, i] > 0]
            if rated:
                wanted[u, i] = sum(near[v] * table[v, i] for v in rated)
    found = predictions(f"user-kNN(k={k}, min_overlap={overlap})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_binarised_ratings_count_one() -> None:
    train = training([[5, 1, NAN], [2, NAN, 4]])
    # Binarised, the rows are (1, 1, 0) and (1, 0, 1): their cosine is 1/2.
    assert predictions("user-kNN(binarised=true)", train)[0] == pytest.approx(
        [1 / 2, NAN, 1 / 2], nan_ok=True
    )


def test_ratings_below_the_threshold_do_not_count() -> None:
    train = training([[5, 1, 4], [4, 5, NAN], [NAN, 4, 4]])
    found = predictions("user-kNN(threshold=4)", train)[0]
    # What counts is (5, 0, 4), (4, 5, 0) and (0, 4, 4).
    first, second = 20 / (41 * 41) ** 0.5, 16 / (41 * 32) ** 0.5
    assert found == pytest.approx([4 * first, 5 * first + 4 * second, 4 * second])


def test_similarities_are_raised_to_the_exponent() -> None:
    train = training([[5, 1, NAN], [2, NAN, 4]])
    similarity = 10 / (26 * 20) ** 0.5
    found = predictions("user-kNN(exponent=3)", train)[0]
    assert found == pytest.approx([2 * similarity**3, NAN, 4 * similarity**3], nan_ok=True)


def test_equally_similar_users_are_taken_by_lowest_code() -> None:
    train = training([[3, NAN, NAN, NAN], [3, 5, NAN, NAN], [3, NAN, 5, NAN], [3, NAN, NAN, 5]])
    assert np.flatnonzero(~np.isnan(predictions("user-kNN(k=2)", train)[0])).tolist() == [0, 1, 2]


def test_users_of_opposite_taste_are_no_neighbours() -> None:
    train = training([[4, NAN], [-4, 3]])
    assert np.isnan(predictions("user-kNN", train)).all()
