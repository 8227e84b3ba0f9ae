"""Recommender: what learns from training ratings and then gives every item a prediction."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import UnknownUserCode, UnsuitableRatings
from cranfield.base.ids import Codes
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

Predictions = npt.NDArray[np.floating[Any]]
"""One row per user, one column per item of the collection; NaN where not computable."""


class Predictor(Protocol):
    """A fitted recommender.

    The store holds it if its class is `storable`. One that was read from there must say
    ``fits(n_users, n_items)``, where its class has such a method, before it predicts.
    """

    def predict(self, users: Codes) -> Predictions:
        """Predictions of every item for some users; NaN where an item cannot be scored.

        Rows depend on their own user alone, bit for bit: not on which other users are
        asked for in the same call, nor on threads. Training items need not be masked.
        """
        ...


@runtime_checkable
class PairPredictor(Predictor, Protocol):
    """A fitted recommender that predicts pair by pair, and so is asked for targets only."""

    def predict_pairs(self, users: Codes, wanted: npt.NDArray[np.bool_]) -> Predictions:
        """What `predict` gives where ``wanted`` is true (users × items), and NaN elsewhere."""
        ...


class Factors(NamedTuple):
    """What products are predictions: a row for each user, a column for each item.

    Nothing is predicted of users and items that are not known. A product is added up over
    the factors in their order, in double precision.
    """

    users: npt.NDArray[np.float64]
    items: npt.NDArray[np.float64]
    known_users: npt.NDArray[np.bool_]
    known_items: npt.NDArray[np.bool_]


@runtime_checkable
class ProductPredictor(Predictor, Protocol):
    """A fitted recommender whose predictions are products of factors, bit for bit."""

    def factors(self) -> Factors:
        """What `predict` multiplies."""
        ...


@runtime_checkable
class SharedPredictor(Predictor, Protocol):
    """A fitted recommender that predicts the same for every user."""

    def shared(self) -> Predictions:
        """What `predict` gives each user: one prediction per item."""
        ...


def user_codes(users: npt.ArrayLike, n_users: int) -> Codes:
    """The users to predict for, as kernels take them; one that there is not is refused.

    Compiled code would read beyond the end of its arrays.
    """
    asked = np.asarray(users)
    wrong = (asked < 0) | (asked >= n_users)
    if wrong.any():
        raise UnknownUserCode(int(asked[wrong][0]), n_users)
    return asked.astype(np.int32, copy=False)


def batch_size_of(predictor: Predictor) -> int:
    """How many users a predictor computes together: those of consecutive codes, from 0 on.

    1 unless it has a ``batch_size``. To ask for whole batches saves computing one twice.
    """
    return int(getattr(predictor, "batch_size", 1))


@contract("recommender", tunable=True)
class Recommender(Protocol):
    """A recommender: learns from training ratings, then gives every item a prediction."""

    predicts_ratings: ClassVar[bool] = False
    """Whether a prediction is the rating that the user would give, on the scale of ratings."""
    needs_positive: ClassVar[bool] = False
    """Whether it learns from ratings above 0 alone, unless they are binarised."""

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Learn from the training ratings alone."""
        ...

    def refuse(self, train: Ratings) -> None:
        """Raise what `fit` would raise of these ratings, where that is known without work."""
        if self.needs_positive and not getattr(self, "binarised", False):
            refuse_nonpositive(train, str(self))


@runtime_checkable
class ResolvingRecommender(Protocol):
    """A recommender with parameters that may be ``auto``: the training ratings say how much."""

    def resolve(self, train: Ratings) -> Recommender:
        """The same recommender with numbers for all that is ``auto``."""
        ...


def refuse_nonpositive(train: Ratings, asker: str) -> None:
    """Refuse ratings of which one is not above 0."""
    lowest = float(train.values.min(initial=np.inf))
    if lowest <= 0:
        raise UnsuitableRatings(asker, f"ratings above 0, and the lowest is {lowest:g}")


def single(predictions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Predictions in single precision; beyond its range they are its highest or lowest."""
    most = float(np.finfo(np.float32).max)
    return np.clip(predictions, -most, most).astype(np.float32).astype(np.float64)
