"""Plain text files in one pass: ids come out numbered, and numbers as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ids import Codes, Ids, encode_ids, ids_from_text
from cranfield.base.packed import GZIP, ZSTANDARD, reading
from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER
from cranfield.base.threads import in_threads, thread_count
from cranfield.collection.text_layout import BLANKS, Layout
from cranfield.recommendation.kernels import plain_text

_IDS = (USER, ITEM, SYSTEM)
_NUMBERS = {SCORE: plain_text.SCORE, RANK: plain_text.RANK}

_WORD, _NEWLINE = 8, ord("\n")
_BLOCK = 1 << 14
"""Bytes whose fields are found at a time."""
_LEAST_BYTES = 1 << 20
"""Text that is worth a thread of its own."""
_FEWEST_SLOTS, _MOST_SLOTS = 1 << 16, 1 << 22
"""Slots of the tables of distinct ids; tables that get half full are made anew, larger."""

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class Coded(NamedTuple):
    """A column of ids: the distinct ones, and for each row the place of its own."""

    ids: Ids
    rows: Codes


class Parsed(NamedTuple):
    """The columns of a plain text file by their roles."""

    ids: dict[str, Coded]
    numbers: dict[str, Floats]


class _Part(NamedTuple):
    """Some lines as they were read."""

    codes: Codes
    numbers: Floats
    distinct: list[list[str]]


def parse(path: Path, layout: Layout) -> Parsed | None:
    """The columns of a file, as Polars would read them; None if it has to look itself."""
    with reading(path):
        data = _read(path)
    if not _is_plain(data, layout):
        return None
    bounds = _bounds(data, layout)
    work = partial(_read_part, data, layout)
    parts = list(in_threads(work, pairwise(bounds)))
    read = [part for part in parts if part is not None]
    return _joined(read, layout.roles) if len(read) == len(parts) > 0 else None


def _read(path: Path) -> bytearray:
    """A file that ends in a line's end, and so many more bytes that words can be taken."""
    with path.open("rb") as file:
        if file.read(4).startswith((GZIP, ZSTANDARD)):
            return bytearray()
        data = bytearray(path.stat().st_size + _WORD)
        file.seek(0)
        size = file.readinto(memoryview(data)[:-_WORD])
    data[size:] = b"\n" * _WORD
    return data


def _is_plain(data: bytearray, layout: Layout) -> bool:
    """Whether nothing is in a file that needs more than separators and ends of lines."""
    foreign = [b"\r", b"\x00"]
    foreign += [b'"'] if layout.quoted else []
    foreign += [b"\t"] if layout.separator == BLANKS else []
    return data.isascii() and not any(each in data for each in foreign)


def _bounds(data: bytearray, layout: Layout) -> list[int]:
    """Where the parts of a file start, each at a line, and the end."""
    start, stop = 0, len(data) - _WORD
    for _ in range(layout.skipped):
        start = data.find(b"\n", start) + 1
    if start >= stop:
        return []
    stop += data[stop - 1] != _NEWLINE
    count = max(1, min(thread_count(), (stop - start) // _LEAST_BYTES))
    inner = [start + (stop - start) * part // count for part in range(1, count)]
    return [start, *(data.find(b"\n", at) + 1 for at in inner), stop]


def _read_part(data: bytearray, layout: Layout, bounds: tuple[int, int]) -> _Part | None:
    """The lines between two places; None where something is unusual."""
    by_name = {name: role for role, name in layout.roles.items()}
    columns = np.array([_kernel_role(by_name.get(name)) for name in layout.names], np.int64)
    text = np.frombuffer(data, np.uint8)
    words = np.ndarray(len(data) - _WORD, np.int64, data, strides=(1,))
    fields = np.empty(_BLOCK, np.int64)
    # A row has at least a byte and a separator for each column; what is not used is not touched.
    most = (bounds[1] - bounds[0]) // (2 * len(columns)) + 1
    codes, numbers = np.zeros((len(_IDS), most), np.int32), np.empty((2, most))
    careful = np.empty((2, most), np.int64)
    rows, slots = plain_text.FULL, _FEWEST_SLOTS
    while rows == plain_text.FULL and slots <= _MOST_SLOTS:
        table = np.full((len(_IDS), slots), -1, np.int32)
        known = np.zeros((len(_IDS), slots // 2, 3), np.int64)
        counts = np.zeros(len(_IDS) + 1, np.int64)
        rows = plain_text.read_rows(
            text, words, *bounds, ord(layout.separator), columns, codes, numbers, careful,
            table, known, counts, fields,
        )  # fmt: skip
        slots *= 16
    if rows < 0 or not _read_carefully(data, careful[:, : counts[-1]], numbers[0, :rows]):
        return None
    distinct = [
        _texts(data, known[k, :n, 1], known[k, :n, 2]) for k, n in enumerate(counts[:-1].tolist())
    ]
    return _Part(codes[:, :rows], numbers[:, :rows], distinct)


def _texts(data: bytearray, starts: Places, ends: Places) -> list[str]:
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return [data[start:end].decode() for start, end in spans]


def _read_carefully(data: bytearray, spans: Places, scores: Floats) -> bool:
    """Fill in the scores that take more care; tells whether all of them are numbers."""
    if not spans.size:
        return True
    text = pl.Series(_texts(data, *spans), dtype=pl.String)
    values = text.cast(pl.Float64, strict=False)
    scores[np.isnan(scores)] = values.fill_null(np.nan).to_numpy()
    return not values.null_count()


def _kernel_role(role: str | None) -> int:
    if role in _IDS:
        return plain_text.FIRST_ID + _IDS.index(role)
    return _NUMBERS.get(role or "", plain_text.SKIPPED)


def _joined(parts: list[_Part], roles: Mapping[str, str]) -> Parsed:
    """All parts as one."""
    ids = {role: _coded(parts, k, role) for k, role in enumerate(_IDS) if role in roles}
    numbers = {
        role: np.concatenate([part.numbers[k] for part in parts])
        for role, k in _NUMBERS.items()
        if role in roles
    }
    return Parsed(ids, numbers)


def _coded(parts: list[_Part], table: int, role: str) -> Coded:
    """A column of ids: those of each part in the order of all."""
    names = [part.distinct[table] for part in parts]
    column = pl.Series([name for some in names for name in some], dtype=pl.String)
    distinct, codes = encode_ids(column if role == SYSTEM else ids_from_text(column))
    places = np.split(codes, np.cumsum([len(some) for some in names])[:-1])
    rows = [mine.take(part.codes[table]) for mine, part in zip(places, parts, strict=True)]
    return Coded(distinct, np.concatenate(rows))
