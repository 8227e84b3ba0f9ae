"""Cross-validation: every rating is test once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import Mask
from cranfield.collection.group_order import Counts, GroupOrder, one_group, random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import draw_repeatedly, repeats_parameter


@option("split", "k-fold")
@dataclass(frozen=True, kw_only=True)
class KFold(Splitter):
    """Every rating is test in exactly one of k folds, dealt at random.

    The folds are of equal size, give or take one rating; per user, each user's ratings
    are spread over the folds give or take one as well. All folds are evaluated, and each
    user's values are averaged over them. Drawn repeatedly, n times k folds are made, and every
    rating is test n times. bellogin2017 §3.3; canamares2020 §3, A2.
    """

    folds: int = parameter(5, "Number k of folds, at least 2.", at_least=2)
    per: Literal["rating", "user"] = parameter(
        "rating", "rating: all ratings are dealt together; user: each user's separately."
    )
    repeats: int = repeats_parameter()

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Deal the ratings, in random order, to one fold after the other."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        if self.folds > len(ratings):
            raise InfeasibleSplit(
                "k-fold",
                f"{len(ratings):,} ratings cannot fill {self.folds:,} folds",
                f"Choose at most {len(ratings):,} folds",
            )
        words = seeds.words("k-fold", self.per, size=len(ratings))
        if self.per == "rating":
            order = random_order(one_group(ratings), 1, words)
            return Division(ratings, tuple(self._deal(order, np.zeros(1, np.int64))))
        order = random_order(ratings.users, ratings.n_users, words)
        return Division(ratings, tuple(self._deal(order, _starts(ratings, seeds))))

    def _deal(self, order: GroupOrder, starts: Counts) -> Iterator[Mask]:
        """One fold after the other; each group's first rating goes to fold ``starts % k``.

        Which of a group's ratings make up a fold is random, so they may as well be
        consecutive in the group's random order.
        """
        given = np.zeros_like(starts)
        before = np.zeros(len(order.groups), dtype=bool)
        for fold in range(self.folds):
            skipped = (fold - starts) % self.folds
            given = given + (order.sizes - skipped + self.folds - 1) // self.folds
            until = order.first(given)
            yield until & ~before
            before = until


def _starts(ratings: Ratings, seeds: Seeds) -> Counts:
    """How many ratings are dealt before each user's, the users in random order."""
    words = seeds.words("k-fold", "users", size=ratings.n_users)
    users = np.argsort(words, kind="stable")
    sizes = ratings.user_counts[users]
    starts = np.empty(ratings.n_users, dtype=np.int64)
    starts[users] = np.cumsum(sizes) - sizes
    return starts
