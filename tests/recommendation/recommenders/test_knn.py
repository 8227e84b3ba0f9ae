from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.knn  # noqa: F401
from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import (
    Floats,
    cosine,
    cosine_neighbours,
    nearest,
    predictions,
    table_of,
    training,
    training_sets,
    weighted_cosine,
)
from suites import tries

NAN = float("nan")
KS = st.integers(1, 7)


@given(training_sets(), KS)
@settings(deadline=None, max_examples=tries(60))
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
@settings(deadline=None, max_examples=tries(60))
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


@given(training_sets(), KS)
@settings(deadline=None, max_examples=tries(60))
def test_normalised_neighbours_predict_the_mean_of_those_who_rated(train: Ratings, k: int) -> None:
    table = table_of(train)
    by_users, by_items = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    for u, near in enumerate(cosine_neighbours(table, k)):
        for i in range(table.shape[1]):
            rated = [v for v in near if table[v, i] > 0]
            if rated:
                weights = [near[v] for v in rated]
                by_users[u, i] = np.average(table[rated, i], weights=weights)
    for i, near in enumerate(cosine_neighbours(table.T, k)):
        for u in range(table.shape[0]):
            rated = [j for j in near if table[u, j] > 0]
            if rated:
                weights = [near[j] for j in rated]
                by_items[u, i] = np.average(table[u, rated], weights=weights)
    asked = f"k={k}, normalised=true"
    np.testing.assert_allclose(predictions(f"user-kNN({asked})", train), by_users, rtol=1e-9)
    np.testing.assert_allclose(predictions(f"item-kNN({asked})", train), by_items, rtol=1e-9)


@given(training_sets(), KS, st.integers(1, 4))
@settings(deadline=None, max_examples=tries(60))
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


def similarities(table: Floats, shrinkage: float, alpha: float, exponent: float) -> Floats:
    """w of all pairs of rows, by the formula."""
    rows = range(len(table))
    shared = (table > 0).astype(int) @ (table > 0).T.astype(int)
    damped = shared / np.maximum(shared + shrinkage, 1e-9)
    plain = [[weighted_cosine(table, a, b, alpha, exponent) for b in rows] for a in rows]
    return np.asarray(np.array(plain) * damped)


def neighbours_of(weights: Floats, k: int, *, inverted: bool) -> list[dict[int, float]]:
    """Each row's neighbours: its own k nearest, or the rows of whose k nearest it is one."""
    rows = range(len(weights))
    if not inverted:
        return [nearest(weights[a].tolist(), a, k) for a in rows]
    chosen = [nearest(weights[:, b].tolist(), b, k) for b in rows]
    return [{b: near[a] for b, near in enumerate(chosen) if a in near} for a in rows]


PARAMETERS = {
    "k": KS,
    "shrinkage": st.sampled_from([0.0, 0.5, 10.0]),
    "alpha": st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    "exponent": st.sampled_from([0.0, 0.5, 1.0]),
    "inverted": st.booleans(),
}


def spelled(k: int, shrinkage: float, alpha: float, exponent: float, inverted: bool) -> str:
    return (
        f"(k={k}, shrinkage={shrinkage}, alpha={alpha}, length_exponent={exponent}, "
        f"inverted={str(inverted).lower()})"
    )


def refuse_ties(weights: Floats) -> None:
    """Leave out cases in which the last bit decides who is nearer."""
    for row in (*weights, *weights.T):
        gaps = np.diff(np.sort(row[row > 0]))
        assume(not ((gaps < 1e-9) & (gaps > 0)).any())


@given(train=training_sets(), **PARAMETERS)
@settings(deadline=None, max_examples=tries(60))
def test_user_knn_is_as_its_formula_says(
    train: Ratings, k: int, shrinkage: float, alpha: float, exponent: float, inverted: bool
) -> None:
    table = table_of(train)
    weights = similarities(table, shrinkage, alpha, exponent)
    refuse_ties(weights)
    wanted = np.full(table.shape, np.nan)
    for u, near in enumerate(neighbours_of(weights, k, inverted=inverted)):
        for i in range(table.shape[1]):
            rated = [v for v in near if table[v, i] > 0]
            if rated:
                wanted[u, i] = sum(near[v] * table[v, i] for v in rated)
    found = predictions("user-kNN" + spelled(k, shrinkage, alpha, exponent, inverted), train)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


@given(train=training_sets(), **PARAMETERS)
@settings(deadline=None, max_examples=tries(60))
def test_item_knn_is_as_its_formula_says(
    train: Ratings, k: int, shrinkage: float, alpha: float, exponent: float, inverted: bool
) -> None:
    table = table_of(train)
    weights = similarities(table.T, shrinkage, alpha, exponent)
    refuse_ties(weights)
    wanted = np.full(table.shape, np.nan)
    for i, near in enumerate(neighbours_of(weights, k, inverted=inverted)):
        for u in range(table.shape[0]):
            rated = [j for j in near if table[u, j] > 0]
            if rated:
                wanted[u, i] = sum(near[j] * table[u, j] for j in rated)
    found = predictions("item-kNN" + spelled(k, shrinkage, alpha, exponent, inverted), train)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


def test_shrinkage_asks_for_many_shared_ratings() -> None:
    train = training([[5, 5, 5, NAN, NAN], [5, 5, 5, 4, NAN], [5, NAN, NAN, NAN, 4]])
    found = predictions("user-kNN(shrinkage=3)", train)[0]
    # 3 of 3 and 4 ratings are shared with the second user, 1 of 3 and 2 with the third.
    second, third = 75 / (75 * 91) ** 0.5 * 3 / 6, 25 / (75 * 41) ** 0.5 * 1 / 4
    assert found[3:] == pytest.approx([4 * second, 4 * third])


def test_users_of_many_ratings_count_less_in_the_cosine_of_items() -> None:
    train = training([[1, 1, NAN, NAN], [1, NAN, 1, 1]])
    found = predictions("item-kNN(length_exponent=1, k=9)", train)
    # Users count 1/2 and 1/3: |i|² is 5/6 for the first item, 1/2 for the second.
    assert found[1, 1] == pytest.approx((1 / 2) / ((5 / 6) * (1 / 2)) ** 0.5)
    assert found[0, 2] == pytest.approx((1 / 3) / ((5 / 6) * (1 / 3)) ** 0.5)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_alpha_is_the_share_of_the_target_in_the_norm(alpha: float) -> None:
    train = training([[1, 1], [1, NAN], [1, NAN], [1, NAN]])
    for inverted in ("true", "false"):
        found = predictions(f"item-kNN(alpha={alpha}, inverted={inverted})", train)
        assert found[1, 1] == pytest.approx(1 / (1**alpha * 4 ** (1 - alpha)))
        assert found[0, 0] == pytest.approx(1 / (4**alpha * 1 ** (1 - alpha)))


def test_inverted_each_rated_item_proposes_its_nearest() -> None:
    """The nearest item of the last is the third, whose own nearest is another."""
    train = training([[1, 1, NAN, NAN], [1, 1, 1, 1], [1, 1, 1, NAN], [NAN, NAN, NAN, 1]])
    plain, inverted = (
        predictions(f"item-kNN(k=1, inverted={each})", train)[3] for each in ("false", "true")
    )
    assert np.flatnonzero(~np.isnan(plain)).tolist() == []
    assert np.flatnonzero(~np.isnan(inverted)).tolist() == [2]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("alpha=1.5", "1.5 is not a number from 0 to 1"),
        ("alpha=-0.1", "-0.1 is not a number from 0 to 1"),
        ("shrinkage=-1", "-1 is not a number of at least 0"),
        ("length_exponent=-1", "-1 is not a number of at least 0"),
    ],
)
def test_parameters_out_of_bounds_are_refused_in_words(text: str, problem: str) -> None:
    for name in ("user-kNN", "item-kNN"):
        with pytest.raises(CranfieldError, match=problem):
            parse("recommender", f"{name}({text})")


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
