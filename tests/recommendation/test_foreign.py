"""What models can do, told by their methods, and how each kind is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign import Foreign, as_matrix, recognise

TRAIN = Ratings.from_triples(["x", "x", "y"], ["a", "b", "b"], [5.0, -2.0, 0.0], [1, 2, 3])


def made(**methods: Any) -> Any:
    """An object with these attributes."""
    return type("Model", (), methods)()


def fit_matrix(self: Any, matrix: Any) -> None: ...
def fit_two(self: Any, X: Any, y: Any) -> None: ...
def fit_perhaps(self: Any, X: Any, y: Any = None) -> None: ...
def fit_seeded(self: Any, train: Any, seeds: Any) -> None: ...
def ask(self: Any, *given: Any) -> Any: ...


FACTORS = {"user_factors": None, "item_factors": None}


@pytest.mark.parametrize(
    ("model", "form"),
    [
        (made(fit=fit_seeded, predict=ask), "recommender"),
        (made(fit=fit_matrix, recommend=ask, **FACTORS), "factors"),
        (made(fit=fit_matrix, recommend=ask), "recommend"),
        (made(fit=fit_matrix, inverse_transform=ask, predict=ask), "reconstruct"),
        (made(fit=fit_matrix, predict_for_user=ask, predict=ask), "user"),
        (made(fit=fit_two, predict=ask), "pairs"),
        (made(fit=fit_perhaps, predict=ask), "users"),
        (made(predict=ask), "users"),
        (made(**FACTORS), "factors"),
        (lambda train, users: None, "function"),
    ],
)
def test_a_form_is_told_by_methods(model: Any, form: str) -> None:
    assert recognise(model) == form


def test_ratings_of_unknown_users_or_items_are_not_in_the_matrix() -> None:
    users, items = np.array([0, -1, 1], np.int32), np.array([1, 0, -1], np.int32)
    found = as_matrix(users, items, np.array([4.0, 9.0, 9.0]), (2, 3))
    np.testing.assert_array_equal(found.toarray(), [[0, 4, 0], [0, 0, 0]])
    assert scipy.sparse.isspmatrix_csr(found)


def test_a_regressor_is_fitted_to_pairs_and_asked_for_all_items_of_a_user() -> None:
    class Table:
        def fit(self, X: np.ndarray, y: np.ndarray) -> None:
            self.seen = dict(zip(map(tuple, X.tolist()), y.tolist(), strict=True))

        def predict(self, X: np.ndarray) -> list[float]:
            return [self.seen.get(tuple(pair), 100.0 + pair[0]) for pair in X.tolist()]

    foreign = Foreign(Table(), "pairs")
    foreign.fit(TRAIN)
    rows = foreign.rows(TRAIN, TRAIN.matrix())(np.array([1, 0], np.int32))
    np.testing.assert_array_equal(rows, [[101, 0], [5, -2]])


def test_a_model_that_recommends_leaves_out_what_it_does_not_name() -> None:
    class Half:
        def recommend(self, user: int, row: Any, N: int, **_: Any) -> tuple[list[int], list[float]]:
            return [1, -1], [row[0, 1] + user, 9.0]

    rows = Foreign(Half(), "recommend").rows(TRAIN, as_matrix(*columns(), (2, 2)))
    np.testing.assert_array_equal(rows(np.array([0, 1], np.int32)), [[np.nan, -2], [np.nan, 1]])


def columns() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return TRAIN.users, TRAIN.items, TRAIN.values


def test_a_model_of_single_users_sees_ids_and_may_leave_items_out() -> None:
    pandas = pytest.importorskip("pandas")

    class Known:
        def fit(self, table: Any) -> None:
            self.columns = list(table.columns)

        def predict_for_user(self, user: str, items: list[str]) -> Any:
            return pandas.Series({items[-1]: 2.0 if user == "y" else 1.0})

    foreign = Foreign(Known(), "user")
    foreign.fit(TRAIN)
    assert foreign.model.columns == ["user", "item", "rating", "timestamp"]
    rows = foreign.rows(TRAIN, None)(np.array([0, 1], np.int32))
    np.testing.assert_array_equal(rows, [[np.nan, 1], [np.nan, 2]])
