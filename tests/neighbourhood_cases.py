"""Small training sets with cold users and items, and neighbours found the slow way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.testing.strategies import training, training_sets

__all__ = [
    "Floats",
    "cosine",
    "cosine_neighbours",
    "nearest",
    "predictions",
    "share_models",
    "table_of",
    "training",
    "training_sets",
    "weighted_cosine",
]

Floats = npt.NDArray[np.float64]


def table_of(train: Ratings) -> Floats:
    """Ratings as a table of users by items, in which 0 is no rating."""
    return np.asarray(train.matrix().toarray())


def predictions(spelled: str, train: Ratings) -> Floats:
    """What a recommender predicts for every user."""
    fitted = parse("recommender", spelled).fit(train, Seeds(1))
    return np.asarray(fitted.predict(np.arange(train.n_users, dtype=np.int32)))


def cosine(a: Floats, b: Floats) -> float:
    """The cosine of two rows; 0 where one of them is empty."""
    norms = math.sqrt(sum(a * a)) * math.sqrt(sum(b * b))
    return sum(a * b) / norms if norms else 0.0


def weighted_cosine(table: Floats, u: int, v: int, alpha: float, exponent: float) -> float:
    """The asymmetric cosine of two rows whose columns count less the longer they are."""
    lengths = np.maximum((table > 0).sum(axis=0), 1)
    weights = [1 / float(length) ** exponent for length in lengths]
    first, second = (sum(w * x * x for w, x in zip(weights, table[r], strict=True)) for r in (u, v))
    if not first or not second:
        return 0.0
    dot = sum(w * a * b for w, a, b in zip(weights, table[u], table[v], strict=True))
    return float(dot / (first**alpha * second ** (1 - alpha)))


def nearest(weights: Sequence[float], own: int, k: int) -> dict[int, float]:
    """The k highest weights above 0, except one's own; among equals the lowest codes."""
    others = [other for other in range(len(weights)) if other != own and weights[other] > 0]
    best = sorted(others, key=lambda other: (-weights[other], other))[:k]
    return {other: weights[other] for other in sorted(best)}


def cosine_neighbours(table: Floats, k: int) -> list[dict[int, float]]:
    """The k nearest rows of each row with their cosines."""
    rows = range(len(table))
    return [nearest([cosine(table[u], table[v]) for v in rows], u, k) for u in rows]


def share_models(table: Floats, share: float) -> Floats:
    """p(i|v) by Jelinek–Mercer with a share of the collection; NaN for an empty profile."""
    collection = table.sum(axis=0) / table.sum()
    masses = table.sum(axis=1, keepdims=True)
    own = np.divide(table, masses, out=np.full(table.shape, np.nan), where=masses > 0)
    return np.asarray((1 - share) * own + share * collection)
