"""Columns of integers numbered by a compiled loop, which takes a fraction of the time."""

from __future__ import annotations

import numpy as np
import polars as pl

from cranfield.base.arrays import empty_array
from cranfield.base.integers import KINDS, Integers, bounds_if_close, pieces_of
from cranfield.base.kernels.integer_codes import BEYOND, Places, number_integers
from cranfield.base.kernels.numbering import Codes
from cranfield.base.ragged import frozen

_SMALL = 1 << 16
"""Most ids are below it; a table for these is tried before anyone looks how far others go."""
_ROWS_OF_A_RUN = 8
"""Runs of equal ids that are shorter, on average, are not noted."""


def number_integers_of(
    column: pl.Series,
) -> tuple[pl.Series, Codes, Codes, Places | None] | None:
    """The distinct integers of a column in their order, a number for each row, by first
    occurrence, the place of each number's integer, and the rows whose integer is not that of
    the row before, unless they are many.

    None where there are none, or they lie too far apart for a table.
    """
    if column.dtype not in KINDS or column.is_empty():
        return None
    pieces = [frozen(piece) for piece in pieces_of(column)]
    low, high = 0, _SMALL - 1
    numbered = _numbered(pieces, low, high)
    if numbered is None:
        bounds = bounds_if_close(pieces, len(column))
        if bounds is None:
            return None
        low, high = bounds
        numbered = _numbered(pieces, low, high)
        assert numbered is not None, "all lie within their bounds"
    codes, numbers, changes = numbered
    found = np.flatnonzero(numbers >= 0)
    places = np.empty(len(found), np.int32)
    places[numbers[found]] = np.arange(len(found), dtype=np.int32)
    return pl.Series(found + low, dtype=pl.Int64), codes, places, changes


def _numbered(
    pieces: list[Integers], low: int, high: int
) -> tuple[Codes, Codes, Places | None] | None:
    """The number of each row by first occurrence; the number of each integer between bounds;
    and the rows where the number changes. None if an integer is out of bounds.
    """
    size = sum(map(len, pieces))
    codes, numbers = empty_array(size, np.int32), np.full(high - low + 1, -1, np.int32)
    changes, state = np.empty(size // _ROWS_OF_A_RUN + 1, np.int64), np.array([0, -1])
    start = count = 0
    for piece in pieces:
        out = codes[start : start + len(piece)]
        count = number_integers(piece, start, low, out, numbers, count, changes, state)
        if count == BEYOND:
            return None
        start += len(piece)
    return codes, numbers, changes[: state[0]] if state[0] <= len(changes) else None
