"""External ids and the dense codes that stand for them inside.

Codes number the distinct ids in their own order (integers by value, text by code
point), so they depend on the set of ids alone and never on the order of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadValue

Codes = npt.NDArray[np.int32]

_CANONICAL_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
_MOST_SPREAD = 16
"""Integers at most this many times sparser than their count are coded by look-up."""


@dataclass(frozen=True, eq=False)
class Ids:
    """Distinct ids in ascending order; the code of an id is its place.

    Ids are all integers or all text. Two of the same ids are equal.
    """

    values: pl.Series

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Ids)
            and self.values.dtype == other.values.dtype
            and self.values.equals(other.values)
        )

    def __hash__(self) -> int:
        return hash((len(self), str(self.values.dtype)))

    @property
    def are_text(self) -> bool:
        """Whether the ids are text rather than integers."""
        return self.values.dtype == pl.String

    def __getitem__(self, code: int) -> int | str:
        value: int | str = self.values[int(code)]
        return value

    def take(self, codes: npt.NDArray[np.integer]) -> pl.Series:
        """The ids that codes stand for."""
        return self.values.gather(codes)

    def encode(self, ids: pl.Series | Iterable[int | str]) -> Codes:
        """The codes of ids; −1 for an id that is not among these.

        >>> Ids(pl.Series([3, 7])).encode([7, 7, 1])
        array([ 1,  1, -1], dtype=int32)
        """
        wanted = ids if isinstance(ids, pl.Series) else pl.Series(list(ids))
        if wanted.is_empty() or not len(self):
            return np.full(len(wanted), -1, dtype=np.int32)
        wanted = as_ids(wanted)
        if wanted.dtype != self.values.dtype:
            return np.full(len(wanted), -1, dtype=np.int32)
        if self.are_text:
            codes = wanted.cast(self._enum, strict=False).to_physical().cast(pl.Int32)
            return codes.fill_null(-1).to_numpy()
        known, asked = self.values.to_numpy(), wanted.to_numpy()
        places = np.minimum(np.searchsorted(known, asked), len(known) - 1).astype(np.int32)
        return np.where(known[places] == asked, places, np.int32(-1)).astype(np.int32)

    @cached_property
    def _enum(self) -> pl.Enum:
        return pl.Enum(self.values)

    def union(self, other: Ids) -> Ids:
        """All ids of both."""
        if self == other:
            return self
        left, right = self.values, other.values
        if left.dtype != right.dtype:
            left, right = left.cast(pl.String), right.cast(pl.String)
        return Ids(pl.concat([left, right]).unique().sort().rechunk())


def as_ids(column: pl.Series, where: str = "ids", name: str = "id") -> pl.Series:
    """A column as ids: 64-bit integers where it holds integers, else text.

    Whole floats become integers (a table with a gap turns integers into floats).
    Missing ids and broken numbers are refused.
    """
    if column.null_count():
        line = column.is_null().arg_max()
        raise BadValue(where, name, f"nothing (row {(line or 0) + 1})", "an id")
    if column.dtype.is_integer():
        return column.cast(pl.Int64)
    if column.dtype.is_float():
        whole = column.cast(pl.Int64, strict=False)
        wrong = (whole.is_null() | (whole.cast(column.dtype) != column)).fill_null(True)
        if wrong.any():
            raise BadValue(where, name, column.filter(wrong)[0], "a whole number or text")
        return whole
    return column.cast(pl.String)


def ids_from_text(column: pl.Series) -> pl.Series:
    """Text ids as integers if every one of them is written as an integer would be.

    Leading zeros, signs and blanks are part of an id: "007" stays text, and so does the
    whole column, or it could not be written back as it was.
    """
    if column.dtype != pl.String or column.is_empty():
        return column
    if not column.head(1000).str.contains(_CANONICAL_INTEGER).all():
        return column
    numbers = column.cast(pl.Int64, strict=False)
    canonical = not numbers.null_count() and are_canonical(numbers, column.str.len_bytes())
    return numbers if canonical else column


def are_canonical(numbers: pl.Series, lengths: pl.Series) -> bool:
    """Whether texts of these lengths, which say these numbers, write them the usual way.

    Any other way (leading zeros, signs, blanks) takes more characters, so it is enough
    to count them.

    >>> are_canonical(pl.Series([7, -10]), pl.Series([1, 3]))
    True
    """
    values = numbers.to_numpy()
    low, high = int(values.min()), int(values.max())
    written = len(values) + (np.count_nonzero(values < 0) if low < 0 else 0)
    for digits in range(1, len(str(max(high, -low)))):
        written += np.count_nonzero(values >= 10**digits)
        written += np.count_nonzero(values <= -(10**digits)) if low < 0 else 0
    return int(lengths.cast(pl.Int64).sum()) == written


def encode_ids(column: pl.Series) -> tuple[Ids, Codes]:
    """The distinct ids of a column and the code of each row."""
    if column.dtype == pl.Int64 and len(column):
        values = column.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < max(_MOST_SPREAD * len(values), 1 << 16):
            return _encode_by_look_up(values, low, high)
    ids = Ids(column.unique().sort().rechunk())
    return ids, ids.encode(column)


def _encode_by_look_up(values: npt.NDArray[np.int64], low: int, high: int) -> tuple[Ids, Codes]:
    """Ids and codes of integers that lie close together."""
    if 0 <= low <= high - low:
        low = 0  # a slightly longer look-up table saves a pass over all rows
    places = values - low if low else values
    present = np.zeros(high - low + 1, dtype=bool)
    present[places] = True
    codes = (np.cumsum(present, dtype=np.int32) - np.int32(1)).take(places)
    return Ids(pl.Series(np.flatnonzero(present) + low, dtype=pl.Int64)), codes


def numbered_ids(prefix: str, size: int) -> Ids:
    """Ids of a prefix and a number from 1, padded so that their order is that of numbers.

    >>> numbered_ids("u", 12)[11]
    'u0012'
    """
    digits = max(4, len(str(size)))
    names = [f"{prefix}{number:0{digits}}" for number in range(1, size + 1)]
    return Ids(pl.Series(names, dtype=pl.String))
