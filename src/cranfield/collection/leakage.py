"""Leakage: what training and test have in common, and how far the test leaks into the training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.collection.ratings import Ratings

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Leakage:
    """How much of the training comes from the future of the test.

    ``per_user``: the share of training ratings later than their own user's first test
    rating. ``overall``: the share later than the earliest test rating of anyone, which is
    0 only on a global timeline.
    """

    per_user: float
    overall: float


def leakage(train: Ratings, test: Ratings) -> Leakage | None:
    """The leakage of one fold; None without timestamps, or with positions in their place."""
    if train.timestamps is None or test.timestamps is None or not len(train) or not len(test):
        return None
    if train.positions or test.positions:
        return None
    tested = np.flatnonzero(test.user_counts)
    first = np.full(test.n_users, np.iinfo(np.int64).max)
    first[tested] = np.minimum.reduceat(test.timestamps, test.user_offsets[tested])
    return Leakage(
        per_user=float(np.mean(train.timestamps > first[train.users])),
        overall=float(np.mean(train.timestamps > test.timestamps.min())),
    )


@dataclass(frozen=True)
class Cold:
    """Who and what of the test is unknown to training: users and items without a rating there.

    ``users`` of ``test_users`` are cold, with ``user_ratings`` test ratings; ``items`` of
    ``test_items`` likewise, with ``item_ratings``.
    """

    test_users: int
    users: int
    user_ratings: int
    test_items: int
    items: int
    item_ratings: int


def cold(train: Ratings, test: Ratings) -> Cold:
    """How many test users and test items training lacks; both parts share their ids."""
    return Cold(
        *_lacking(train.user_counts, test.user_counts),
        *_lacking(train.item_counts, test.item_counts),
    )


def _lacking(known: Counts, tested: Counts) -> tuple[int, int, int]:
    """How many have a test rating, how many of them no other, and the ratings of these."""
    lone = tested[known == 0]
    return int(np.count_nonzero(tested)), int(np.count_nonzero(lone)), int(lone.sum())


def in_both(some: Ratings, others: Ratings) -> npt.NDArray[np.bool_]:
    """For each of some ratings, whether others have its pair; both share their ids."""
    if not len(others):
        return np.zeros(len(some), dtype=bool)
    wanted, pairs = pair_numbers(some), pair_numbers(others)
    places = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    found: npt.NDArray[np.bool_] = pairs[places] == wanted
    return found


def joined_pairs(one: Ratings, other: Ratings) -> Ratings:
    """The ratings of both, which share their ids and no pair; times are left out."""
    if not len(other):
        return one
    values = np.concatenate([one.values, other.values])
    users = np.concatenate([one.users, other.users])
    items = np.concatenate([one.items, other.items])
    order = np.lexsort((items, users))
    ids = one.user_ids, one.item_ids
    return Ratings(*ids, users[order], items[order], values[order], None)


def pair_numbers(ratings: Ratings) -> npt.NDArray[np.int64]:
    """User and item of each row as one number; ascending, since rows are in that order."""
    return ratings.users.astype(np.int64) * ratings.n_items + ratings.items
