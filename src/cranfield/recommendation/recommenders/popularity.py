"""Popularity: what most users rated."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.training import require_nonempty


@storable
@dataclass(frozen=True, eq=False)
class SameForAll:
    """Predicts the same for every user, with training ratings or without."""

    predictions: Floats

    def predict(self, users: Codes) -> Floats:
        """One row for each user, all alike."""
        return np.tile(self.predictions, (len(users), 1))

    def shared(self) -> Floats:
        """The one row."""
        return self.predictions

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return self.predictions.shape == (n_items,)


@option("recommender", "Popularity", aliases=("Pop",))
@dataclass(frozen=True, kw_only=True)
class Popularity(Recommender):
    """Items by the number of their training ratings, the same for every user.

    An item without training ratings has popularity 0, so every item is scored.
    valcarce2020 §5.3.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Count each item's ratings."""
        require_nonempty(train, str(self))
        return SameForAll(train.item_counts.astype(np.float64))


@option("recommender", "AverageRating", aliases=("Average",))
@dataclass(frozen=True, kw_only=True)
class AverageRating(Recommender):
    """Items by the mean of their training ratings, the same for every user.

    NaN for an item without training ratings. canamares2020 B2.
    """

    predicts_ratings: ClassVar[bool] = True

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Average each item's ratings."""
        require_nonempty(train, str(self))
        sums = np.bincount(train.items, train.values, minlength=train.n_items)
        means = np.full(train.n_items, np.nan)
        np.divide(sums, train.item_counts, out=means, where=train.item_counts > 0)
        return SameForAll(means)


@option("recommender", "MedianRating", aliases=("Median",))
@dataclass(frozen=True, kw_only=True)
class MedianRating(Recommender):
    """Items by the median of their training ratings, the same for every user.

    The mean of the two in the middle where their number is even. NaN for an item without
    training ratings. A user-agnostic score as canamares2020 B2 speaks of.
    """

    predicts_ratings: ClassVar[bool] = True

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Sort each item's ratings and take the middle."""
        require_nonempty(train, str(self))
        values = train.values[np.lexsort((train.values, train.items))]
        counts = train.item_counts
        starts = offsets_of(counts)[:-1]
        rated = counts > 0
        low, high = ((starts + (counts - 1) // 2)[rated], (starts + counts // 2)[rated])
        medians = np.full(train.n_items, np.nan)
        medians[rated] = (values[low] + values[high]) / 2
        return SameForAll(medians)
