"""The filter against the most popular items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.group_order import nearest
from cranfield.collection.ratings import Ratings


@option("filter", "drop-head")
@dataclass(frozen=True, kw_only=True)
class DropHead(Filter):
    """Drop the most popular items, a share of all items, with their ratings.

    The number of items dropped is rounded to the nearest whole number, halves up. Of
    items with equally many ratings at the border, those first in the order of ids go.
    canamares2020 §3, A1; bellogin2017 §6.3.
    """

    share: float = parameter(
        0.1, "Share of the items that is dropped, above 0 and below 1.", above=0, below=1
    )

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings of items below the head."""
        counts = ratings.item_counts
        head = int(nearest(self.share, np.count_nonzero(counts)))
        stays = np.ones(len(counts), dtype=bool)
        stays[np.argsort(-counts, kind="stable")[:head]] = False
        return stays[ratings.items]
