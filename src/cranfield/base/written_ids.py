"""Ids written as text: which of them are integers."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.integers import MOST_SPREAD

_CANONICAL_INTEGER = r"^(0|-?[1-9][0-9]*)$"


def ids_from_text(column: pl.Series) -> pl.Series:
    """Text ids as integers if every one of them is written as an integer would be.

    Leading zeros, signs and blanks are part of an id: "007" stays text, and so does the
    whole column, or it could not be written back as it was.
    """
    if column.dtype != pl.String or column.is_empty():
        return column
    if not re.fullmatch(_CANONICAL_INTEGER, column[0] or ""):
        return column
    if not column.head(1000).str.contains(_CANONICAL_INTEGER).all():
        return column
    numbers = column.cast(pl.Int64, strict=False)
    canonical = not numbers.null_count() and are_canonical(numbers, column.str.len_bytes())
    return numbers if canonical else column


def integers_of(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64] | None:
    """What `ids_from_text` makes of ids of up to eight bytes, given as words, their first byte
    lowest; None where it leaves them text.

    >>> integers_of(np.array([int.from_bytes(b"-72", "little")], np.uint64))
    array([-72])
    """
    from cranfield.base.kernels.written_ids import read_integers

    values = np.empty(len(words), np.int64)
    return values if read_integers(words, values) else None


def are_canonical(numbers: pl.Series, lengths: pl.Series) -> bool:
    """Whether texts of these lengths, which say these numbers, write them the usual way.

    Any other way (leading zeros, signs, blanks) takes more characters, so it is enough
    to count them.

    >>> are_canonical(pl.Series([7, -10]), pl.Series([1, 3]))
    True
    """
    values = numbers.to_numpy()
    if not len(values):
        return True
    low, high = int(values.min()), int(values.max())
    counts: npt.NDArray[np.int64] | int = 1
    if low >= 0 and high < MOST_SPREAD * len(values):
        counts = np.bincount(values)
        values = np.flatnonzero(counts)
        counts = counts[values]
    written = int(np.sum(_digits(values, high, low) * counts))
    return bool(int(lengths.cast(pl.Int64).sum()) == written)


def _digits(values: npt.NDArray[np.int64], high: int, low: int) -> npt.NDArray[np.int64]:
    """The characters that each number takes, its sign included."""
    digits = (values < 0).astype(np.int64) + 1
    for count in range(1, len(str(max(high, -low)))):
        digits += values >= 10**count
        digits += values <= -(10**count)
    return digits
