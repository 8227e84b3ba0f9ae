"""Columns of integer ids that lie close together, numbered by a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.machine.arrays import empty_array
from cranfield.base.ragged import frozen
from cranfield.base.threads import chunks

Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[Any]
Places = npt.NDArray[np.int64]

_KINDS = (pl.Int32, pl.Int64)
"""What columns of integers hold that are ids."""
MOST_SPREAD = 16
"""Integers at most this many times sparser than their count are coded by look-up."""
_LEAST_SPREAD = 1 << 16
"""A table this long is always worth it."""
_PIECE = 1 << 16
"""Rows coded at a time: so few that temporaries stay in the cache."""
_SMALL = 1 << 16
"""Most ids are below it; a table for these is tried before the bounds are looked up."""
_ROWS_OF_A_RUN = 8
"""Runs of equal ids that are shorter, on average, are not noted."""


def _pieces_of(column: pl.Series) -> list[Integers]:
    """A column of integers as it lies in memory, none of it copied."""
    return [chunk.to_numpy() for chunk in column.get_chunks() if len(chunk)]


def _bounds_if_close(pieces: Sequence[Integers], size: int) -> tuple[int, int] | None:
    """The lowest and the highest of so many integers, unless they lie too far apart."""
    low = min(int(piece.min()) for piece in pieces)
    high = max(int(piece.max()) for piece in pieces)
    return (low, high) if high - low < max(MOST_SPREAD * size, _LEAST_SPREAD) else None


def look_up_integers(column: pl.Series) -> tuple[pl.Series, Codes] | None:
    """The distinct integers of a column in their order, and the place of each row's among them.

    None where there are none, or they lie too far apart for a table.
    """
    if column.dtype not in _KINDS or column.is_empty():
        return None
    whole = _pieces_of(column)
    pieces = [array[part] for array in whole for part in chunks(len(array), _PIECE)]
    bounds = _bounds_if_close(pieces, len(column))
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


def number_integers_of(
    column: pl.Series,
) -> tuple[pl.Series, Codes, Codes, Places | None] | None:
    """The distinct integers of a column in their order, a number for each row, by first
    occurrence, the place of each number's integer, and the rows whose integer is not that of
    the row before, unless they are many.

    None where there are none, or they lie too far apart for a table.
    """
    if column.dtype not in _KINDS or column.is_empty():
        return None
    pieces = [frozen(piece) for piece in _pieces_of(column)]
    low, high = 0, _SMALL - 1
    numbered = _numbered(pieces, low, high)
    if numbered is None:
        bounds = _bounds_if_close(pieces, len(column))
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
    from cranfield.base.kernels.ids import BEYOND, number_integers

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
