"""Form: how one kind of foreign model is fitted, and asked for predictions."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings

FormName = Literal[
    "auto",
    "recommender",
    "function",
    "factors",
    "recommend",
    "reconstruct",
    "pairs",
    "users",
    "user",
    "lenskit",
    "rectools",
    "cornac",
    "surprise",
    "torch",
]
"""What a model can do, or the library that it comes from; see `adapt`."""

Id = int | str
Floats = npt.NDArray[np.float64]

Rows = Callable[[Codes], Any]
"""Predictions of all items for some users: rows × the model's items."""


class Form:
    """How one kind of model is fitted and asked.

    ``together``: the rows of a call may depend on each other, so that users are asked in
    batches which never change. ``by_id``: the model knows users and items by their ids, rather
    than by row and column. ``parallel``: several threads may ask at the same time.
    ``predicts_ratings``: predictions are the ratings that users would give.
    """

    together: ClassVar[bool] = True
    by_id: ClassVar[bool] = False
    parallel: ClassVar[bool] = False
    predicts_ratings: ClassVar[bool] = False

    def copied(self, model: Any, seed: int) -> Any:
        """A copy to fit, with a seed where the model leaves its own open."""
        own = copy.deepcopy(model)
        if getattr(own, "random_state", 0) is None:
            own.random_state = seed
        return own

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """The model, fitted to the training ratings."""
        raise NotImplementedError

    def take(self, model: Any, train: Ratings) -> Any:
        """A model that was fitted elsewhere, as `rows` wants it."""
        return model

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """How the fitted model is asked; the matrix has the model's own rows and columns."""
        raise NotImplementedError


def takes(method: Any, name: str) -> bool:
    """Whether a method has a parameter of a name."""
    return name in named(method)


def named(method: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a method; none are known of one that was compiled without them."""
    try:
        return inspect.signature(method).parameters
    except (TypeError, ValueError):
        return {}


def places(ids: pl.Series, order: Iterable[Id] | None, name: str) -> Codes:
    """Where each id stands in a model; −1 where it does not.

    A model that knows none of the ids is refused: it names them in another way.
    """
    if order is None:
        return np.arange(len(ids), dtype=np.int32)
    place = {known: at for at, known in enumerate(order)}
    found = np.array([place.get(one, -1) for one in ids.to_list()], dtype=np.int32)
    if not (found >= 0).any():
        wanted = f"an id of the training ratings, such as {ids[0]!r}, and no other of them is"
        raise BadParameter("adapt", name, next(iter(place), None), wanted)
    return found


def descending(scores: Any, length: int) -> Floats:
    """The scores of a ranked list; its places from the bottom where scores do not say its order.

    >>> descending([3.0, 1.0, 1.0], 3), descending([1.0, 3.0], 2)
    (array([3., 1., 1.]), array([2., 1.]))
    """
    if scores is not None:
        given = np.asarray(scores, dtype=np.float64)
        if not (np.diff(given) > 0).any():
            return given
    return np.arange(length, 0, -1, dtype=np.float64)
