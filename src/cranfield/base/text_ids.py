"""Columns of text ids: short ones numbered where they lie, and which texts are integers.

Polars keeps a text as a view of sixteen bytes: its length, and the text itself where that
has at most twelve bytes. So columns can be numbered without making a single text. See
https://arrow.apache.org/docs/format/CDataInterface.html for the structures.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.integer_ids import MOST_SPREAD
from cranfield.base.machine.arrays import empty_array

Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint32]
Views = npt.NDArray[np.uint64]

_CANONICAL_INTEGER = r"^(0|-?[1-9][0-9]*)$"
_FEWEST_SLOTS, _MOST_SLOTS = 1 << 16, 1 << 22
"""Slots of the table of distinct texts; a table that gets half full is made anew, larger."""


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
    from cranfield.base.kernels.ids import read_integers

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


def number_texts(column: pl.Series) -> tuple[pl.Series, Codes, Codes, Places | None] | None:
    """The distinct texts of a column in their order, a number for each row, by first
    occurrence, the place of each number's text, and the rows whose text is not that of the
    row before, unless they are many.

    None where a text is missing or has more than twelve bytes.
    """
    if column.dtype != pl.String or column.null_count():
        return None
    with text_views(column) as views:
        numbered = _numbered(views) if sum(map(len, views)) == len(column) else None
    if numbered is None:
        return None
    numbers, rows, known, changes = numbered
    order = _order(known)
    # By index, which takes half the time of `gather`: that makes a query of it.
    texts = column[rows if order is None else rows[order]].rechunk()
    if order is None:
        order = texts.arg_sort().to_numpy()
        texts = texts.gather(order)
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return texts, numbers, places, changes


def _order(views: Views) -> npt.NDArray[np.intp] | None:
    """How texts ascend: as their bytes do; None if the first eight do not tell."""
    half = np.uint64(32)
    first = ((views[:, 0] >> half) | (views[:, 1] << half)).byteswap()
    order = np.argsort(first)
    ascending = first[order]
    return None if (ascending[1:] == ascending[:-1]).any() else order


def find_texts(known: pl.Series, wanted: pl.Series) -> Codes | None:
    """For each wanted text its place among the known ones, which are distinct; −1 for none.

    None where a text is missing or has more than twelve bytes.
    """
    if known.null_count() or wanted.null_count():
        return None
    with text_views(known) as views, text_views(wanted) as more:
        complete = sum(map(len, [*views, *more])) == len(known) + len(wanted)
        numbered = _numbered([*views, *more]) if complete else None
    if numbered is None:
        return None
    codes = numbered[0][len(known) :]  # the known ones are numbered first, in their order
    return np.where(codes < len(known), codes, np.int32(-1))


def _numbered(views: list[Views]) -> tuple[Codes, Rows, Views, Places | None] | None:
    """The number of each row by first occurrence; the first row and the view of each number;
    and the rows where the number changes, unless they are many.
    """
    from cranfield.base.kernels.ids import FULL, number_views

    codes, slots = empty_array(sum(map(len, views)), np.int32), _FEWEST_SLOTS
    while slots <= _MOST_SLOTS:
        table, rows = np.full(slots, -1, np.int32), np.empty(slots // 2, np.uint32)
        known, start, count = np.empty((slots // 2, 2), np.uint64), 0, 0
        changes, state = np.empty_like(rows), np.array([0, -1])
        for piece in views:
            out = codes[start : start + len(piece)]
            count = number_views(piece, start, out, table, known, rows, count, changes, state)
            if count < 0:
                break
            start += len(piece)
        if count >= 0:
            few = changes[: state[0]].astype(np.int64) if state[0] <= len(changes) else None
            return codes, rows[:count], known[:count], few
        if count != FULL:
            break
        slots *= 8
    return None


_FORMAT, _BYTES = b"vu", 16
"""How Arrow calls a column of text in views, and how long one is."""

_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Get = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Schema(ctypes.Structure):
    _fields_ = (
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", _Release),
        ("private_data", ctypes.c_void_p),
    )


class _Array(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", _Release),
        ("private_data", ctypes.c_void_p),
    )


class _Stream(ctypes.Structure):
    _fields_ = (
        ("get_schema", _Get),
        ("get_next", _Get),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


@contextmanager
def text_views(column: pl.Series) -> Iterator[list[Views]]:
    """The views of a column, two words each, piece by piece; none if it has no such views,
    or words have their last bytes first.

    They are the column's own memory, to be read and only for as long as this is open.
    """
    pieces = list(_pieces(column))
    try:
        yield [_words_of(piece) for piece in pieces if piece.length]
    finally:
        for piece in pieces:
            piece.release(ctypes.addressof(piece))


def _pieces(column: pl.Series) -> Iterator[_Array]:
    capsule = column.__arrow_c_stream__()
    address = _pointer(capsule, b"arrow_array_stream")
    stream, schema = _Stream.from_address(address), _Schema()
    if stream.get_schema(address, ctypes.addressof(schema)):
        return
    is_text = schema.format == _FORMAT and sys.byteorder == "little"
    schema.release(ctypes.addressof(schema))
    while is_text:
        piece = _Array()
        failed = stream.get_next(address, ctypes.addressof(piece))
        if failed or not piece.release:  # that is how a stream says it is over
            return
        yield piece


def _words_of(piece: _Array) -> Views:
    start = (piece.buffers[1] or 0) + _BYTES * piece.offset  # the first buffer tells gaps
    memory = (ctypes.c_uint64 * (2 * piece.length)).from_address(start)
    return np.frombuffer(memory, np.uint64).reshape(-1, 2)


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
