from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.nncos  # noqa: F401
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import (
    Floats,
    cosine,
    nearest,
    predictions,
    table_of,
    training,
    training_sets,
)
from suites import tries

NAN = float("nan")


def baseline(table: Floats, damping: float) -> Floats:
    """μ + b_u + b_i; NaN for users and items without ratings."""
    rated = table > 0
    mean = table[rated].mean()
    items, users = np.full(table.shape[1], np.nan), np.full(table.shape[0], np.nan)
    for i in np.flatnonzero(rated.any(axis=0)):
        items[i] = (table[rated[:, i], i] - mean).sum() / (damping + rated[:, i].sum())
    for u in np.flatnonzero(rated.any(axis=1)):
        rest = table[u, rated[u]] - mean - items[rated[u]]
        users[u] = rest.sum() / (damping + rated[u].sum())
    return np.asarray(mean + users[:, None] + items)


def shrunk_neighbours(table: Floats, k: int, shrinkage: float) -> list[dict[int, float]]:
    """The k nearest rows of each row by shrunk cosine."""

    def similarity(a: Floats, b: Floats) -> float:
        shared = int(((a > 0) & (b > 0)).sum())
        return cosine(a, b) * (shared / (shared + shrinkage)) if shared else 0.0

    rows = range(len(table))
    return [nearest([similarity(table[u], table[v]) for v in rows], u, k) for u in rows]


@given(training_sets(), st.integers(1, 7), st.sampled_from([100.0, 0.0, 3.0]))
@settings(deadline=None, max_examples=tries(60))
def test_user_based_adds_deviations_of_the_nearest_users(
    train: Ratings, k: int, shrinkage: float
) -> None:
    table = table_of(train)
    expected = baseline(table, 10.0)
    wanted = expected.copy()
    for u, near in enumerate(shrunk_neighbours(table, k, shrinkage)):
        for v, similarity in near.items():
            rated = table[v] > 0
            wanted[u, rated] += similarity * (table[v] - expected[v])[rated]
    found = predictions(f"NNCosNgbr-UB(k={k}, shrinkage={shrinkage})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@given(training_sets(), st.integers(1, 7), st.sampled_from([100.0, 0.0, 3.0]))
@settings(deadline=None, max_examples=tries(60))
def test_item_based_adds_the_users_deviations_at_the_nearest_items(
    train: Ratings, k: int, shrinkage: float
) -> None:
    table = table_of(train)
    expected = baseline(table, 10.0)
    wanted = expected.copy()
    for i, near in enumerate(shrunk_neighbours(table.T, k, shrinkage)):
        for j, similarity in near.items():
            rated = table[:, j] > 0
            wanted[rated, i] += similarity * (table[:, j] - expected[:, j])[rated]
    found = predictions(f"NNCosNgbr-IB(k={k}, shrinkage={shrinkage})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_an_item_that_no_neighbour_rated_gets_its_baseline() -> None:
    train = training([[5, NAN, NAN], [3, 2, NAN], [NAN, NAN, 4]])
    mean = (5 + 3 + 2 + 4) / 4
    item = (4 - mean) / (10 + 1)
    user = (5 - mean - (5 + 3 - 2 * mean) / (10 + 2)) / (10 + 1)
    assert predictions("NNCosNgbr-UB", train)[0, 2] == pytest.approx(mean + item + user)


def all_similarities(table: Floats, shrinkage: float) -> Floats:
    """The shrunk cosine of every pair of rows; 0 of a row with itself."""
    found = np.zeros((len(table), len(table)))
    for one, near in enumerate(shrunk_neighbours(table, len(table), shrinkage)):
        for other, similarity in near.items():
            found[one, other] = similarity
    return found


def deviation(near: list[tuple[float, float]], k: int, normalised: bool) -> float:
    """The sum over the k of the highest similarity, those that come first if equal."""
    best = sorted(near, key=lambda pair: -pair[0])[:k]
    total = sum(similarity * told for similarity, told in best)
    similarities = sum(similarity for similarity, _ in best)
    return total / similarities if normalised and best else total


@given(training_sets(), st.integers(1, 5), st.sampled_from(["all", "rated"]), st.booleans())
@settings(deadline=None, max_examples=tries(60))
def test_user_based_neighbours_of_an_item_are_its_nearest_raters(
    train: Ratings, k: int, among: str, normalised: bool
) -> None:
    table = table_of(train)
    expected = baseline(table, 10.0)
    similarities = all_similarities(table, 3.0)
    near = shrunk_neighbours(table, k, 3.0)
    wanted = expected.copy()
    for u, i in np.ndindex(*table.shape):
        raters = [v for v in range(len(table)) if table[v, i] > 0 and similarities[u, v] > 0]
        chosen = [v for v in raters if among == "rated" or v in near[u]]
        pairs = [(similarities[u, v], table[v, i] - expected[v, i]) for v in chosen]
        wanted[u, i] += deviation(pairs, k, normalised)
    asked = f"among={among}, normalised={str(normalised).lower()}"
    found = predictions(f"NNCosNgbr-UB(k={k}, shrinkage=3.0, {asked})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@given(training_sets(), st.integers(1, 5), st.sampled_from(["all", "rated"]), st.booleans())
@settings(deadline=None, max_examples=tries(60))
def test_item_based_neighbours_of_an_item_are_the_nearest_that_the_user_rated(
    train: Ratings, k: int, among: str, normalised: bool
) -> None:
    table = table_of(train)
    expected = baseline(table, 10.0)
    similarities = all_similarities(table.T, 3.0)
    near = shrunk_neighbours(table.T, k, 3.0)
    wanted = expected.copy()
    for u, i in np.ndindex(*table.shape):
        rated = [j for j in range(table.shape[1]) if table[u, j] > 0 and similarities[i, j] > 0]
        chosen = [j for j in rated if among == "rated" or j in near[i]]
        pairs = [(similarities[i, j], table[u, j] - expected[u, j]) for j in chosen]
        wanted[u, i] += deviation(pairs, k, normalised)
    asked = f"among={among}, normalised={str(normalised).lower()}"
    found = predictions(f"NNCosNgbr-IB(k={k}, shrinkage=3.0, {asked})", train)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_with_all_neighbours_it_does_not_matter_among_whom_they_are() -> None:
    train = training([(0, 0, 5), (0, 1, 3), (1, 0, 4), (1, 2, 2), (2, 1, 1), (2, 2, 5)])
    for name in ("NNCosNgbr-UB", "NNCosNgbr-IB"):
        some, every = (
            predictions(f"{name}(k=50, among={word})", train) for word in ("all", "rated")
        )
        np.testing.assert_allclose(some, every)
