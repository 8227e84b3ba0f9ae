"""Factors: predictions as inner products of what was learned of users and of items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.kernels.products import multiply_rows
from cranfield.recommendation.recommender import Factors, Predictor, user_codes

Flags = npt.NDArray[np.bool_]


@storable
@dataclass(frozen=True, eq=False)
class RatedIds:
    """Which users and items have training ratings; nothing can be said about others."""

    users: Flags
    items: Flags

    @classmethod
    def of(cls, train: Ratings) -> RatedIds:
        """Those of some training ratings."""
        return cls(train.user_counts > 0, train.item_counts > 0)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return self.users.shape == (n_users,) and self.items.shape == (n_items,)

    def mark(self, users: Codes, predictions: Floats) -> Floats:
        """The predictions, made NaN in place wherever user or item is unknown."""
        predictions[:, ~self.items] = np.nan
        predictions[~self.users[users]] = np.nan
        return predictions


@storable
@dataclass(frozen=True, eq=False)
class FactorPredictor(Predictor):
    """Predicts the inner product of a user's factors and an item's.

    ``r̂_ui = Σ_f users[u, f]·items[f, i]``: items are columns. A bias is one more factor
    whose partner is 1.
    """

    users: Floats
    items: Floats
    known: RatedIds

    @classmethod
    def of(cls, train: Ratings, users: Floats, items: Floats) -> FactorPredictor:
        """Factors with one row per user and one row per item."""
        return cls(np.ascontiguousarray(users), np.ascontiguousarray(items.T), RatedIds.of(train))

    def predict(self, users: Codes) -> Floats:
        """Inner products; NaN for a user or an item without training ratings."""
        users = user_codes(users, len(self.users))
        predictions = np.empty((len(users), self.items.shape[1]))
        multiply_rows(users, self.users, self.items, predictions)
        return self.known.mark(users, predictions)

    def factors(self) -> Factors:
        """What is multiplied."""
        return Factors(self.users, self.items, self.known.users, self.known.items)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            self.users.ndim == self.items.ndim == 2
            and self.users.shape[0] == n_users
            and self.items.shape == (self.users.shape[1], n_items)
            and self.known.fits(n_users, n_items)
        )


def initial_factors(seeds: Seeds, name: str, shape: tuple[int, int], spread: float) -> Floats:
    """Random factors to start from: normal around 0 with a standard deviation."""
    return seeds.stream("factors", name).normal(0.0, spread, size=shape)
