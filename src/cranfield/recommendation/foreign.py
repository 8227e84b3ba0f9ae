"""Forms of foreign models: how each kind is fitted, and asked for one user's predictions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.products import multiply_rows

Form = Literal[
    "auto",
    "recommender",
    "function",
    "factors",
    "recommend",
    "reconstruct",
    "pairs",
    "users",
    "user",
]
"""What a model can do; see `adapt`."""

Rows = Callable[[Codes], Any]
"""Predictions of all items of the training ratings for some users."""


@dataclass(frozen=True)
class Foreign:
    """A model that was made elsewhere, with what tells how to use it."""

    model: Any
    form: Form

    def fit(self, train: Ratings) -> None:
        """Fit the model as its form wants it."""
        if self.form == "pairs":
            self.model.fit(_pairs(train.users, train.items), train.values)
        elif self.form == "user":
            table = train.to_pandas()
            self.model.fit(table.set_axis(_COLUMNS[: table.shape[1]], axis=1))
        elif self.form != "function":
            shape = (train.n_users, train.n_items)
            silent = {"show_progress": False} if _takes(self.model.fit, "show_progress") else {}
            self.model.fit(as_matrix(train.users, train.items, train.values, shape), **silent)

    def rows(self, train: Ratings, matrix: Any) -> Rows:
        """How the fitted model is asked; the matrix has the model's own rows and columns."""
        if self.form == "function":
            return lambda users: self.model(train, users)
        if self.form == "user":
            return _of_user(self.model, train)
        return _ROWS[self.form](self.model, matrix)


_COLUMNS = ["user", "item", "rating", "timestamp"]
"""What LensKit calls the columns of a table of ratings; the last only where times are known."""

_TOLD_BY: dict[str, Form] = {"inverse_transform": "reconstruct", "predict_for_user": "user"}
"""Methods that tell a form by themselves."""


def recognise(model: Any) -> Form:
    """The form of a model, by the methods that it has."""
    if hasattr(model, "fit") and _takes(model.fit, "seeds"):
        return "recommender"
    if hasattr(model, "recommend"):
        return "recommend" if not _has_factors(model) else "factors"
    for method, form in _TOLD_BY.items():
        if hasattr(model, method):
            return form
    if hasattr(model, "predict"):
        return "pairs" if _wants_two(getattr(model, "fit", None)) else "users"
    if _has_factors(model):
        return "factors"
    if callable(model):
        return "function"
    raise BadParameter(
        "adapt",
        "model",
        type(model).__name__,
        "a function of training ratings and users, nor an object that can recommend, "
        "predict or inverse_transform",
    )


def _has_factors(model: Any) -> bool:
    return hasattr(model, "user_factors") and hasattr(model, "item_factors")


def _wants_two(fit: Any) -> bool:
    """Whether a ``fit`` needs what to predict in addition to what to predict from."""
    required = inspect.Parameter.empty
    return fit is not None and _takes(fit, "y") and _named(fit)["y"].default is required


def _takes(method: Any, name: str) -> bool:
    return name in _named(method)


def _named(method: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a method; none are known of one that was compiled without them."""
    try:
        return inspect.signature(method).parameters
    except ValueError:
        return {}


def as_matrix(
    users: Codes, items: Codes, values: npt.NDArray[np.float64], shape: tuple[int, int]
) -> Any:
    """Ratings as the older kind of SciPy matrix, which every library takes; no codes below 0."""
    known = (users >= 0) & (items >= 0)
    entries = values[known], (users[known], items[known])
    return scipy.sparse.csr_matrix(entries, shape=shape)


def _pairs(users: Codes, items: Codes) -> npt.NDArray[np.int64]:
    return np.column_stack([users, items]).astype(np.int64)


def _of_factors(model: Any, matrix: Any) -> Rows:  # noqa: ARG001
    left = np.ascontiguousarray(_plain(model.user_factors), dtype=np.float64)
    right = np.ascontiguousarray(_plain(model.item_factors).T, dtype=np.float64)

    def rows(users: Codes) -> npt.NDArray[np.float64]:
        out = np.empty((len(users), right.shape[1]))
        multiply_rows(users, left, right, out)
        return out

    return rows


def _of_recommend(model: Any, matrix: Any) -> Rows:
    def rows(users: Codes) -> npt.NDArray[np.float64]:
        out = np.full((len(users), matrix.shape[1]), np.nan)
        for row, user in zip(out, users, strict=True):
            items, values = model.recommend(
                int(user), matrix[user], N=matrix.shape[1], filter_already_liked_items=False
            )
            listed = np.asarray(items) >= 0
            row[np.asarray(items)[listed]] = np.asarray(values)[listed]
        return out

    return rows


def _of_reconstruction(model: Any, matrix: Any) -> Rows:
    return lambda users: np.concatenate(
        [_plain(model.inverse_transform(model.transform(matrix[user]))) for user in users]
    )


def _of_pairs(model: Any, matrix: Any) -> Rows:
    items = np.arange(matrix.shape[1], dtype=np.int32)
    return lambda users: np.stack(
        [np.asarray(model.predict(_pairs(np.full_like(items, user), items))) for user in users]
    )


def _of_users(model: Any, matrix: Any) -> Rows:  # noqa: ARG001
    rows: Rows = model.predict
    return rows


def _of_user(model: Any, train: Ratings) -> Rows:
    ids = train.item_ids.values.to_list()

    def row(user: int) -> npt.NDArray[np.float64]:
        found = model.predict_for_user(train.user_ids[user], ids)
        return np.asarray(found.reindex(ids), dtype=np.float64)

    return lambda users: np.stack([row(int(user)) for user in users])


def _plain(matrix: Any) -> npt.NDArray[Any]:
    """A dense array of what may be sparse or live on another device."""
    for method in ("toarray", "to_numpy"):
        if hasattr(matrix, method):
            return np.asarray(getattr(matrix, method)())
    return np.asarray(matrix)


_ROWS: dict[str, Callable[[Any, Any], Rows]] = {
    "factors": _of_factors,
    "recommend": _of_recommend,
    "reconstruct": _of_reconstruction,
    "pairs": _of_pairs,
    "users": _of_users,
}
