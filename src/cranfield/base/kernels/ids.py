"""Numbers for the ids of a column: integers that lie close together, short texts, and integers
written as text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint32]
Views = npt.NDArray[np.uint64]

BEYOND, LONG, FULL = -1, -1, -2
"""Why a pass ended early: an integer beyond the table, a text that its view does not hold, or
too many distinct texts."""

_MOST, _FIRST = np.uint64(12), np.uint64(4)
"""Bytes that a view holds, and those of them that are in its first word."""
_SIZE, _HALF, _BYTE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(8)
_MIX, _MIX_TOO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MINUS, _ZERO, _LAST = np.uint64(ord("-")), np.uint64(ord("0")), np.uint64(0xFF)


@kernel
def renumber(codes: Codes, places: Codes) -> None:
    """Put for each number what stands in its place."""
    for row in range(len(codes)):
        codes[row] = places[codes[row]]


@kernel
def number_integers(
    values: npt.NDArray[Any], start: int, low: int, out: Codes, numbers: Codes, count: int,
    changes: Places, state: Places,
) -> int:  # fmt: skip
    """The numbers of integers by first occurrence; how many are known then, or why it ended.

    ``numbers`` is the table: the number of ``low`` and of each integer after it, −1 for none
    yet. The first value is that of row ``start``. ``changes`` gets the rows whose integer is
    not that of the row before, as many as fit. ``state`` is how many there are,
    and the number of the last row, −1 for none.
    """
    changed, before = state[0], state[1]
    for row in range(len(values)):
        place = np.uint64(np.int64(values[row]) - low)
        if place >= np.uint64(len(numbers)):
            return BEYOND
        number = int(numbers[place])
        if number < 0:
            number, numbers[place] = count, count
            count += 1
        if number != before:
            # As in `number_views`: a function for it would take eight times as long as all else.
            if changed < len(changes):
                changes[changed] = start + row
            changed, before = changed + 1, number
        out[row] = number
    state[0], state[1] = changed, before
    return count


@kernel
def shift_for(slots: Codes) -> np.uint64:
    """By how much to shift a word so that it tells a slot, of a power of two of them."""
    size, shift = len(slots), 64
    while size > 1:
        size >>= 1
        shift -= 1
    return np.uint64(shift)


@kernel(inline="always")
def slot_of(key: np.uint64, shift: np.uint64) -> int:
    """The slot of a key: the first bits of a product, since they depend on all of its bits."""
    return int(np.int64((key * _MIX) >> shift))


@kernel
def is_held(view: np.uint64, view_too: np.uint64) -> bool:
    """Whether a view has all of its text, and nothing but zeros behind it."""
    size = view & _SIZE
    if size <= _FIRST:
        return bool(view_too == 0 and (view >> _HALF) >> (_BYTE * size) == 0)
    return bool(size == _MOST or (size < _MOST and view_too >> (_BYTE * (size - _FIRST)) == 0))


@kernel
def number_views(
    views: Views, start: int, out: Codes, slots: Codes, known: Views, rows: Rows, count: int,
    changes: Rows, state: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """The numbers of texts by first occurrence; how many are known then, or why it ended.

    A view has the length of its text, four bytes, and the bytes, zeros behind them: so texts
    are the same where their views are. ``known`` has the view of each number, ``rows`` its
    first row; the first view is that of row ``start``. Many texts follow themselves:
    ``changes`` gets the rows whose text is not that of the row before, as many as
    fit. ``state`` is how many there are, and the number of the last row, −1 for none.
    """
    number, last, last_too = -1, np.uint64(0), np.uint64(0)
    shift, changed, before = shift_for(slots), state[0], state[1]
    for row in range(len(views)):
        view, view_too = views[row, 0], views[row, 1]
        if number < 0 or view != last or view_too != last_too:
            last, last_too = view, view_too
            slot = slot_of(view ^ (view_too * _MIX_TOO), shift)
            number = slots[slot]
            while number >= 0 and (known[number, 0] != view or known[number, 1] != view_too):
                slot = (slot + 1) & (len(slots) - 1)
                number = slots[slot]
            if number < 0:
                if not is_held(view, view_too):
                    return LONG
                if count == len(known):
                    return FULL
                number, slots[slot], rows[count] = count, count, start + row
                known[count, 0], known[count, 1] = view, view_too
                count += 1
            if number != before:
                if changed < len(changes):
                    changes[changed] = start + row
                changed, before = changed + 1, number
        out[row] = number
    state[0], state[1] = changed, before
    return count


@kernel
def read_integers(words: npt.NDArray[np.uint64], values: npt.NDArray[np.int64]) -> bool:
    """The integers that words write, first byte lowest; whether all do, in the usual way."""
    for at in range(len(words)):
        word = words[at]
        negative = word & _LAST == _MINUS
        if negative:
            word >>= _BYTE
        if word & _LAST <= _ZERO and (negative or word != _ZERO):
            return False
        value = np.uint64(0)
        while word != 0:
            digit = (word & _LAST) - _ZERO
            if digit > np.uint64(9):  # so is what would be below 0
                return False
            value = np.uint64(10) * value + digit
            word >>= _BYTE
        values[at] = -np.int64(value) if negative else np.int64(value)
    return True
