"""Pools of sampled items, drawn by counter (accelerates `targets.nonrelevant.draw_pool`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.draws import below, word
from cranfield.base.kernels.kernel import kernel

Offsets = npt.NDArray[np.int64]
Rated = tuple[Offsets, Codes]
"""Where each user's items start, and the items."""


@kernel
def exclude(
    stamp: Offsets,
    mark: int,
    offsets: Offsets,
    items: Codes,
    user: int,
    segment_of: Codes,
    segment: int,
) -> int:
    """Mark a user's items; return how many of them are unmarked candidates of the segment."""
    found = 0
    for row in range(offsets[user], offsets[user + 1]):
        item = items[row]
        if stamp[item] != mark:
            stamp[item] = mark
            found += segment_of[item] == segment
    return found


@kernel
def eligible_counts(
    users: Codes,
    segments: Codes,
    segment_of: Codes,
    sizes: Offsets,
    train: Rated,
    positives: Rated,
    counts: Offsets,
) -> None:
    """For each pool, how many items may be in it; ``train`` and ``positives`` are CSR pairs."""
    stamp = np.full(len(segment_of), -1, dtype=np.int64)
    for pool in range(len(users)):
        user, segment = users[pool], segments[pool]
        lost = exclude(stamp, pool, train[0], train[1], user, segment_of, segment)
        lost += exclude(stamp, pool, positives[0], positives[1], user, segment_of, segment)
        counts[pool] = sizes[segment] - lost


@kernel
def draw_pools(
    users: Codes,
    segments: Codes,
    owners: Offsets,
    segment_of: Codes,
    bounds: Offsets,
    candidates: Codes,
    train: Rated,
    positives: Rated,
    key: np.uint64,
    eligible: Offsets,
    offsets: Offsets,
    out: Codes,
) -> None:
    """Fill each pool with distinct eligible items, ascending.

    ``candidates[bounds[s]:bounds[s + 1]]`` are the candidates of segment s, ascending. Of
    the pool and what is left out, the smaller is drawn, item by item, with rejection.
    """
    stamp = np.full(len(segment_of), -1, dtype=np.int64)
    for pool in range(len(users)):
        segment = segments[pool]
        exclude(stamp, pool, train[0], train[1], users[pool], segment_of, segment)
        exclude(stamp, pool, positives[0], positives[1], users[pool], segment_of, segment)
        start, size = offsets[pool], offsets[pool + 1] - offsets[pool]
        low, high = bounds[segment], bounds[segment + 1]
        listed = size <= eligible[pool] - size
        wanted = size if listed else eligible[pool] - size
        drawn, counter, stream = 0, np.uint64(0), word(key, np.uint64(owners[pool]))
        while drawn < wanted:
            item = candidates[low + below(word(stream, counter), high - low)]
            counter += np.uint64(1)
            if stamp[item] != pool:
                stamp[item] = pool
                if listed:
                    out[start + drawn] = item
                drawn += 1
        if listed:
            out[start : start + size].sort()
        else:
            place = start
            for row in range(low, high):
                if stamp[candidates[row]] != pool:
                    out[place] = candidates[row]
                    place += 1
