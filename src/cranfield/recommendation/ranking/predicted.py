"""Predictions as they are ranked: rows of any model."""

from __future__ import annotations

import numpy as np

from cranfield.base.errors import BadPredictions
from cranfield.recommendation.layout import Floats, PredictedRows
from cranfield.recommendation.recommender import Predictions, single


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
        none,
        none,
        np.ones(users, bool),
        np.ones(items, bool),
        factors=False,
        single=False,
        shortlists=np.empty((0, 0), np.int32),
        sizes=np.empty(0, np.int64),
    )
