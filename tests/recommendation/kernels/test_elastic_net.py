"""The elastic net of one item: at rest, no weight could be bettered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_item, by_user
from cranfield.recommendation.kernels.elastic_net import (
    Columns,
    Penalty,
    candidates_of,
    products_with,
    regress_item,
    squares,
)
from neighbourhood_cases import table_of, training, training_sets
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))


ways = pytest.mark.parametrize("by_gram", [True, False])


def columns_of(train: Ratings, *, by_gram: bool) -> Columns:
    """The matrix with its inner products, or without them."""
    items, users = by_item(train), by_user(train)
    gram = table_of(train).T @ table_of(train) if by_gram else np.empty((0, 0))
    return Columns(items, users, squares(items), np.ascontiguousarray(gram))


def regressed(
    train: Ratings, item: int, l1: float, l2: float, *, by_gram: bool, candidates: int = 999
) -> np.ndarray:
    penalty = Penalty(l1, l2, 1e-12, 2000, candidates)
    places, values = regress_item(item, columns_of(train, by_gram=by_gram), penalty)
    weights = np.zeros(train.n_items)
    weights[places] = values
    return weights


@ways
@SOME
@given(train=training_sets(), l1=st.sampled_from([0.0, 2.0, 30.0]), l2=st.sampled_from([0.5, 20.0]))
def test_weights_satisfy_the_conditions_of_the_optimum(
    train: Ratings, l1: float, l2: float, by_gram: bool
) -> None:
    """Slope 0 where a weight is above 0, and not below 0 where it is 0 (Karush–Kuhn–Tucker)."""
    a = table_of(train)
    for item in range(train.n_items):
        w = regressed(train, item, l1, l2, by_gram=by_gram)
        slopes = a.T @ (a @ w - a[:, item]) + l2 * w + l1
        assert w[item] == 0
        assert (w >= 0).all()
        others = np.arange(len(w)) != item
        np.testing.assert_allclose(slopes[others & (w > 0)], 0, atol=1e-7)
        assert (slopes[others & (w == 0)] >= -1e-7).all()


@SOME
@given(train=training_sets(), item=st.integers(0, 5))
def test_products_are_a_column_of_the_gram_matrix(train: Ratings, item: int) -> None:
    a, item = table_of(train), min(item, train.n_items - 1)
    out = np.full(train.n_items, 77.0)
    products_with(item, by_item(train), by_user(train), out)
    np.testing.assert_allclose(out, a.T @ a[:, item])
    np.testing.assert_allclose(squares(by_item(train)), (a * a).sum(axis=0))


@ways
def test_one_other_item_has_the_weight_of_a_soft_threshold(by_gram: bool) -> None:
    """a_0 = (4, 2), a_1 = (5, 1): w = (4·5 + 2·1 − λ)/(5² + 1² + β)."""
    train = training([[4, 5], [2, 1]])
    assert regressed(train, 0, 3.0, 10.0, by_gram=by_gram)[1] == pytest.approx((22 - 3) / (26 + 10))
    assert regressed(train, 0, 22.0, 10.0, by_gram=by_gram)[1] == 0


def test_candidates_are_the_largest_products_above_l1_and_the_first_of_equals() -> None:
    products = np.array([9.0, 5.0, 7.0, 5.0, 1.0])
    penalty = Penalty(1.0, 1.0, 1e-9, 9, 2)
    assert candidates_of(0, products.copy(), penalty).tolist() == [1, 2]
    assert candidates_of(2, products.copy(), penalty).tolist() == [0, 1]
    assert candidates_of(0, products.copy(), penalty._replace(candidates=9)).tolist() == [1, 2, 3]


@ways
def test_more_candidates_than_join_at_first_all_get_their_weight(by_gram: bool) -> None:
    """Over 64 items tell part of one item each, which no other does: all must join in turn."""
    size = 200
    table = np.full((size, size + 1), np.nan)
    table[np.arange(size), np.arange(size)] = 2.0
    table[:, size] = 3.0
    train = training(table.tolist())
    weights = regressed(train, size, 1.0, 4.0, by_gram=by_gram, candidates=size)
    np.testing.assert_allclose(weights[:size], (2 * 3 - 1) / (2 * 2 + 4))
