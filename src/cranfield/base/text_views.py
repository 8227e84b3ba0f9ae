"""The texts of a column as they lie in memory, by the C data interface of Arrow.

Polars keeps a text as a view of sixteen bytes: its length, and the text itself where that
has at most twelve bytes. So columns can be numbered without making a single text. See
https://arrow.apache.org/docs/format/CDataInterface.html for the structures.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import polars as pl

Views = npt.NDArray[np.uint64]

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
        yield [_words(piece) for piece in pieces if piece.length]
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


def _words(piece: _Array) -> Views:
    start = (piece.buffers[1] or 0) + _BYTES * piece.offset  # the first buffer tells gaps
    memory = (ctypes.c_uint64 * (2 * piece.length)).from_address(start)
    return np.frombuffer(memory, np.uint64).reshape(-1, 2)


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
