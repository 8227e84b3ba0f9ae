"""Random: every item gets a random prediction."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option
from cranfield.base.seeds import Seeds, pair_uniforms
from cranfield.base.storable import storable
from cranfield.base.threads import chunks
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.training import require_nonempty

_AT_ONCE = 1 << 16
"""Numbers that are drawn at a time."""


@option("recommender", "Random")
@dataclass(frozen=True, kw_only=True)
class Random(Recommender):
    """Every item gets a random number: the baseline that knows nothing.

    The number is a function of the seed, the user and the item, uniform between 0 and 1.
    Every item is scored for every user. valcarce2020 §5.3.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Learn nothing but how many items there are."""
        require_nonempty(train, str(self))
        return _Numbers(seeds.key("random"), train.n_items)


@storable
@dataclass(frozen=True)
class _Numbers:
    key: int
    n_items: int

    def predict(self, users: Codes) -> Floats:
        """One number for each user and item, drawn for some users at a time.

        To draw takes several arrays, each as large as what is drawn.
        """
        items, numbers = np.arange(self.n_items), np.empty((len(users), self.n_items))
        for some in chunks(len(users), max(1, _AT_ONCE // self.n_items)):
            numbers[some] = pair_uniforms(self.key, users[some], items)
        return numbers

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return self.n_items == n_items and 0 <= self.key < 1 << 64
