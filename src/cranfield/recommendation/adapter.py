"""Adapter: any model of the user's as a recommender, without registration."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import BadParameter, BadPredictions
from cranfield.base.ids import Codes
from cranfield.base.options import is_option
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.foreign import Foreign, Form, Rows, as_matrix, recognise
from cranfield.recommendation.recommender import Predictor, Recommender

Order = Iterable[int | str] | None
"""The ids of a fitted model's users or items, in the model's own order."""


def adapt(
    model: Any,
    *,
    name: str | None = None,
    form: Form = "auto",
    fitted: bool = False,
    user_ids: Order = None,
    item_ids: Order = None,
) -> Recommender:
    """A recommender made of any model; what the model can do tells its form.

    ============ =================================================================
    form         the model
    ============ =================================================================
    recommender  ``fit(ratings, seeds)`` gives an object with ``predict(users)``
    function     is called with the training `Ratings` and user codes
    factors      ``fit(matrix)``, then has ``user_factors`` and ``item_factors`` (implicit)
    recommend    ``fit(matrix)``, ``recommend(user, row, N=…)`` (implicit)
    reconstruct  ``fit(matrix)``, ``transform`` and ``inverse_transform`` (scikit-learn)
    pairs        ``fit(pairs, ratings)``, ``predict(pairs)`` (scikit-learn regressors)
    users        ``fit(matrix)``, ``predict(users)`` gives one row per user
    user         ``fit(table)``, ``predict_for_user(user, items)`` (LensKit before 2025)
    ============ =================================================================

    A copy of the model is fitted, with a seed where its ``random_state`` is open. One that
    is ``fitted`` already is used as it is; ``user_ids`` and ``item_ids`` then say what its
    rows and columns stand for, unless they are those of the training ratings. Every user
    is asked for alone, so that a row cannot depend on its batch. Predictions are numbers,
    one for each item; NaN means not computable, and an infinite one is refused.

    >>> popular = adapt(lambda train, users: [train.item_counts] * len(users), name="popular")
    >>> train = Ratings.from_triples([1, 1, 2], [7, 8, 8])
    >>> popular.fit(train, Seeds()).predict(np.array([0, 1]))
    array([[1., 2.],
           [1., 2.]])
    """
    if is_option(model) or isinstance(model, Adapted):
        return model  # type: ignore[no-any-return]
    known = recognise(model) if form == "auto" else form
    orders = tuple(None if ids is None else tuple(ids) for ids in (user_ids, item_ids))
    return Adapted(model, name or _name(model), known, fitted, *orders)


@dataclass(frozen=True, eq=False)
class Adapted(Recommender):
    """A foreign model as a recommender; its text is its name."""

    model: Any
    name: str
    form: Form
    fitted: bool = False
    user_ids: tuple[int | str, ...] | None = None
    item_ids: tuple[int | str, ...] | None = None

    def __str__(self) -> str:
        return self.name

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Fit a copy of the model, or take it as it is."""
        if self.form == "recommender":
            fitted: Predictor = self.model.fit(train, seeds)
            return fitted
        foreign = Foreign(self.model, self.form)
        if not self.fitted and self.form != "function":
            foreign = Foreign(_seeded(copy.deepcopy(self.model), seeds), self.form)
            foreign.fit(train)
        users = _places(train.user_ids.values, self.user_ids, "user_ids")
        items = _places(train.item_ids.values, self.item_ids, "item_ids")
        rows = train.n_users if self.user_ids is None else len(self.user_ids)
        columns = train.n_items if self.item_ids is None else len(self.item_ids)
        matrix = as_matrix(users[train.users], items[train.items], train.values, (rows, columns))
        return Asked(self.name, foreign.rows(train, matrix), users, items, columns)


@dataclass(frozen=True, eq=False)
class Asked(Predictor):
    """Predicts what a foreign model predicts, checked, under the codes of the training data.

    ``users`` and ``items`` are places in the model, −1 for those that it does not know.
    """

    name: str
    rows: Rows
    users: Codes
    items: Codes
    columns: int

    def predict(self, users: Codes) -> Floats:
        """Ask for one user after another; NaN for what the model does not know."""
        predictions = np.full((len(users), len(self.items)), np.nan)
        known = self.items >= 0
        for row, user in zip(predictions, self.users[users], strict=True):
            if user >= 0:
                given = checked(self.name, self.rows(np.array([user], np.int32)), self.columns)
                row[known] = given[self.items[known]]
        return predictions


def checked(name: str, given: Any, columns: int) -> Floats:
    """One row of predictions as numbers, of the right length and none infinite."""
    try:
        row = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadPredictions(
            name, f"{type(given).__name__} is not an array of numbers", "Give one row per user"
        ) from None
    if row.shape != (1, columns):
        raise BadPredictions(
            name,
            f"predictions for 1 user have the shape {row.shape}",
            f"The right one is (1, {columns}): one row per user, one column per item",
        )
    if np.isinf(row).any():
        item = int(np.flatnonzero(np.isinf(row[0]))[0])
        raise BadPredictions(
            name,
            f"the prediction of item {item} is {row[0, item]}",
            "Give a finite number, or NaN where an item cannot be scored",
        )
    return np.asarray(row[0])


def _places(ids: pl.Series, order: tuple[int | str, ...] | None, name: str) -> Codes:
    """Where each id stands in a model; −1 where it does not.

    A model that knows none of the ids is refused: it names them in another way.
    """
    if order is None:
        return np.arange(len(ids), dtype=np.int32)
    place = {known: at for at, known in enumerate(order)}
    found = np.array([place.get(one, -1) for one in ids.to_list()], dtype=np.int32)
    if not (found >= 0).any():
        wanted = f"an id of the training ratings, such as {ids[0]!r}, and no other of them is"
        raise BadParameter("adapt", name, order[0] if order else None, wanted)
    return found


def _seeded(model: Any, seeds: Seeds) -> Any:
    """The model, with a seed where it leaves its own open."""
    if getattr(model, "random_state", 0) is None:
        model.random_state = seeds.key("foreign") % 2**31
    return model


def _name(model: Any) -> str:
    """What a model is called where its user gives no name."""
    own: str | Callable[[], str] = getattr(model, "__name__", type(model).__name__)
    return str(own)
