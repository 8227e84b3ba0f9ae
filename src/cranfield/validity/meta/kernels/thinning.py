"""Hits without some rows, in one pass; see `validity.meta.thinning.thin`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.scores import Flags, Floats

Codes = npt.NDArray[np.int32]


def fast_thin(hits: Hits, numbers: Codes, remaining: Flags) -> Hits:
    """Hits without the rows whose pair does not remain.

    ``numbers`` are the pairs of the rows. Bounds of tied ranks are dropped.
    """
    rows = len(numbers)
    offsets = np.empty_like(hits.offsets)
    items, ranks = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
    ratings = np.empty(rows)
    given = hits.items, hits.ratings, hits.ranks
    size = _thin(hits.offsets, numbers, remaining, given, (offsets, items, ratings, ranks))
    ranks = ranks[:size]
    return replace(
        hits,
        offsets=offsets,
        items=items[:size],
        ratings=ratings[:size],
        ranks=ranks,
        first=ranks,
        last=ranks,
    )


@kernel
def _thin(
    offsets: npt.NDArray[np.int64],
    numbers: Codes,
    remaining: Flags,
    given: tuple[Codes, Floats, Codes],
    out: tuple[npt.NDArray[np.int64], Codes, Floats, Codes],
) -> int:
    items, ratings, ranks = given
    new_offsets, new_items, new_ratings, new_ranks = out
    at = 0
    new_offsets[0] = 0
    for topic in range(len(offsets) - 1):
        for row in range(offsets[topic], offsets[topic + 1]):
            # Always written and overwritten if it leaves: no branch to mispredict.
            new_items[at] = items[row]
            new_ratings[at] = ratings[row]
            new_ranks[at] = ranks[row]
            at += int(remaining[numbers[row]])
        new_offsets[topic + 1] = at
    return at
