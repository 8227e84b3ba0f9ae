"""Bytes eight or 64 at a time, as processors look at them; of the latter a bit each.

Numba has no such operations of its own. They are words, vectors and bits of LLVM, which
finds the best instructions of any processor for them. Nobody checks whether all bytes that
they look at are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

AT_ONCE = 64
"""Bytes that are looked at together at most; so many must be there from any place on."""

_BYTE, _PLACE, _WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_BYTES, _PLACES = ir.VectorType(_BYTE, AT_ONCE), ir.VectorType(_PLACE, AT_ONCE)


def _operation(define: Callable[..., Any]) -> Any:
    """What only kernels may call: a definition is called with types alone."""
    return intrinsic(define)


@_operation
def word_at(_typing: Any, data: Any, _at: Any) -> Any:
    """Eight bytes from a place on."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _load(context, builder, signature, given, _WORD)

    return types.uint64(data, types.uintp), build


@_operation
def marks(_typing: Any, data: Any, _at: Any, _byte: Any) -> Any:
    """Of 64 bytes from a place on, which are a given one: bit k is set if the k-th is."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = _load(context, builder, signature, given, _BYTES)
        none = ir.Constant(_BYTES, ir.Undefined)
        one = builder.insert_element(none, given[2], ir.Constant(_PLACE, 0))
        wanted = builder.shuffle_vector(one, none, ir.Constant(_PLACES, [0] * AT_ONCE))
        return builder.bitcast(builder.icmp_unsigned("==", found, wanted), _WORD)

    return types.uint64(data, types.uintp, types.uint8), build


@_operation
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


@_operation
def first_mark(_typing: Any, _marked: Any) -> Any:
    """The lowest bit of a word that is set, 64 if none is."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@_operation
def count_marks(_typing: Any, _marked: Any) -> Any:
    """How many bits of a word are set."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.ctpop(given[0])

    return types.int64(types.uint64), build
