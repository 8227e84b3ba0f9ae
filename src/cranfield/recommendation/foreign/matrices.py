"""Models that learn from a matrix of ratings, as those of implicit and scikit-learn do."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Rows, takes
from cranfield.recommendation.kernels.products import multiply_rows


class Matrix(Form):
    """A model with ``fit(matrix)``."""

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to users × items, without a progress bar."""
        silent = {"show_progress": False} if takes(model.fit, "show_progress") else {}
        model.fit(matrix_of(train), **silent)
        return model


class Factors(Matrix):
    """A model with ``user_factors`` and ``item_factors``, whose product predicts."""

    together: ClassVar[bool] = False
    parallel: ClassVar[bool] = True

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Multiply, each row in the same order of terms."""
        left = np.ascontiguousarray(plain(model.user_factors), dtype=np.float64)
        right = np.ascontiguousarray(plain(model.item_factors).T, dtype=np.float64)

        def rows(users: Codes) -> Floats:
            out = np.empty((len(users), right.shape[1]))
            multiply_rows(users, left, right, out)
            return out

        return rows


class Recommend(Matrix):
    """A model with ``recommend(users, rows, N=…)``; items that it does not list are NaN."""

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask for lists of all items, of those too that the user has rated."""

        def rows(users: Codes) -> Floats:
            items, values = model.recommend(
                users, matrix[users], N=matrix.shape[1], filter_already_liked_items=False
            )
            # A list that is too short ends in items −1, which go to a column that is cut off.
            out = np.full((len(users), matrix.shape[1] + 1), np.nan)
            np.put_along_axis(out, np.asarray(items), np.asarray(values, np.float64), axis=1)
            return out[:, :-1]

        return rows


class Reconstruct(Matrix):
    """A decomposition with ``transform`` and ``inverse_transform``."""

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Transform the users' own ratings there and back."""
        return lambda users: plain(model.inverse_transform(model.transform(matrix[users])))


class Users(Matrix):
    """A model with ``predict(users)``, which gives one row per user."""

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask as it is."""
        rows: Rows = model.predict
        return rows


class Pairs(Form):
    """A regressor with ``fit(pairs, ratings)`` and ``predict(pairs)``."""

    predicts_ratings: ClassVar[bool] = True

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to pairs of codes."""
        model.fit(pairs_of(train.users, train.items), train.values)
        return model

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask for every item with every user."""
        items = np.arange(matrix.shape[1], dtype=np.int32)

        def rows(users: Codes) -> Floats:
            asked = pairs_of(np.repeat(users, len(items)), np.tile(items, len(users)))
            return np.asarray(model.predict(asked)).reshape(len(users), -1)

        return rows


def matrix_of(train: Ratings) -> Any:
    """Training ratings as a matrix of users × items."""
    return as_matrix(train.users, train.items, train.values, (train.n_users, train.n_items))


def as_matrix(
    users: Codes, items: Codes, values: npt.NDArray[np.float64], shape: tuple[int, int]
) -> Any:
    """Ratings as the older kind of SciPy matrix, which every library takes; no codes below 0."""
    from scipy.sparse import csr_matrix

    known = (users >= 0) & (items >= 0)
    entries = values[known], (users[known], items[known])
    return csr_matrix(entries, shape=shape)


def pairs_of(users: Codes, items: Codes) -> npt.NDArray[np.int64]:
    """Pairs of codes, one in each row."""
    return np.column_stack([users, items]).astype(np.int64)


def plain(matrix: Any) -> npt.NDArray[Any]:
    """A dense array of what may be sparse or live on another device."""
    for method in ("toarray", "to_numpy"):
        if hasattr(matrix, method):
            return np.asarray(getattr(matrix, method)())
    return np.asarray(matrix)
