"""ℓ per item: the same number of training ratings for each item."""

from __future__ import annotations

from functools import partial

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "per-item-train")
@dataclass(frozen=True, kw_only=True)
class PerItemTrain(Splitter):
    """The same number of ratings of each item goes to training, drawn at random.

    All others are test, so popularity cannot be learnt from training. Every item needs
    that many ratings. canamares2020 §3, A2.
    """

    count: int = parameter(text="Training ratings ℓ of each item, at least 1.", at_least=1)
    repeats: int = repeats_parameter()

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Training are the first ℓ ratings of every item in random order."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        counts = ratings.item_counts
        small = np.flatnonzero((counts > 0) & (counts < self.count))
        if len(small):
            have = "item has" if len(small) == 1 else "items have"
            raise InfeasibleSplit(
                "per-item-train",
                f"{len(small):,} {have} fewer than {self.count} ratings, "
                f"first {ratings.item_ids[small[0]]} with {counts[small[0]]}",
                f"Apply the filter min-ratings(per=item, at_least={self.count}) before, "
                "or lower count",
            )
        words = seeds.words("per-item-train", size=len(ratings))
        order = random_order(ratings.items, ratings.n_items, words)
        return Division(ratings, (~order.first(np.minimum(self.count, counts)),))
