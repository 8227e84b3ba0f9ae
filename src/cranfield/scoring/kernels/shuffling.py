"""Random orders of targets, of which only where the judged ones stand is worked out."""

from __future__ import annotations

import numpy as np

from cranfield.base.kernels.draws import below, word
from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.kernels.topic_range import Codes, Ints


@kernel
def shuffle(
    key: np.uint64, offsets: Ints, targets: Ints, depth: int, rows: Ints, ranks: Codes, deck: Codes
) -> None:
    """Rows and ranks of each topic's judged targets: those down to a depth in order, then others.

    They draw one by one from a deck of all ranks, as Fisher and Yates do, the i-th from all
    but the first i: what it draws makes room for the i-th. ``deck`` is scratch space with a
    place for each rank, 0 where a rank lies in its own place, and is left so.
    """
    for topic in range(len(offsets) - 1):
        begin, end = offsets[topic], offsets[topic + 1]
        top, bottom = begin, end - 1
        for row in range(begin, end):
            place = row - begin
            drawn = place + below(word(key, np.uint64(row)), targets[topic] - place)
            rank = deck[drawn] if deck[drawn] else drawn + 1
            deck[drawn] = deck[place] if deck[place] else place + 1
            ranked = rank <= depth
            at = top if ranked else bottom
            rows[at], ranks[at] = row, rank if ranked else 0
            top, bottom = top + ranked, bottom - (not ranked)
        for row in range(begin, end):
            place = row - begin
            deck[place] = 0
            deck[place + below(word(key, np.uint64(row)), targets[topic] - place)] = 0
        sort_by_rank(rows[begin:top], ranks[begin:top])


@kernel
def sort_by_rank(rows: Ints, ranks: Codes) -> None:
    """Bring rows into ascending order of their ranks (Shell 1959, with the gaps of Knuth)."""
    gap = 1
    while gap < len(ranks) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for start in range(gap, len(ranks)):
            row, rank, at = rows[start], ranks[start], start
            while at >= gap and ranks[at - gap] > rank:
                rows[at], ranks[at] = rows[at - gap], ranks[at - gap]
                at -= gap
            rows[at], ranks[at] = row, rank
        gap //= 3
