"""The temporal split of each user's ratings."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import held_out, required_order, time_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter


@option("split", "temporal-per-user")
@dataclass(frozen=True, kw_only=True)
class TemporalPerUser(Splitter):
    """The latest ratings of each user go to test, the same share of each.

    Of n ratings (1−σ)·n stay in training, rounded to the nearest whole number with halves
    up. Equal times of a user stay on one side: the cut moves to the nearest change of
    time, or to the user's beginning or end; of two equally near, to the later one. One
    user's training may lie after another's test: see the leakage. canamares2020 §3, A2.
    """

    test_share: float = parameter(
        0.2, "Share σ of each user's ratings that goes to test, above 0, below 1.", above=0, below=1
    )

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test is what came at or after each user's own cut."""
        times = required_order(ratings, "temporal-per-user")
        order = time_order(ratings.users, ratings.n_users, times)
        wanted = held_out(self.test_share, order.sizes)
        borders = order.borders(order.sizes - wanted)[ratings.users]
        after, from_border = order.packed > borders, order.packed >= borders
        nearer = order.count(from_border) - wanted < wanted - order.count(after)
        return Division(ratings, (np.where(nearer[ratings.users], from_border, after),))
