"""CompleteBlock: users who rated all of some items, so that nothing is left to guess."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import Floats, Some

_ENOUGH = 100
"""Users that a block should have, where another one is proposed."""


@dataclass(frozen=True, eq=False)
class CompleteBlock:
    """Users who rated all of some items: their ratings are the truth.

    ``ratings[u, i]`` is what user u said of item i. Relevance is the place of a rating on
    the scale from the lowest (0) to the highest (1) of the block.
    """

    user_ids: Ids
    item_ids: Ids
    ratings: Floats

    def rating(self, users: Some, items: Some | None = None) -> Floats:
        """What some users said of items (all unless given): users × items."""
        rows: Floats = self.ratings[users]
        return rows.copy() if items is None else rows[:, items]

    def rating_of_pairs(self, users: Some, items: Some) -> Floats:
        """What was said in pairs of a user and an item."""
        pairs: Floats = self.ratings[users, items]
        return pairs

    def relevance(self, users: Some, items: Some | None = None) -> Floats:
        """The place of ratings on the scale of the block: users × items."""
        return self._placed(self.rating(users, items))

    def relevance_of_pairs(self, users: Some, items: Some) -> Floats:
        """The same of pairs of a user and an item."""
        return self._placed(self.rating_of_pairs(users, items))

    def _placed(self, ratings: Floats) -> Floats:
        low, high = self.ratings.min(), self.ratings.max()
        return np.asarray((ratings - low) / max(high - low, 1e-300))


def complete_block(ratings: Ratings, items: int | None = None) -> CompleteBlock:
    """The users who rated all items, or all of the so many that were rated most.

    >>> block = complete_block(Ratings.from_triples([1, 1, 2], ["a", "b", "a"], [3, 4, 5]))
    >>> block.user_ids.values.to_list(), block.ratings.tolist()
    ([1], [[3.0, 4.0]])
    """
    order = np.argsort(-ratings.item_counts, kind="stable")
    rated = int(np.count_nonzero(ratings.item_counts))
    wanted = rated if items is None else items
    if wanted > rated:
        raise BadParameter("block", "items", wanted, f"a number of items: there are {rated:,}")
    reach = _reach(ratings, order)
    users = np.flatnonzero(reach >= wanted)
    if not len(users):
        raise BadParameter("block", "items", wanted, _feasible(reach))
    chosen = np.sort(order[:wanted])
    kept = np.isin(ratings.users, users) & np.isin(ratings.items, chosen)
    values = ratings.values[kept].reshape(len(users), wanted)
    return CompleteBlock(
        Ids(ratings.user_ids.take(users)), Ids(ratings.item_ids.take(chosen)), values
    )


def _reach(ratings: Ratings, order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each user, how many items, the most rated first, were rated without a gap."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = np.lexsort((place[ratings.items], ratings.users))
    within = np.arange(len(rows)) - ratings.user_offsets[ratings.users[rows]]
    gapless = place[ratings.items[rows]] == within
    return np.bincount(ratings.users[rows][gapless], minlength=ratings.n_users)


def _feasible(reach: npt.NDArray[np.int64]) -> str:
    """What there is instead: the most items that enough users rated."""
    falling = -np.sort(-reach)
    users = min(_ENOUGH, int(np.count_nonzero(reach)))
    most = int(falling[users - 1])
    return (
        f"a number of items that somebody rated all of: the {most:,} most rated ones "
        f"were all rated by {int(np.count_nonzero(reach >= most)):,} users"
    )
