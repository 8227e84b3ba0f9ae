"""P3alpha and RP3beta against products of dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError, UnsuitableRatings
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.rp3beta import P3alpha, RP3beta
from neighbourhood_cases import Floats, predictions, table_of, training, training_sets
from suites import tries

NAN = float("nan")


def steps(table: Floats, alpha: float) -> Floats:
    """The probability of each step from the rows, to the power of α; 0 where there is none."""
    sums = table.sum(axis=1, keepdims=True)
    shares = np.divide(table, sums, out=np.zeros(table.shape), where=sums > 0)
    return np.asarray(np.where(table > 0, shares**alpha, 0.0))


def walks(table: Floats, alpha: float, beta: float) -> Floats:
    """w of all pairs of different items, over every user between them."""
    reached = steps(table.T, alpha) @ steps(table, alpha)
    degrees = table.sum(axis=0)
    reached /= np.where(degrees > 0, degrees, 1.0) ** beta
    np.fill_diagonal(reached, 0.0)
    return reached


def reference(table: Floats, weights: Floats, alpha: float) -> Floats:
    """Predictions of all users; NaN where nothing leads."""
    sums = steps(table, alpha) @ weights
    return np.where((table > 0).astype(float) @ (weights > 0) > 0, sums, np.nan)


def nearest_of(weights: Floats, k: int) -> Floats:
    """The k largest of each row; of equal ones, the first."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :k]
    kept = np.zeros(weights.shape)
    np.put_along_axis(kept, order, np.take_along_axis(weights, order, axis=1), axis=1)
    return kept


EXPONENTS = st.sampled_from([0.0, 0.4, 1.0, 1.7])


@given(train=training_sets(), alpha=EXPONENTS, beta=EXPONENTS, binarised=st.booleans())
@settings(deadline=None, max_examples=tries(60))
def test_with_all_items_they_are_products_of_three_matrices(
    train: Ratings, alpha: float, beta: float, binarised: bool
) -> None:
    table = table_of(train)
    table = (table > 0).astype(float) if binarised else table
    ends = f"k=99, alpha={alpha}, binarised={str(binarised).lower()}"
    found = predictions(f"RP3beta({ends}, beta={beta})", train)
    wanted = reference(table, walks(table, alpha, beta), alpha)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    found = predictions(f"P3alpha({ends})", train)
    wanted = reference(table, walks(table, alpha, 0.0), alpha)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("k", [1, 3, 20])
def test_each_rated_item_proposes_its_k_likeliest_items(k: int, normalised: bool) -> None:
    generator = np.random.default_rng(k)
    # Ratings are drawn so that no two walks are equally likely.
    table = np.where(generator.random((30, 12)) < 0.4, 1 + generator.random((30, 12)), 0.0)
    train = training(np.where(table > 0, table, np.nan).tolist())
    weights = nearest_of(walks(table, 0.8, 0.3), k)
    if normalised:
        weights /= weights.sum(axis=1, keepdims=True)
    chosen = RP3beta(k=k, alpha=0.8, beta=0.3, normalised=normalised, binarised=False)
    found = chosen.fit(train, Seeds(1)).predict(np.arange(30, dtype=np.int32))
    np.testing.assert_allclose(found, reference(table, weights, 0.8), rtol=1e-10)


def test_three_steps_by_hand() -> None:
    """From u to item 0 or 1, on to one of its users, and to one of that user's items."""
    train = training([[1, 1, NAN], [1, NAN, 1], [NAN, NAN, 1]])
    # u0 goes to item 0 with 1/2, from there to u1 with 1/2, and on to item 2 with 1/2.
    assert predictions("P3alpha", train)[0, 2] == pytest.approx(1 / 2 * 1 / 2 * 1 / 2)
    # Item 2 has two ratings.
    assert predictions("RP3beta(beta=0.7)", train)[0, 2] == pytest.approx(1 / 8 / 2**0.7)
    # Item 0 proposes the items 1 and 2 alike, so that each has half of the sum.
    assert predictions("P3alpha(normalised=true)", train)[0, 2] == pytest.approx(1 / 2 * 1 / 2)


def test_probabilities_of_all_ends_add_up_to_one_with_those_of_return() -> None:
    generator = np.random.default_rng(2)
    table = (generator.random((25, 10)) < 0.5).astype(float)
    table[:, 0] = 1
    train = training(np.where(table > 0, 1.0, np.nan).tolist())
    found = np.nan_to_num(predictions("P3alpha(k=99)", train)).sum(axis=1)
    back = np.diag(steps(table.T, 1.0) @ steps(table, 1.0))
    np.testing.assert_allclose(found + steps(table, 1.0) @ back, 1.0)


def test_without_beta_rp3beta_is_p3alpha() -> None:
    train = training([[5, 3, NAN, 2], [4, NAN, NAN, 3], [2, 4, 1, 5]])
    for more in ("", "alpha=0.5, ", "normalised=true, k=1, "):
        left = predictions(f"RP3beta({more}beta=0)", train)
        np.testing.assert_array_equal(left, predictions(f"P3alpha({more.rstrip(', ')})", train))


def test_beta_holds_back_popular_items() -> None:
    """Item 1 was rated by the user between and by three others, item 2 by no other."""
    rows = [[1, NAN, NAN], [1.0, 1, 1], *[[NAN, 1, NAN]] * 3]
    plain, held = (predictions(f"RP3beta(beta={beta})", training(rows))[0] for beta in (0, 1))
    assert plain[1] == plain[2]
    assert held[1] == pytest.approx(held[2] / 4)


def test_they_are_found_by_the_names_of_the_papers() -> None:
    for text in ("RP3beta", "RP3β", "rp3-beta", "rp3_beta"):
        assert parse("recommender", text) == RP3beta()
    for text in ("P3alpha", "P3α", "p3-alpha"):
        assert parse("recommender", text) == P3alpha()


@pytest.mark.parametrize("name", ["P3alpha", "RP3beta"])
def test_ratings_are_weights_of_steps_only_if_they_are_above_zero(name: str) -> None:
    train = Ratings.from_triples([1, 1, 2], [1, 2, 2], [3.0, -0.5, 2.0])
    with pytest.raises(UnsuitableRatings, match=r"ratings above 0, and the lowest is -0\.5"):
        predictions(f"{name}(binarised=false)", train)
    ones = Ratings.from_triples([1, 1, 2], [1, 2, 2])
    np.testing.assert_array_equal(predictions(name, train), predictions(name, ones))


@pytest.mark.parametrize("text", ["k=0", "alpha=-1", "beta=-0.5"])
def test_parameters_out_of_bounds_are_refused_in_words(text: str) -> None:
    made: Any = f"RP3beta({text})"
    with pytest.raises(CranfieldError, match="of at least"):
        parse("recommender", made)
