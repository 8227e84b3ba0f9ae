"""Numbers for the short texts of a column, whose views lie in memory as Arrow lays them out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.base.kernels.numbering import Codes

Rows = npt.NDArray[np.uint32]
Views = npt.NDArray[np.uint64]

LONG, FULL = -1, -2
"""Why a pass ended early: a text that its view does not hold, or too many distinct ones."""

_MOST, _FIRST = np.uint64(12), np.uint64(4)
"""Bytes that a view holds, and those of them that are in its first word."""
_SIZE, _HALF, _BYTE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(8)
_MIX, _MIX_TOO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


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
    ``changes`` gets the rows whose text is not that of the row before, as many as there is
    room for. ``state`` is how many there are, and the number of the last row, −1 for none.
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
