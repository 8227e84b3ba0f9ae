"""Pairs that were rated more than once: what is kept of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.collection.columns import Floats, Times

Rows = npt.NDArray[np.int64]

Kept = Literal["last", "first", "max", "mean"]
"""The last by time (by row where times are equal or absent), the first likewise, the highest,
or their mean."""


def resolve(
    values: Floats, times: Times | None, again: Rows, keep: Kept
) -> tuple[Rows, Floats, Times | None]:
    """A row of each pair, and what its rating and its time become.

    Rows of a pair stand together, in file order; ``again`` are those after its first.
    """
    begins = np.ones(len(values), dtype=bool)
    begins[again] = False
    starts, pair = np.flatnonzero(begins), np.cumsum(begins)
    if keep in ("max", "mean"):
        total = np.maximum if keep == "max" else np.add
        rows = np.lexsort((values, pair))  # a sum depends on the order of its terms
        merged = total.reduceat(values[rows], starts)
        if keep == "mean":
            merged = merged / np.diff(np.append(starts, len(values)))
        return starts, merged, None if times is None else np.maximum.reduceat(times, starts)
    known = np.zeros(len(values), np.int64) if times is None else times
    by_time = np.lexsort((known, pair))
    chosen = by_time[starts if keep == "first" else np.append(starts[1:], len(values)) - 1]
    return chosen, values[chosen], None if times is None else times[chosen]
