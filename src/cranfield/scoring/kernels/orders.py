"""How judged items lie in the lists of many topics, and in what order of their ratings."""

from __future__ import annotations

import numpy as np

from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import Ints, TopicRange


@kernel
def unrated(part: TopicRange, cuts: Ints, rows: Ints, out: Floats) -> None:
    """Unjudged share of what is in the top n."""
    offsets, ranks, lengths = part.offsets, part.ranks, part.lengths
    for t in range(len(lengths)):
        row, stop = offsets[t], offsets[t + 1]
        for c in range(len(cuts)):
            while row < stop and 0 < ranks[row] <= cuts[c]:
                row += 1
            depth = min(cuts[c], lengths[t])
            out[t, rows[0, c]] = 1 - (row - offsets[t]) / depth if depth > 0 else np.nan


@kernel
def kendall_tau(part: TopicRange, rows: Ints, out: Floats) -> None:
    """Pairs in order less pairs out of order, over all pairs."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(part.lengths)):
        start, row, discordant = offsets[t], offsets[t], 0
        while row < offsets[t + 1] and ranks[row] > 0:
            for above in range(start, row):
                discordant += codes[above] < codes[row]
            row += 1
        m = row - start
        out[t, rows[0, 0]] = 1 - 4 * discordant / (m * (m - 1)) if m > 1 else np.nan


@kernel
def tau_ap(part: TopicRange, rows: Ints, out: Floats) -> None:
    """Mean share of items rightly above, from the second rank on."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(part.lengths)):
        start, row, shares = offsets[t], offsets[t], 0.0
        while row < offsets[t + 1] and ranks[row] > 0:
            right = 0
            for above in range(start, row):
                right += codes[above] >= codes[row]
            shares += right / (row - start) if row > start else 0.0
            row += 1
        m = row - start
        out[t, rows[0, 0]] = 2 * shares / (m - 1) - 1 if m > 1 else np.nan


@kernel
def rbo(part: TopicRange, p: float, shared: Ints, rows: Ints, out: Floats) -> None:
    """Expected agreement at the depth where a reader stops; ``shared`` is scratch space."""
    offsets, ranks, codes = part.offsets, part.ranks, part.codes
    for t in range(len(part.lengths)):
        start, stop = offsets[t], offsets[t]
        while stop < offsets[t + 1] and ranks[stop] > 0:
            shared[stop - start] = 0
            stop += 1
        for i in range(start, stop):
            place = 0
            for j in range(start, stop):
                place += codes[j] > codes[i] or (codes[j] == codes[i] and j < i)
            shared[max(place, i - start)] += 1
        overlap, added, weight = 0, 0.0, 1 - p
        for d in range(stop - start):
            overlap += shared[d]
            added += weight * overlap / (d + 1)
            weight *= p
        out[t, rows[0, 0]] = added + p ** (stop - start) if stop > start else np.nan
