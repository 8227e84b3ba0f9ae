"""The filter against the most popular items."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.items import HeadOf, most_popular
from cranfield.collection.ratings import Ratings


@option("filter", "drop-head")
@dataclass(frozen=True, kw_only=True)
class DropHead(Filter):
    """Drop the most popular items, a share of all items or ratings, with their ratings.

    ⌊share·|I|⌋ items go, as many as ``without_head`` of candidates leaves out; or those that
    together have at most share·|R| ratings (Cremonesi et al. 2010). Of items with equally
    many ratings at the border, those with the first ids are removed. Popularity is that of
    all ratings, training and test. canamares2020 §3, A1; bellogin2017 §6.3.
    """

    share: float = parameter(
        0.1, "Share of the items that is dropped, above 0 and below 1.", above=0, below=1
    )
    of: HeadOf = parameter("items", "Of what it is a share: the items, or the ratings.")

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings of items below the head."""
        stays = np.ones(ratings.n_items, dtype=bool)
        stays[most_popular(ratings.item_counts, self.share, self.of)] = False
        return stays[ratings.items]
