"""Propensities by a logistic regression on user activity and item popularity."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import Counts, Floats, Propensities, Propensity
from cranfield.collection.ratings import Ratings

_STEPS = 100
"""Steps of Newton's method at most; a handful are enough."""


@option("propensity", "logistic")
@dataclass(frozen=True, kw_only=True)
class LogisticPropensity(Propensity):
    r"""A logistic regression of whether a pair is in training on how often both occur there.

        logit p_ui = b₀ + b₁·ln(1 + n_u) + b₂·ln(1 + n_i)

    n_u and n_i count training ratings; b maximises the likelihood of which of all pairs of
    users and items are rated in training, less ``ridge``·(b₁² + b₂²)/2. It is the chance to
    be in training; a test part of another size changes it by a factor that is common to all
    pairs as far as they are rare. After Schnabel 2016, who has further features.
    """

    ridge: float = parameter(1.0, "How strongly b₁ and b₂ are shrunk towards 0.", at_least=0)

    def estimate(self, train: Ratings, seeds: Seeds) -> LogisticPropensities:
        """By Newton's method over pairs that are alike in both counts."""
        cells = _cells(train)
        found = np.array([_logit(len(train) / (train.n_users * train.n_items)), 0.0, 0.0])
        penalty = np.array([0.0, self.ridge, self.ridge])
        for _ in range(_STEPS):
            chance = _logistic(cells.features @ found)
            slope = cells.features.T @ (cells.rated - cells.pairs * chance) - penalty * found
            spread = cells.pairs * chance * (1 - chance)
            curve = (cells.features.T * spread) @ cells.features + np.diag(penalty)
            step = np.linalg.lstsq(curve, slope, rcond=None)[0]
            found = found + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
            if np.abs(step).max() < 1e-10:
                break
        users = found[0] + found[1] * np.log1p(train.user_counts)
        return LogisticPropensities(users, found[2] * np.log1p(train.item_counts))


@dataclass(frozen=True, eq=False)
class LogisticPropensities(Propensities):
    """The logit of a pair is what its user and its item add to it."""

    users: Floats
    items: Floats

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """The logistic function of both parts."""
        return _logistic(self.users[users] + self.items[items])


@dataclass(frozen=True, eq=False)
class _Cells:
    """Pairs by their features: how many there are, and how many of them are rated."""

    features: Floats
    pairs: Floats
    rated: Floats


def _cells(train: Ratings) -> _Cells:
    """All pairs; users, and items, of equal counts are alike."""
    active, of_user, users = _levels(train.user_counts)
    popular, of_item, items = _levels(train.item_counts)
    shape = len(active), len(popular)
    places = of_user[train.users] * shape[1] + of_item[train.items]
    rated = np.bincount(places, minlength=shape[0] * shape[1]).astype(np.float64)
    crossed = np.broadcast_arrays(1.0, np.log1p(active)[:, None], np.log1p(popular)[None])
    features = np.stack([np.broadcast_to(each, shape).ravel() for each in crossed], axis=1)
    return _Cells(features, np.outer(users, items).ravel().astype(np.float64), rated)


def _levels(counts: Counts) -> tuple[Counts, Counts, Counts]:
    """The different counts, which of them each has, and how many have it."""
    return np.unique(counts, return_inverse=True, return_counts=True)


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)))


def _logit(share: float) -> float:
    bounded = min(max(share, 1e-9), 1 - 1e-9)
    return float(np.log(bounded / (1 - bounded)))
