"""Columns of integers that lie close together, coded by look-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.arrays import empty_array
from cranfield.base.threads import chunks

Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[Any]

KINDS = (pl.Int32, pl.Int64)
"""What columns of integers hold that are ids."""
MOST_SPREAD = 16
"""Integers at most this many times sparser than their count are coded by look-up."""
_LEAST_SPREAD = 1 << 16
"""A table this long is always worth it."""
_PIECE = 1 << 16
"""Rows coded at a time: so few that temporaries stay in the cache."""


def pieces_of(column: pl.Series) -> list[Integers]:
    """A column of integers as it lies in memory, none of it copied."""
    return [chunk.to_numpy() for chunk in column.get_chunks() if len(chunk)]


def bounds_if_close(pieces: Sequence[Integers], size: int) -> tuple[int, int] | None:
    """The lowest and the highest of so many integers, unless they lie too far apart."""
    low = min(int(piece.min()) for piece in pieces)
    high = max(int(piece.max()) for piece in pieces)
    return (low, high) if high - low < max(MOST_SPREAD * size, _LEAST_SPREAD) else None


def look_up_integers(column: pl.Series) -> tuple[pl.Series, Codes] | None:
    """The distinct integers of a column in their order, and the place of each row's among them.

    None where there are none, or they lie too far apart for a table.
    """
    if column.dtype not in KINDS or column.is_empty():
        return None
    whole = pieces_of(column)
    pieces = [array[part] for array in whole for part in chunks(len(array), _PIECE)]
    bounds = bounds_if_close(pieces, len(column))
    if bounds is None:
        return None
    low, high = bounds
    if 0 <= low <= high - low:
        low = 0  # a slightly longer look-up table saves a pass over all rows
    present = np.zeros(high - low + 1, dtype=bool)
    for piece in pieces:
        present[_less(piece, low)] = True
    code_of = np.cumsum(present, dtype=np.int32) - np.int32(1)
    codes, start = empty_array(len(column), np.int32), 0
    for piece in pieces:
        target = codes[start : (start := start + len(piece))]
        # Places are within bounds; clip spares the copy that checking would make.
        code_of.take(_less(piece, low), out=target, mode="clip")
    return pl.Series(np.flatnonzero(present) + low, dtype=pl.Int64), codes


def _less(values: Integers, low: int) -> npt.NDArray[np.int64]:
    """Values less the lowest, as places in a table."""
    wide = values.astype(np.int64, copy=False)
    return wide - low if low else wide
