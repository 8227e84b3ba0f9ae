"""The random share of the ratings."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.group_order import nearest, one_group, random_order
from cranfield.collection.ratings import Ratings


@option("filter", "sample")
@dataclass(frozen=True, kw_only=True)
class Sample(Filter):
    """Keep a random share of the ratings, drawn without regard to user or item.

    The number kept is exact: share · |R|, rounded to the nearest whole number, halves up.
    canamares2020 keeps half of MovieLens (Fig. 7, A1).
    """

    share: float = parameter(
        0.5, "Share of the ratings that is kept, above 0 and below 1.", above=0, below=1
    )

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the first so many in random order."""
        words = seeds.words("sample", size=len(ratings))
        order = random_order(one_group(ratings), 1, words)
        return order.first(nearest(self.share, [len(ratings)]))
