"""Models of matrices and pairs, asked for several users at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import descending, named, places, takes
from cranfield.recommendation.foreign.matrices import (
    Factors,
    Pairs,
    Recommend,
    as_matrix,
    matrix_of,
    plain,
)

TRAIN = Ratings.from_triples(["x", "x", "y"], ["a", "b", "b"], [5.0, -2.0, 0.0], [1, 2, 3])
BOTH = np.array([0, 1], np.int32)


def test_ratings_of_unknown_users_or_items_are_not_in_the_matrix() -> None:
    users, items = np.array([0, -1, 1], np.int32), np.array([1, 0, -1], np.int32)
    found = as_matrix(users, items, np.array([4.0, 9.0, 9.0]), (2, 3))
    np.testing.assert_array_equal(found.toarray(), [[0, 4, 0], [0, 0, 0]])
    assert scipy.sparse.isspmatrix_csr(found)


def test_a_regressor_is_fitted_to_pairs_and_asked_for_all_items_of_all_users_at_once() -> None:
    class Table:
        calls = 0

        def fit(self, X: np.ndarray, y: np.ndarray) -> None:
            self.seen = dict(zip(map(tuple, X.tolist()), y.tolist(), strict=True))

        def predict(self, X: np.ndarray) -> list[float]:
            self.calls += 1
            return [self.seen.get(tuple(pair), 100.0 + pair[0]) for pair in X.tolist()]

    form = Pairs()
    model = form.fit(Table(), TRAIN, 1)
    rows = form.rows(model, TRAIN, matrix_of(TRAIN))(np.array([1, 0], np.int32))
    np.testing.assert_array_equal(rows, [[101, 0], [5, -2]])
    assert model.calls == 1


def test_a_model_that_recommends_leaves_out_what_it_does_not_name() -> None:
    class Half:
        def recommend(self, users: Any, rows: Any, N: int, **_: Any) -> Any:
            values = rows[:, [1]].toarray() + users[:, None]
            return np.array([[1, -1]] * len(users)), np.hstack([values, [[9.0]] * len(users)])

    rows = Recommend().rows(Half(), TRAIN, matrix_of(TRAIN))
    np.testing.assert_array_equal(rows(BOTH), [[np.nan, -2], [np.nan, 1]])


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Method expects CSR")
def test_lists_of_implicit_for_several_users_are_those_of_each() -> None:
    nearest = pytest.importorskip("implicit.nearest_neighbours")
    rng = np.random.default_rng(3)
    users, items = np.nonzero(rng.random((12, 9)) < 0.4)
    train = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    form = Recommend()
    model = form.fit(nearest.CosineRecommender(K=3, num_threads=1), train, 1)
    rows = form.rows(model, train, matrix_of(train))
    together = rows(np.arange(train.n_users, dtype=np.int32))
    alone = np.concatenate([rows(np.array([user], np.int32)) for user in range(train.n_users)])
    np.testing.assert_array_equal(together, alone)
    ids, values = model.recommend(
        4, matrix_of(train)[4], N=train.n_items, filter_already_liked_items=False
    )
    np.testing.assert_array_equal(together[4][ids], values)
    assert np.isnan(np.delete(together[4], ids)).all()


def test_factors_may_be_of_any_array_that_can_become_one() -> None:
    class OnDevice:
        def to_numpy(self) -> np.ndarray:
            return np.array([[1.0], [2.0]])

    class Model:
        user_factors = OnDevice()
        item_factors = scipy.sparse.csr_matrix([[3.0], [5.0]])

    rows = Factors().rows(Model(), TRAIN, None)
    np.testing.assert_array_equal(rows(BOTH), [[3, 5], [6, 10]])
    np.testing.assert_array_equal(plain([[1]]), [[1]])


@given(scores=st.lists(st.floats(-5, 5), max_size=6))
def test_a_list_keeps_its_order_whatever_its_scores(scores: list[float]) -> None:
    found = descending(scores, len(scores))
    assert (np.diff(found) <= 0).all()
    assert found.tolist() == scores or scores != sorted(scores, reverse=True)


def test_a_list_without_scores_is_in_the_order_of_its_places() -> None:
    assert descending(None, 3).tolist() == [3, 2, 1]


def test_places_are_those_of_a_given_order() -> None:
    ids = TRAIN.item_ids.values
    assert places(ids, ["b", "z"], "item_ids").tolist() == [-1, 0]
    assert places(ids, None, "item_ids").tolist() == [0, 1]


def test_parameters_of_what_is_not_callable_are_none() -> None:
    assert not named(None)
    assert not takes({}.update, "y")
    assert takes(descending, "length")
