"""Bytes eight or 64 at a time, as processors look at them; of the latter a bit each.

Numba has no such operations of its own. They are words, vectors and bits of LLVM, which
finds the best instructions of any processor for them. Nobody checks whether all bytes that
they look at are there. Beside each stands what it means in Python, which ``NUMBA_DISABLE_JIT``
runs instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

_config: Any = config

AT_ONCE = 64
"""Bytes that are looked at together at most; so many must be there from any place on."""

Bytes = npt.NDArray[np.uint8]

_BYTE, _PLACE, _WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_BYTES, _PLACES = ir.VectorType(_BYTE, AT_ONCE), ir.VectorType(_PLACE, AT_ONCE)


def _operation(meaning: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """What only kernels may call: a definition is called with types alone.

    Where nothing is compiled, it is its meaning.
    """
    return lambda define: meaning if _config.DISABLE_JIT else intrinsic(define)


def plain_word_at(data: Bytes, at: int) -> np.uint64:
    """Eight bytes from a place on."""
    return np.uint64(data[int(at) : int(at) + 8].view(np.uint64)[0])


def plain_marks(data: Bytes, at: int, byte: int) -> np.uint64:
    """Of 64 bytes from a place on, which are a given one."""
    return _packed(_bytes_at(data, at) == byte)


def plain_high_marks(data: Bytes, at: int) -> np.uint64:
    """Of 64 bytes from a place on, which are no ASCII."""
    return _packed(_bytes_at(data, at) >= 128)


def plain_first_mark(marked: int) -> int:
    """The lowest bit of a word that is set, 64 if none is."""
    bits = int(marked)
    return (bits & -bits).bit_length() - 1 if bits else AT_ONCE


def plain_count_marks(marked: int) -> int:
    """How many bits of a word are set."""
    return int(marked).bit_count()


def _bytes_at(data: Bytes, at: int) -> Bytes:
    return data[int(at) : int(at) + AT_ONCE]


def _packed(found: npt.NDArray[np.bool_]) -> np.uint64:
    """Truth values as the bits of a word, the first one lowest."""
    return np.uint64(int.from_bytes(np.packbits(found, bitorder="little").tobytes(), "little"))


@_operation(plain_word_at)
def word_at(_typing: Any, data: Any, _at: Any) -> Any:
    """Eight bytes from a place on."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _load(context, builder, signature, given, _WORD)

    return types.uint64(data, types.uintp), build


@_operation(plain_marks)
def marks(_typing: Any, data: Any, _at: Any, _byte: Any) -> Any:
    """Of 64 bytes from a place on, which are a given one: bit k is set if the k-th is."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = _load(context, builder, signature, given, _BYTES)
        none = ir.Constant(_BYTES, ir.Undefined)
        one = builder.insert_element(none, given[2], ir.Constant(_PLACE, 0))
        wanted = builder.shuffle_vector(one, none, ir.Constant(_PLACES, [0] * AT_ONCE))
        return builder.bitcast(builder.icmp_unsigned("==", found, wanted), _WORD)

    return types.uint64(data, types.uintp, types.uint8), build


@_operation(plain_high_marks)
def high_marks(_typing: Any, data: Any, _at: Any) -> Any:
    """Of 64 bytes from a place on, which are no ASCII: bit k is set if the k-th is none."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = _load(context, builder, signature, given, _BYTES)
        lowest = ir.Constant(_BYTES, [0] * AT_ONCE)
        return builder.bitcast(builder.icmp_signed("<", found, lowest), _WORD)

    return types.uint64(data, types.uintp), build


def _load(context: Any, builder: Any, signature: Any, given: Any, kind: Any) -> Any:
    """What lies at a place of an array of bytes, wherever that is."""
    array = context.make_array(signature.args[0])(context, builder, given[0])
    there = builder.gep(array.data, [given[1]])
    found = builder.load(builder.bitcast(there, kind.as_pointer()))
    found.align = 1
    return found


@_operation(plain_first_mark)
def first_mark(_typing: Any, _marked: Any) -> Any:
    """The lowest bit of a word that is set, 64 if none is."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@_operation(plain_count_marks)
def count_marks(_typing: Any, _marked: Any) -> Any:
    """How many bits of a word are set."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.ctpop(given[0])

    return types.int64(types.uint64), build
