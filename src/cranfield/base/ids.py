"""External ids and the dense codes that stand for them inside.

Codes number the distinct ids in their own order (integers by value, text by code
point), so they depend on the set of ids alone and never on the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from polars.exceptions import ComputeError, InvalidOperationError

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue
from cranfield.base.integer_ids import look_up_integers, number_integers_of
from cranfield.base.storable import storable
from cranfield.base.text_ids import find_texts, number_texts

Codes = npt.NDArray[np.int32]

COMPILED_ROWS = 1 << 10
"""Rows from which a compiled loop is used; the result is the same without."""


@storable
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

    def content(self, codes: npt.NDArray[np.integer]) -> bytes | npt.NDArray[np.int64]:
        """Some ids as a fingerprint takes them: integers as they are, text after its lengths."""
        values = self.take(codes)
        if not self.are_text:
            return values.to_numpy()
        lengths = values.str.len_bytes().to_numpy().astype("<u4").tobytes()
        return lengths + "".join(values.to_list()).encode()

    def encode(self, ids: pl.Series | Iterable[int | str]) -> Codes:
        """The codes of ids; −1 for an id that is not among these.

        The integer 7 and the text "7" are the same id here, as they are in a union.

        >>> Ids(pl.Series([3, 7])).encode([7, 7, 1])
        array([ 1,  1, -1], dtype=int32)
        """
        wanted = ids if isinstance(ids, pl.Series) else pl.Series(list(ids))
        if wanted.is_empty() or not len(self):
            return np.full(len(wanted), -1, dtype=np.int32)
        wanted = as_ids(wanted)
        if len(wanted) == len(self) and wanted.equals(self.values):
            return np.arange(len(self), dtype=np.int32)
        if self.are_text:
            text = wanted.cast(pl.String)
            found = find_texts(self.values, text) if len(text) >= COMPILED_ROWS else None
            if found is not None:
                return found
            codes = text.cast(self._enum, strict=False).to_physical().cast(pl.Int32)
            return codes.fill_null(-1).to_numpy()
        if wanted.dtype == pl.String:
            return self._encode_text(wanted)
        known, asked = self.values.to_numpy(), wanted.to_numpy()
        places = np.minimum(np.searchsorted(known, asked), len(known) - 1).astype(np.int32)
        return np.where(known[places] == asked, places, np.int32(-1)).astype(np.int32)

    def _encode_text(self, wanted: pl.Series) -> Codes:
        """The codes of integers written as text, such as 7 but not 007."""
        numbers = wanted.cast(pl.Int64, strict=False)
        written = (numbers.cast(pl.String) == wanted).fill_null(False)
        return np.where(written.to_numpy(), self.encode(numbers.fill_null(0)), np.int32(-1))

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


class Coded(NamedTuple):
    """A column of ids: the distinct ones, and for each row the place of its own."""

    ids: Ids
    rows: Codes


class Numbered(NamedTuple):
    """A column of ids: the distinct ones, a number for each row, and for each number the
    place of its id.

    ``changes`` are the rows whose id is not that of the row before, if they are known.
    """

    ids: Ids
    rows: Codes
    places: Codes
    changes: npt.NDArray[np.int64] | None = None

    @classmethod
    def in_order(cls, coded: Coded) -> Numbered:
        """A column whose numbers are the places of its ids."""
        return cls(*coded, np.arange(len(coded.ids), dtype=np.int32))

    def coded(self) -> Coded:
        """The column with the place of each row's id; the numbers are overwritten."""
        if (self.places[1:] < self.places[:-1]).any():
            from cranfield.base.kernels.ids import renumber

            renumber(self.rows, self.places)
        return Coded(self.ids, self.rows)


def used_codes(counts: npt.NDArray[np.int64], codes: Codes) -> tuple[npt.NDArray[np.int64], Codes]:
    """The codes in use, and the given codes renumbered among them."""
    used = counts > 0
    return np.flatnonzero(used), (np.cumsum(used, dtype=np.int32) - 1)[codes]


def as_ids(
    column: pl.Series,
    where: str = "ids",
    name: str = "id",
    line_of: Callable[[int], int] | None = None,
    *,
    narrow: bool = False,
) -> pl.Series:
    """A column as ids: 64-bit integers where it holds integers, else text.

    Whole floats become integers (a table with a gap turns integers into floats), and
    integers of more than 64 bits text. Missing ids and broken numbers are refused.
    With ``narrow`` integers of 32 bits stay so, which is enough for `encode_ids`.
    """
    ids, wanted = column, "an id"
    if narrow and column.dtype == pl.Int32:
        pass
    elif column.dtype.is_integer():
        ids = column.cast(pl.Int64, strict=False)
        ids = ids if ids.null_count() == column.null_count() else column.cast(pl.String)
    elif column.dtype.is_numeric():
        whole = column.cast(pl.Int64, strict=False)
        ids = whole.set(whole.cast(column.dtype) != column, None)
        wanted = "a whole number or text"
    elif column.dtype.is_nested():
        ids = pl.repeat(None, len(column), dtype=pl.String, eager=True)
    elif column.dtype == pl.Object:  # of various types, and one at least is no id
        fit = (str(each) if isinstance(each, int | str) else None for each in column.to_list())
        ids = pl.Series(list(fit), dtype=pl.String)
    elif column.dtype == pl.Binary:
        ids = pl.Series([_decoded(value) for value in column], dtype=pl.String)
    elif column.dtype != pl.String:
        ids = _as_text(column)
    if ids.null_count():
        row = int(ids.is_null().arg_max() or 0)
        place = f"{where}, row {row + 1}" if line_of is None else where
        raise BadValue(place, name, cell(column, row), wanted, line=line_of and line_of(row))
    return ids


def as_names(column: pl.Series, where: str, wanted: str) -> pl.Series:
    """A column as names; a row without one, or of a type that has no text, is refused."""
    names = _as_text(column)
    if names.null_count():
        row = int(names.is_null().arg_max() or 0)
        raise BadValue(f"{where}, row {row + 1}", column.name, cell(column, row), wanted)
    return names


def _as_text(column: pl.Series) -> pl.Series:
    """Values as text; nothing where Polars has none for their type, such as spans of time."""
    try:
        return column.cast(pl.String, strict=False)
    except (InvalidOperationError, ComputeError):
        return pl.repeat(None, len(column), dtype=pl.String, eager=True)


def _decoded(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def cell(column: pl.Series, row: int) -> object:
    """One value of a column as a message shows it; of a list, only what it is a list of."""
    return column.dtype if column.dtype.is_nested() else column[row]


def encode_ids(column: pl.Series) -> Coded:
    """The distinct ids of a column, such as `as_ids` gives, and the code of each row."""
    numbered = _numbered(column)
    if numbered is not None:
        return numbered.coded()
    looked_up = look_up_integers(column)
    if looked_up is not None:
        return Coded(Ids(looked_up[0]), looked_up[1])
    wide = as_ids(column)
    ids = Ids(wide.unique().sort().rechunk())
    return Coded(ids, ids.encode(wide))


def number_ids(column: pl.Series) -> Numbered:
    """The same with numbers in any order, which saves a pass over the rows."""
    return _numbered(column) or Numbered.in_order(encode_ids(column))


def _numbered(column: pl.Series) -> Numbered | None:
    """A column numbered by a compiled loop; None where it is short, or no loop can do it."""
    if len(column) < COMPILED_ROWS:
        return None
    number = number_texts if column.dtype == pl.String else number_integers_of
    numbered = number(column)
    return None if numbered is None else Numbered(Ids(numbered[0]), *numbered[1:])


def numbered_ids(prefix: str, size: int) -> Ids:
    """Ids of a prefix and a number from 1, padded so that their order is that of numbers.

    >>> numbered_ids("u", 12)[11]
    'u0012'
    """
    digits = max(4, len(str(size)))
    names = [f"{prefix}{number:0{digits}}" for number in range(1, size + 1)]
    return Ids(pl.Series(names, dtype=pl.String))
