"""Predictions as they are ranked: rows of any model, or factors whose products are bounded."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import BadPredictions
from cranfield.base.ids import Codes
from cranfield.recommendation.layout import Floats, PredictedRows
from cranfield.recommendation.recommender import Factors, Predictions, single

_LARGEST, _SMALLEST = 1e30, 1e-30
"""Products within these are far from where single precision ends."""


def checked(given: Predictions, users: int, items: int, system: str) -> Floats:
    """Predictions as 64-bit floats; a wrong shape or an infinite value is refused."""
    array = np.asarray(given)
    if array.shape != (users, items):
        problem = f"the shape of the predictions is {array.shape}"
        raise BadPredictions(system, problem, f"The right one is {(users, items)}")
    predictions = np.ascontiguousarray(array, dtype=np.float64)
    if np.isinf(predictions).any():
        raise BadPredictions(system, "a prediction is infinite", "Give a number, or NaN for none")
    return predictions


def rows_of(predictions: Floats, rounded: bool) -> PredictedRows:
    """Rows that are predictions themselves, in single precision if they are ``rounded``."""
    users, items = predictions.shape
    none = np.empty((0, 0))
    return PredictedRows(
        single(predictions) if rounded else predictions,
        np.zeros(users),
        none,
        none,
        np.ones(users, bool),
        np.ones(items, bool),
        factors=False,
        single=False,
    )


@dataclass(frozen=True, eq=False)
class BoundedProducts:
    """Factors in single precision, for products that are within a margin of the exact ones.

    ``items`` has a row for each item, ``columns`` a column in single precision; each user
    has a margin.
    """

    factors: Factors
    users: npt.NDArray[np.float32]
    items: Floats
    columns: npt.NDArray[np.float32]
    margins: Floats
    _here: threading.local = field(default_factory=threading.local)

    def _space(self, users: int) -> npt.NDArray[np.float32]:
        """Space for products, the same for each call of a thread: new memory costs time."""
        space: npt.NDArray[np.float32] | None = getattr(self._here, "space", None)
        if space is None or len(space) < users:
            space = self._here.space = np.empty((users, self.columns.shape[1]), np.float32)
        return space[:users]

    def rows(self, asked: Codes, rounded: bool) -> PredictedRows:
        """The products of some users with all items, which are overwritten by the next."""
        return PredictedRows(
            np.matmul(self.users[asked], self.columns, out=self._space(len(asked))),
            self.margins[asked],
            self.factors.users[asked],
            self.items,
            self.factors.known_users[asked],
            self.factors.known_items,
            factors=True,
            single=rounded,
        )


def bounded_products(factors: Factors) -> BoundedProducts | None:
    r"""Factors whose products can be approximated, unless they are too large or too small.

    With n factors and unit roundoff ε = 2^−24, a product x·y in single precision, of
    factors rounded to it, is within (n + 3)·ε·‖x‖·‖y‖ of the exact one, to first order. The
    margin is more than twice that with the longest y: room for higher orders, for the exact
    product's own rounding to single precision, and for that of the bar.
    """
    lengths, longest = _lengths(factors.users, 1), _lengths(factors.items, 0).max(initial=0.0)
    most = lengths.max(initial=0.0) * longest
    if not (most < _LARGEST and max(longest, lengths.max(initial=0.0)) < _LARGEST):
        return None
    margins = (len(factors.items) + 16) * 2.0**-23 * longest * lengths + _SMALLEST
    with np.errstate(under="ignore"):
        users, columns = factors.users.astype(np.float32), factors.items.astype(np.float32)
    items = np.ascontiguousarray(factors.items.T)
    return BoundedProducts(factors, users, items, columns, margins)


def _lengths(factors: npt.NDArray[Any], axis: int) -> Floats:
    """‖x‖ of each row or column; NaN or infinite where a factor is."""
    with np.errstate(over="ignore"):
        return np.asarray(np.sqrt(np.square(factors).sum(axis=axis)))
