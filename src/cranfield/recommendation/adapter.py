"""Adapter: any model of the user's as a recommender, without registration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import field
from functools import cached_property, partial
from threading import Lock
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, BadPredictions, counted, near
from cranfield.base.ids import Codes
from cranfield.base.options import is_option
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.foreign.description import ModelDescription, describe_model
from cranfield.recommendation.foreign.form import FormName, Id, Rows, places
from cranfield.recommendation.foreign.matrices import as_matrix
from cranfield.recommendation.foreign.recognition import FORMS, recognise
from cranfield.recommendation.foreign.surprise import PairRows, Surprise
from cranfield.recommendation.recommender import PairPredictor, Predictor, Recommender

Order = Iterable[Id] | None
"""The ids of a fitted model's users or items, in the model's own order."""

BATCH = 128
"""Users that a model is asked for at a time, unless it is asked for each alone."""


def adapt(
    model: Any,
    *,
    name: str | None = None,
    form: FormName = "auto",
    fitted: bool = False,
    user_ids: Order = None,
    item_ids: Order = None,
    batch: int | None = None,
) -> Recommender:
    """A recommender made from any model; its library, or its methods, determine its form.

    ============ =================================================================
    form         the model
    ============ =================================================================
    recommender  ``fit(ratings, seeds)`` gives an object with ``predict(users)``
    function     is called with the training `Ratings` and user codes
    lenskit      a pipeline or scorer of LensKit since 2025
    rectools     ``fit(dataset)``, ``recommend(users, dataset, k, filter_viewed)`` (RecTools)
    cornac       ``fit(train_set)``, ``score(user)`` (Cornac)
    surprise     ``fit(trainset)``, ``predict(user, item)`` (Surprise)
    torch        a module with ``forward(users)`` or ``forward(users, items)`` (PyTorch)
    factors      ``fit(matrix)``, then has ``user_factors`` and ``item_factors`` (implicit)
    recommend    ``fit(matrix)``, ``recommend(users, rows, N=…)`` (implicit)
    reconstruct  ``fit(matrix)``, ``transform`` and ``inverse_transform`` (scikit-learn)
    pairs        ``fit(pairs, ratings)``, ``predict(pairs)`` (scikit-learn regressors)
    users        ``fit(matrix)``, ``predict(users)`` gives one row per user
    user         ``fit(table)``, ``predict_for_user(user, items)`` (LensKit before 2025)
    ============ =================================================================

    A copy of the model is fitted, with a seed where its ``random_state`` or ``seed`` is open.
    One that is ``fitted`` already is used as it is; where it has rows and columns rather than
    ids, ``user_ids`` and ``item_ids`` say what they stand for, unless they are those of the
    training ratings. Predictions are numbers, one for each item; NaN means not computable, and
    an infinite one is refused. They are taken for ratings, as RMSE needs them, with Surprise,
    regressors, and models whose ``predicts_ratings`` is true.

    Users are asked in batches: codes 0 to ``batch`` − 1, and so on, 128 unless said otherwise.
    A batch is always asked for as a whole, so that results depend neither on threads nor on
    which users are ranked, though a row may depend on its batch. Models of LensKit, Cornac and
    Surprise, and products of factors, predict for one user at a time, those of Surprise
    for targets only.

    >>> popular = adapt(lambda train, users: [train.item_counts] * len(users), name="popular")
    >>> train = Ratings.from_triples([1, 1, 2], [7, 8, 8])
    >>> popular.fit(train, Seeds()).predict(np.array([0, 1]))
    array([[1., 2.],
           [1., 2.]])
    """
    if is_option(model) or isinstance(model, Adapted):
        return model  # type: ignore[no-any-return]
    known = recognise(model) if form == "auto" else _known(form)
    users = None if user_ids is None else tuple(user_ids)
    items = None if item_ids is None else tuple(item_ids)
    _refuse_unused(known, batch, {"user_ids": users, "item_ids": items})
    size = batch or (BATCH if _together(known) else None)
    trained = fitted or (known == "torch" and not hasattr(model, "fit"))
    return Adapted(model, name or _name(model), known, trained, users, items, size)


def _known(form: FormName) -> FormName:
    """A form by its name."""
    forms = get_args(FormName)
    if form not in forms:
        hint = near(str(form), forms)
        raise BadParameter("adapt", "form", form, f"one of {', '.join(forms)}", hint=hint)
    return form


def _together(form: FormName) -> bool:
    """Whether a model of a form is asked for several users at a time."""
    return form == "function" or (form in FORMS and FORMS[form].together)


def _refuse_unused(form: FormName, batch: int | None, ids: dict[str, Any]) -> None:
    """Refuse what a model of some form has no use for."""
    for name, given in ids.items():
        if given is not None and form in FORMS and FORMS[form].by_id:
            wanted = f"needed: a model of the form {form} knows users and items by their ids"
            raise BadParameter("adapt", name, given[:1], wanted)
    if batch is None:
        return
    if not _together(form):
        wanted = f"needed: a model of the form {form} is asked for each user alone"
        raise BadParameter("adapt", "batch", batch, wanted)
    if isinstance(batch, bool) or not isinstance(batch, int) or batch < 1:
        raise BadParameter("adapt", "batch", batch, "a whole number of at least 1")


@dataclass(frozen=True, eq=False)
class Adapted(Recommender):
    """A foreign model as a recommender; its text is its name.

    ``recorded`` is what a record says of a model that is not here any more.
    """

    model: Any
    name: str
    form: FormName
    fitted: bool = False
    user_ids: tuple[Id, ...] | None = None
    item_ids: tuple[Id, ...] | None = None
    batch: int | None = None
    recorded: ModelDescription | None = None

    def __str__(self) -> str:
        return self.name

    @property
    def predicts_ratings(self) -> bool:  # type: ignore[override]
        """Whether predictions are ratings: as the model says, or as all of its form are."""
        known = self.form in FORMS and FORMS[self.form].predicts_ratings
        return bool(getattr(self.model, "predicts_ratings", known))

    @cached_property
    def description(self) -> ModelDescription:
        """What a record says of the model."""
        return self.recorded or describe_model(
            self.model, form=self.form, fitted=self.fitted, batch=self.batch
        )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Fit a copy of the model, or take it as it is."""
        if self.form == "recommender":
            fitted: Predictor = self.model.fit(train, seeds)
            return fitted
        users = places(train.user_ids.values, self.user_ids, "user_ids")
        items = places(train.item_ids.values, self.item_ids, "item_ids")
        columns = train.n_items if self.item_ids is None else len(self.item_ids)
        if self.form == "function":
            rows = partial(self.model, train)
            return ForeignPredictor(self.name, rows, users, items, columns, self.batch)
        form, model = FORMS[self.form], self._fitted_model(train, seeds)
        if isinstance(form, Surprise):
            return ForeignPairPredictor(self.name, form.pair_rows(model, train), train.n_items)
        shape = train.n_users if self.user_ids is None else len(self.user_ids), columns
        matrix = as_matrix(users[train.users], items[train.items], train.values, shape)
        asked = form.rows(model, train, matrix)
        lock = None if form.parallel else Lock()
        return ForeignPredictor(self.name, asked, users, items, columns, self.batch, lock)

    def _fitted_model(self, train: Ratings, seeds: Seeds) -> Any:
        form, seed = FORMS[self.form], seeds.key("foreign") % 2**31
        if self.fitted:
            return form.take(self.model, train)
        return form.fit(form.copied(self.model, seed), train, seed)


@dataclass(frozen=True, eq=False)
class ForeignPredictor(Predictor):
    """Predicts what a foreign model predicts, checked, under the codes of the training data.

    ``users`` and ``items`` are places in the model, −1 for those that it does not know. The
    model is asked for whole batches, or for each user alone if ``batch`` is None. A thread that
    asks makes others wait, unless there is no ``lock``.
    """

    name: str
    rows: Rows
    users: Codes
    items: Codes
    columns: int
    batch: int | None
    lock: Lock | None = field(default_factory=Lock)

    @property
    def batch_size(self) -> int:
        """How many users are computed together."""
        return self.batch or 1

    def predict(self, users: Codes) -> Floats:
        """Ask for every batch that has one of the users."""
        if self.batch is None:
            return self._predicted(users)
        predictions, batches = np.empty((len(users), len(self.items))), users // self.batch
        for start in (np.unique(batches) * self.batch).tolist():
            whole = np.arange(start, min(start + self.batch, len(self.users)), dtype=np.int32)
            inside = batches == start // self.batch
            predictions[inside] = self._predicted(whole)[users[inside] - start]
        return predictions

    def _predicted(self, users: Codes) -> Floats:
        """What the model gives in one call; NaN for what it does not know."""
        predictions = np.full((len(users), len(self.items)), np.nan)
        rows, columns = np.flatnonzero(self.users[users] >= 0), np.flatnonzero(self.items >= 0)
        if len(rows):
            with self.lock or nullcontext():
                given = self.rows(self.users[users[rows]])
            found = checked(self.name, given, len(rows), self.columns)
            predictions[np.ix_(rows, columns)] = found[:, self.items[columns]]
        return predictions


@dataclass(frozen=True, eq=False)
class ForeignPairPredictor(PairPredictor):
    """Predicts what a foreign model predicts pair by pair, checked."""

    name: str
    rows: PairRows
    n_items: int
    lock: Lock = field(default_factory=Lock)

    def predict(self, users: Codes) -> Floats:
        """Ask for all items."""
        return self.predict_pairs(users, np.ones((len(users), self.n_items), dtype=bool))

    def predict_pairs(self, users: Codes, wanted: npt.NDArray[np.bool_]) -> Floats:
        """Ask for some pairs."""
        with self.lock:
            return checked(self.name, self.rows(users, wanted), *wanted.shape)


def checked(name: str, given: Any, users: int, columns: int) -> Floats:
    """Predictions as numbers, of the right shape and none infinite."""
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadPredictions(
            name, f"{type(given).__name__} is not an array of numbers", "Give one row per user"
        ) from None
    if found.shape != (users, columns):
        raise BadPredictions(
            name,
            f"predictions for {counted(users, 'user')} have the shape {found.shape}",
            f"The right one is ({users}, {columns}): one row per user, one column per item",
        )
    if np.isinf(found).any():
        row, item = np.argwhere(np.isinf(found))[0]
        raise BadPredictions(
            name,
            f"the prediction of item {item} is {found[row, item]}",
            "Give a finite number, or NaN where an item cannot be scored",
        )
    return found


def _name(model: Any) -> str:
    """What a model is called where its user gives no name."""
    own: str | Callable[[], str] = getattr(model, "__name__", type(model).__name__)
    return str(own)
