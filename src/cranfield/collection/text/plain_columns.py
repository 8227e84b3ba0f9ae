"""The columns of a plain text file, by compiled loops in one pass, ids numbered on the way.

Polars is not needed for it, so that a file can be read before Polars is loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.machine.arrays import empty_array
from cranfield.base.packed import GZIP, ZSTANDARD
from cranfield.base.ragged import offsets_of
from cranfield.base.schema import ITEM, RANK, RATING, SCORE, SYSTEM, USER
from cranfield.base.threads import in_threads, thread_count
from cranfield.collection.kernels import byte_marks, plain_text
from cranfield.collection.text.layout import BLANKS, TextLayout

ID_ROLES = (USER, ITEM, SYSTEM)
NUMBER_COLUMNS = {
    SCORE: plain_text.NUMBER,
    RATING: plain_text.NUMBER,
    RANK: plain_text.PLAIN_NUMBER,
}

_WORD, _NEWLINE = 8, ord("\n")
_BEYOND = byte_marks.AT_ONCE
"""Bytes after those of a piece that may be looked at, and are passed over."""
_PIECE, _BLOCK = 1 << 20, 1 << 14
"""Bytes that are read at a time, and those whose fields are found at a time: so few that
the caches of a processor hold them."""
_LEAST_BYTES = 1 << 20
"""Text that is worth a thread of its own."""
_FEWEST_SLOTS, _MOST_SLOTS = 1 << 16, 1 << 22
"""Slots of the tables of distinct ids; tables that get half full are made anew, larger."""
_TEXT = 8
"""Bytes of text for each slot."""

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class _Part(NamedTuple):
    """Some lines of a file: where they start and end, and the rows that they become."""

    path: Path
    layout: TextLayout
    start: int
    stop: int
    rows: slice = slice(0)


class _Columns(NamedTuple):
    """Arrays for the columns of all rows: ids by their roles, and numbers."""

    codes: tuple[Codes, ...]
    numbers: tuple[Floats, ...]

    def of(self, rows: slice) -> _Columns:
        """The arrays of some rows."""
        codes = tuple(column[rows] for column in self.codes)
        return _Columns(codes, tuple(column[rows] for column in self.numbers))


class _Tables:
    """The distinct ids of each column found so far; their number is limited by the slots."""

    def __init__(self, slots: int) -> None:
        columns = len(ID_ROLES)
        self.slots = np.full((columns, slots), -1, np.int32)
        self.keys = np.empty((columns, slots // 2), np.uint64)
        self.starts = np.zeros((columns, slots // 2), np.int64)
        self.texts = np.empty((columns, slots * _TEXT + _WORD), np.uint8)
        self.counts = np.zeros(columns + 1, np.int64)

    def names(self, column: int) -> Names:
        """The ids of a column, in the order in which they are numbered."""
        count = self.counts[column]
        text = self.texts[column, : self.starts[column, count]].tobytes()
        return Names(self.keys[column, :count].copy(), text)


class Names(NamedTuple):
    """Distinct ids: a key for each, and all of them as lines."""

    keys: npt.NDArray[np.uint64]
    text: bytes


class PlainColumns(NamedTuple):
    """The columns of a file, and for each of its parts the distinct ids of each column."""

    layout: TextLayout
    rows: tuple[slice, ...]
    """The rows of each part; its ids are numbered by themselves."""
    codes: tuple[Codes, ...]
    numbers: tuple[Floats, ...]
    names: tuple[list[Names], ...]


def read_plain(path: Path, layout: TextLayout) -> PlainColumns | None:
    """The columns of a file; None if it is packed or anything in it is unusual."""
    if sys.byteorder != "little":  # the first byte of a word is to be its lowest
        return None
    parts = _with_rows(_parts(path, layout))
    if not parts:
        return None
    columns = _columns_of(parts[-1].rows.stop)
    distinct = list(in_threads(partial(_read_part, columns), parts))
    known = tuple(names for names in distinct if names is not None)
    rows = tuple(part.rows for part in parts)
    return PlainColumns(layout, rows, *columns, known) if len(known) == len(parts) else None


def _parts(path: Path, layout: TextLayout) -> list[_Part]:
    """The parts of a file, each of whole lines; none if it is packed."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(4).startswith((GZIP, ZSTANDARD)):
            return []
        file.seek(0)
        for _ in range(layout.skipped):
            file.readline()
        starts = [file.tell()]
        left = size - starts[0]
        count = min(thread_count(), left // _LEAST_BYTES)
        for part in range(1, count):
            file.seek(starts[0] + left * part // count)
            file.readline()
            starts.append(file.tell())
    bounds = pairwise(sorted({*starts, size}))
    return [_Part(path, layout, start, stop) for start, stop in bounds]


def _with_rows(parts: list[_Part]) -> list[_Part]:
    """The parts with the rows that their lines become."""
    ends = offsets_of(np.array(list(in_threads(_count_lines, parts)), np.int64)).tolist()
    rows = (slice(start, stop) for start, stop in pairwise(ends))
    return [part._replace(rows=some) for part, some in zip(parts, rows, strict=True)]


def _count_lines(part: _Part) -> int:
    buffer = bytearray(_PIECE + _BEYOND)
    data = np.frombuffer(buffer, np.uint8)
    return sum(plain_text.count_lines(data, size) for size in _pieces(part, buffer))


def _columns_of(rows: int) -> _Columns:
    codes, numbers = empty_array(len(ID_ROLES) * rows, np.int32), empty_array(2 * rows, np.float64)
    return _Columns(tuple(codes.reshape(len(ID_ROLES), rows)), tuple(numbers.reshape(2, rows)))


def _read_part(columns: _Columns, part: _Part) -> list[Names] | None:
    """Fill the rows of a part; the ids of each column, None where something is unusual."""
    slots = _FEWEST_SLOTS
    while slots <= _MOST_SLOTS:
        tables = _Tables(slots)
        rows = _read_rows(part, tables, columns.of(part.rows))
        if rows == part.rows.stop - part.rows.start:
            return [tables.names(k) for k in range(len(ID_ROLES))]
        if rows != plain_text.FULL:
            break
        slots *= 16
    return None


def _read_rows(part: _Part, tables: _Tables, columns: _Columns) -> int:
    """Fill the columns; the number of rows, or why it ended early."""
    layout, (codes, numbers) = part.layout, columns
    by_name = {name: role for role, name in layout.roles.items()}
    roles = np.array([_kernel_role(by_name.get(name)) for name in layout.names], np.int64)
    buffer, foreign = bytearray(_PIECE + _BEYOND), _foreign(layout)
    data = np.frombuffer(buffer, np.uint8)
    known = tables.slots, tables.keys, tables.starts, tables.texts, tables.counts
    careful, ends = np.empty((2, _PIECE), np.int64), empty_array(_BLOCK, np.int64)
    spare = np.empty((2, _BLOCK), np.uint64)
    row = 0
    for size in _pieces(part, buffer):
        if not size:
            return plain_text.UNUSUAL
        above, row = row, plain_text.read_rows(
            data, 0, size, ord(layout.separator), foreign, roles, row, codes, numbers, careful,
            *known, ends, spare,
        )  # fmt: skip
        if row < 0:
            break
        if not _read_carefully(buffer, careful[:, : tables.counts[-1]], numbers[0][above:row]):
            return plain_text.UNUSUAL
    return row


def _foreign(layout: TextLayout) -> npt.NDArray[np.uint8]:
    """Bytes that need more than separators and ends of lines."""
    quotes, tabs = b'"' * layout.quoted, b"\t" * (layout.separator == BLANKS)
    return np.frombuffer(b"\r\x00" + quotes + tabs, np.uint8)


def _pieces(part: _Part, buffer: bytearray) -> Iterator[int]:
    """Whole lines in a buffer, again and again: how many bytes they are, 0 of one too long.

    The last line of a file may lack its end, and gets it.
    """
    held, left = 0, part.stop - part.start
    with part.path.open("rb", buffering=0) as file:
        file.seek(part.start)
        while left:
            got = file.readinto(memoryview(buffer)[held : min(held + left, _PIECE)]) or 0
            left, filled = left - got if got else 0, held + got
            if not left and not buffer.endswith(b"\n", 0, filled):
                buffer[filled] = _NEWLINE
                filled += 1
            end = buffer.rfind(b"\n", 0, filled) + 1
            yield end
            held = filled - end
            buffer[:held] = buffer[end:filled]
            if not end:
                return


def _read_carefully(buffer: bytearray, spans: Places, numbers: Floats) -> bool:
    """Fill in the numbers that take more care; tells whether all of them are numbers."""
    if not spans.size:
        return True
    import polars as pl

    places = zip(*spans.tolist(), strict=True)
    text = pl.Series([buffer[start:end].decode() for start, end in places], dtype=pl.String)
    values = text.cast(pl.Float64, strict=False)
    numbers[np.isnan(numbers)] = values.fill_null(np.nan).to_numpy()
    return not values.null_count()


def _kernel_role(role: str | None) -> int:
    if role in ID_ROLES:
        return plain_text.FIRST_ID + ID_ROLES.index(role)
    return NUMBER_COLUMNS.get(role or "", plain_text.SKIPPED)
