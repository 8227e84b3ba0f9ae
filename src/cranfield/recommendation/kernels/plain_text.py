"""The rows of a plain text file, its ids numbered and its numbers read in one pass.

Accelerates what Polars reads, for files without anything unusual: every line has the same
columns, each separated by one character, and ids need no quotes. Whatever else turns up
ends the pass, and Polars reads the file.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from cranfield.base.ids import Codes

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

SKIPPED, SCORE, RANK, FIRST_ID = range(-1, 3)
"""What a column is for; from the last on, ids: column FIRST_ID + k has the k-th table."""
UNUSUAL, FULL = -1, -2
"""Why a pass ended early: something that Polars should look at, or too many distinct ids."""

_NEWLINE, _MINUS, _POINT, _ZERO, _NINE = 10, 45, 46, 48, 57
_MIX = 0x2545F4914F6CDD1D
_TENS = np.array([float(10**power) for power in range(23)])
"""The powers of ten that are floats."""
_MOST = 10**17
"""To whole numbers below this one a digit can be added."""
_SPLIT = 2.0**27 + 1
"""Times this, a float falls into two halves of 26 bits."""
_WIDE = 8
"""Bytes of a word."""
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(_WIDE)])
"""What is kept of a word to see so many of its first bytes."""


@njit(cache=True, nogil=True)
def read_number(data: Bytes, begin: int, end: int) -> float:
    """The decimal number between two places; NaN where it takes more care to round it."""
    first = begin + (data[begin] == _MINUS)
    whole, point = 0, end
    for at in range(first, end):
        byte = data[at]
        if _ZERO <= byte <= _NINE and whole < _MOST:
            whole = 10 * whole + (byte - _ZERO)
        elif byte == _POINT and point == end:
            point = at
        else:
            return np.nan
    decimals = end - point - 1 if point < end else 0
    if end - first == (point < end) or decimals >= len(_TENS):
        return np.nan
    near = float(whole)
    value = divide(near, float(whole - int(near)), _TENS[decimals])
    return -value if first > begin else value


@njit(cache=True, nogil=True)
def divide(near: float, beside: float, ten: float) -> float:
    """A whole number over a power of ten, rounded once; NaN where that is not certain.

    The number is the sum of a float and of what it lacks. Where it lacks nothing, there is
    one quotient. Else what that leaves over is found exactly (Dekker 1971) and divided too.
    """
    quotient = near / ten
    if beside == 0:
        return quotient
    high, tens = _SPLIT * quotient, _SPLIT * ten
    high, tens = high - (high - quotient), tens - (tens - ten)
    low, ones = quotient - high, ten - tens
    product = quotient * ten
    missed = ((high * tens - product) + high * ones + low * tens) + low * ones
    rest = ((near - product) - missed + beside) / ten
    doubt = abs(rest) * 2.0**-45
    value = quotient + rest
    return value if quotient + (rest - doubt) == quotient + (rest + doubt) else np.nan


@njit(cache=True, nogil=True, inline="always")
def number_id(
    words: Places, begin: int, end: int, guess: int, slots: Codes, known: Places, count: int
) -> int:
    """The number of an id among those known, by first occurrence; ``count`` if it is new.

    ``known`` has the key, the start and the end of each; ids of the same length up to eight
    bytes differ in their keys. ``guess`` is a number that it may have.
    """
    key, at, size = 0, begin, end - begin
    while at + _WIDE <= end:
        key = key * _MIX + words[at]
        at += _WIDE
    key = key * _MIX + (words[at] & _MASKS[end - at])
    slot, number = (key * _MIX) >> 40, guess
    while True:
        first = known[number, 1]
        if known[number, 0] == key and known[number, 2] - first == size:
            same = 0 if size > _WIDE else size
            while same < size and words[first + same] & 255 == words[begin + same] & 255:
                same += 1
            if same == size:
                break
        slot = (slot + 1) & (len(slots) - 1)
        number = slots[slot]
        if number < 0:
            number = count
            slots[slot], known[count, 0] = count, key
            known[count, 1], known[count, 2] = begin, end
            break
    return number


@njit(cache=True, nogil=True)
def find_ends(data: Bytes, start: int, stop: int, most: int, ends: Places) -> int:
    """Where bytes are that may end a field, none of them above ``most``; how many there are.

    One comparison and no branch, since a branch would be mispredicted at most fields.
    """
    count = 0
    for at in range(start, stop):
        ends[count] = at
        count += data[at] <= most
    return count


@njit(cache=True, nogil=True)
def read_rows(
    data: Bytes, words: Places, start: int, stop: int, separator: int, columns: Places,
    codes: Codes, numbers: Floats, careful: Places, slots: Codes, known: Places, counts: Places,
    fields: Places,
) -> int:  # fmt: skip
    """Read whole lines; how many they are, or why the pass ended early.

    ``words`` are the same bytes, eight from each place on. ``codes[k]`` gets the number of
    each row's id in table k, ``numbers`` scores and ranks. A score that takes more care is
    NaN, and ``careful`` gets where it starts and ends; the last of ``counts`` tells how
    many there are. ``fields`` is scratch space for a block.
    """
    row, begin, width = 0, start, len(columns)
    most = separator if separator > _NEWLINE else _NEWLINE
    while begin < stop:
        block = begin + len(fields) - 1
        block = stop if block > stop else block
        found = find_ends(data, begin, block, most, fields) // width
        if found == 0:
            return UNUSUAL
        for first in range(0, found * width, width):
            for column in range(width):
                end, role = fields[first + column], columns[column]
                if end == begin or data[end] != (separator if column + 1 < width else _NEWLINE):
                    return UNUSUAL
                if role >= FIRST_ID:
                    table = role - FIRST_ID
                    codes[table, row] = number_id(
                        words, begin, end, codes[table, row - (row > 0)], slots[table],
                        known[table], counts[table],
                    )  # fmt: skip
                    counts[table] += codes[table, row] == counts[table]
                    if counts[table] == known.shape[1]:
                        return FULL
                elif role >= SCORE:
                    numbers[role, row] = read_number(data, begin, end)
                    if np.isnan(numbers[role, row]):
                        if role == RANK:
                            return UNUSUAL
                        careful[0, counts[-1]], careful[1, counts[-1]] = begin, end
                        counts[-1] += 1
                begin = end + 1
            row += 1
    return row
