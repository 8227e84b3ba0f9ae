"""The k-core: users and items that have enough ratings among themselves."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.group_order import rows_by_group
from cranfield.collection.ratings import Ratings

Numbers = npt.NDArray[np.int64]


@option("filter", "k-core")
@dataclass(frozen=True, kw_only=True)
class KCore(Filter):
    """Keep the largest set of ratings in which every user and every item has enough.

    Small users and small items are dropped in turn until none is left; the outcome does
    not depend on the turns. canamares2020 §3, A1.
    """

    k: int = parameter(5, "Smallest number of ratings of each user and each item.", at_least=1)
    users: int | None = parameter(
        None, "Smallest number for users, if it differs; 1 means no limit.", at_least=1
    )
    items: int | None = parameter(
        None, "Smallest number for items, if it differs; 1 means no limit.", at_least=1
    )

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings that no round of peeling takes away."""
        alive = np.ones(len(ratings), dtype=bool)
        users = _Side(ratings.users, self.users or self.k, ratings.user_counts)
        items = _Side(ratings.items, self.items or self.k, ratings.item_counts)
        while len(users.small) or len(items.small):
            users.drop(alive, items)
            items.drop(alive, users)
        return alive


class _Side:
    """The users, or the items, with the ratings that each has left.

    Each is dropped once, and only its own ratings are looked at, so that many small
    rounds cost little more than one large one.
    """

    def __init__(self, codes: Codes, least: int, counts: Numbers) -> None:
        self.codes = codes
        self.least = least
        self.left = counts.copy()
        self.offsets = offsets_of(counts)
        self.small: Numbers = np.flatnonzero((counts > 0) & (counts < least))

    @cached_property
    def rows(self) -> Numbers:
        """The rows of each in turn; sorted for only when someone must be dropped."""
        return rows_by_group(self.codes)

    def recount(self, codes: Numbers, lost: Numbers) -> None:
        """Take losses into account; note who has become too small by them."""
        before = self.left[codes]
        self.left[codes] = after = before - lost
        # Who was too small before is noted already, or gone.
        self.small = np.append(self.small, codes[(before >= self.least) & (after < self.least)])

    def drop(self, alive: Mask, other: _Side) -> None:
        """Take the ratings of all who are too small away, from both sides."""
        if not len(self.small):
            return
        rows = self.rows[_ranges(self.offsets[self.small], self.offsets[self.small + 1])]
        rows = rows[alive[rows]]
        alive[rows] = False
        self.small = self.small[:0]
        codes, lost = np.unique(other.codes[rows], return_counts=True)
        other.recount(codes.astype(np.int64), lost)


def _ranges(starts: Numbers, ends: Numbers) -> Numbers:
    """All numbers of all ranges, one range after the other."""
    lengths = ends - starts
    return np.arange(lengths.sum()) + np.repeat(starts - offsets_of(lengths)[:-1], lengths)
