"""The filter by number of ratings."""

from __future__ import annotations

from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.ratings import Ratings


@option("filter", "min-ratings")
@dataclass(frozen=True, kw_only=True)
class MinRatings(Filter):
    """Keep the users, or the items, that have at least a given number of ratings.

    Applied once: what goes with small users may make items small. `k-core` repeats both
    until nothing changes. canamares2020 §3, A1.
    """

    per: Literal["user", "item"] = parameter("user", "Whose ratings are counted: user or item.")
    at_least: int = parameter(
        text="The smallest number of ratings of a user or item that is kept.", at_least=1
    )

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings of large enough users or items."""
        by_user = self.per == "user"
        counts = ratings.user_counts if by_user else ratings.item_counts
        return (counts >= self.at_least)[ratings.users if by_user else ratings.items]
