"""Group order: the rows of each user, or of each item, by chance or by time; points in time.

Group and key are packed into one word, since sorting plain words is several times faster
than sorting by two columns.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingTimestamps
from cranfield.base.ids import Codes
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Words
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Times

Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Moment = int | float | str
"""A number on the scale of the timestamps, or an ISO date, with a time of day or without."""

_ALMOST = 1e-9
"""What a product such as 0.145 · 100 may miss a half by and still count as one."""


@dataclass(frozen=True, eq=False)
class GroupOrder:
    """The rows of each group in ascending order of a key; equal keys by row.

    ``packed`` holds group and key of each row, ``ordered`` the same sorted, with a word
    above all others at its end. Group g owns ``ordered[offsets[g]:offsets[g + 1]]``.
    """

    groups: Codes
    packed: Words
    ordered: Words
    offsets: Counts

    @property
    def sizes(self) -> Counts:
        """The number of rows of each group."""
        return np.diff(self.offsets)

    def first(self, counts: Counts) -> Mask:
        """The rows that come first in each group, so many of each."""
        chosen: Mask = self.packed < self.borders(counts)[self.groups]
        if np.count_nonzero(chosen) == int(counts.sum()):
            return chosen
        # Equal keys straddle a border, which random words of this length hardly ever do.
        rows = np.argsort(self.packed, kind="stable")
        places = np.arange(len(rows)) - np.repeat(self.offsets[:-1], self.sizes)
        chosen[rows] = places < np.repeat(counts, self.sizes)
        return chosen

    def borders(self, counts: Counts) -> Words:
        """For each group, the packed word of the row after its first so many."""
        borders: Words = self.ordered[self.offsets[:-1] + counts]
        return borders

    def count(self, chosen: Mask) -> Counts:
        """How many of each group's rows are chosen."""
        return np.bincount(self.groups[chosen], minlength=len(self.sizes))


def random_order(groups: Codes, n_groups: int, words: Words) -> GroupOrder:
    """The rows of each group in random order: by as many random bits as there is room for."""
    return _order(groups, n_groups, words >> np.uint64(n_groups.bit_length()))


def time_order(groups: Codes, n_groups: int, times: Times) -> GroupOrder:
    """The rows of each group from the earliest to the latest."""
    earliest, latest = int(times.min()), int(times.max())
    if (latest - earliest).bit_length() + n_groups.bit_length() <= 64:
        # Unsigned differences are right even where signed ones would overflow.
        keys = times.view(np.uint64) - np.int64(earliest).view(np.uint64)
        return _order(groups, n_groups, keys)
    ranks = np.unique(times, return_inverse=True)[1]
    return _order(groups, n_groups, ranks.astype(np.uint64))


def _order(groups: Codes, n_groups: int, keys: Words) -> GroupOrder:
    shift = np.uint64(64 - n_groups.bit_length())
    packed = groups.astype(np.uint64)
    packed <<= shift
    packed |= keys
    ordered = np.append(packed, np.uint64(n_groups) << shift)
    ordered.sort()
    offsets = offsets_of(np.bincount(groups, minlength=n_groups))
    return GroupOrder(groups, packed, ordered, offsets)


def rows_by_group(groups: Codes) -> npt.NDArray[np.int64]:
    """The rows of the first group, then those of the next, each in ascending order.

    >>> rows_by_group(np.array([1, 0, 1], dtype=np.int32))
    array([1, 0, 2])
    """
    packed = groups.astype(np.uint64)
    packed <<= np.uint64(32)
    packed |= np.arange(len(groups), dtype=np.uint64)
    packed.sort()
    packed &= np.uint64(2**32 - 1)
    return packed.view(np.int64)


def one_group(ratings: Ratings) -> Codes:
    """All ratings as a single group."""
    return np.zeros(len(ratings), dtype=np.int32)


def nearest(share: float, counts: npt.ArrayLike) -> Counts:
    """A share of counts, to the nearest whole number; halves go up.

    >>> nearest(0.5, [1, 2, 3])
    array([1, 1, 2])
    """
    exact = share * np.asarray(counts, dtype=np.float64)
    return np.floor(exact + 0.5 + _ALMOST).astype(np.int64)


def held_out(test_share: float, counts: npt.ArrayLike) -> Counts:
    """How many of so many ratings are test: all but (1 − share) of them, rounded to nearest.

    A half stays in training.

    >>> held_out(0.2, [1, 2, 3, 10])
    array([0, 0, 1, 2])
    """
    whole = np.asarray(counts, dtype=np.int64)
    return whole - nearest(1 - test_share, whole)


def seconds(option: str, name: str, moment: Moment) -> float:
    """A point in time as a number; dates count in seconds since 1970, UTC unless they say.

    >>> seconds("temporal", "at", "1970-01-02")
    86400.0
    """
    if not isinstance(moment, str):
        return moment
    try:
        date = datetime.fromisoformat(moment)
    except ValueError:
        wanted = "a number or a date such as 2001-12-31 or 2001-12-31T18:30"
        raise BadParameter(option, name, moment, wanted) from None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def required_times(ratings: Ratings, asker: str) -> Times:
    """The timestamps of ratings, which must have them, on one timeline for all users."""
    if ratings.positions:
        raise MissingTimestamps(asker, positions=True)
    return required_order(ratings, asker)


def required_order(ratings: Ratings, asker: str) -> Times:
    """The timestamps of ratings, or the positions in each user's own order."""
    if ratings.timestamps is None:
        raise MissingTimestamps(asker)
    return ratings.timestamps
