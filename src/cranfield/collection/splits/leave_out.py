"""Leave-ℓ-out: the same number of test ratings for each user."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import Mask
from cranfield.collection.group_order import Counts, random_order, required_order, time_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "leave-out", aliases=("leave-one-out", "leave-l-out"))
@dataclass(frozen=True, kw_only=True)
class LeaveOut(Splitter):
    """The same number of ratings of each user goes to test: random ones or the latest.

    Every user needs one rating more than that. Among equal times at the border, chance
    decides. The latest one, with all ratings before it as the user's history, is the
    next-item protocol; it needs times, or positions in each user's own order. One user's
    training may lie after another's test: see the leakage. canamares2020 §3, A2.
    """

    count: int = parameter(1, "Test ratings ℓ of each user, at least 1.", at_least=1)
    pick: Literal["random", "latest"] = parameter(
        "random", "Which of a user's ratings are test: random ones, or the latest."
    )
    repeats: int = repeats_parameter()

    def __post_init__(self) -> None:
        if self.pick == "latest" and self.repeats > 1:
            raise OptionError(
                f"leave-out: the latest ratings are the same in each of {self.repeats} draws. "
                "Choose pick = random, or leave out repeats."
            )

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test are ℓ ratings of every user who has any."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        self._refuse_small_users(ratings)
        wanted = np.minimum(self.count, ratings.user_counts)
        if self.pick == "latest":
            return Division(ratings, (self._latest(ratings, seeds, wanted),))
        words = seeds.words("leave-out", size=len(ratings))
        order = random_order(ratings.users, ratings.n_users, words)
        return Division(ratings, (order.first(wanted),))

    def _latest(self, ratings: Ratings, seeds: Seeds, wanted: Counts) -> Mask:
        """All that is later than each user's border, and at the border what is still wanted."""
        times = required_order(ratings, "leave-out(pick=latest)")
        order = time_order(ratings.users, ratings.n_users, times)
        borders = order.borders(order.sizes - wanted)[ratings.users]
        test: Mask = order.packed > borders
        at_border = np.flatnonzero(order.packed == borders)
        words = seeds.words("leave-out", "ties", size=len(ratings))[at_border]
        ties = random_order(ratings.users[at_border], ratings.n_users, words)
        test[at_border] = ties.first(wanted - order.count(test))
        return test

    def _refuse_small_users(self, ratings: Ratings) -> None:
        counts = ratings.user_counts
        small = np.flatnonzero((counts > 0) & (counts <= self.count))
        if not len(small):
            return
        least = self.count + 1
        have = "user has" if len(small) == 1 else "users have"
        raise InfeasibleSplit(
            "leave-out",
            f"{len(small):,} {have} fewer than {least} ratings, "
            f"first {ratings.user_ids[small[0]]} with {counts[small[0]]}",
            f"Apply the filter min-ratings(per=user, at_least={least}) before, or lower count",
        )
