"""Decimal numbers as they are written, to the nearest float.

Accelerates what ``float`` reads, for numbers written as digits with at most one point.
Whatever takes more care is left alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.collection.kernels.byte_marks import count_marks

Bytes = npt.NDArray[np.uint8]

_POINT, _ZERO, _NINE = 46, 48, 57
_TENS = np.array([float(10**power) for power in range(23)])
"""The powers of ten that are floats."""
_MOST = 10**17
"""To whole numbers below this one a digit can be added."""
_SPLIT = 2.0**27 + 1
"""Times this, a float falls into two halves of 26 bits."""

_WIDE, _OCTET, _SHIFT = np.uint64(8), np.uint64(3), np.uint64(63)
"""The bytes of a word; shifted by the second, a number of bytes is one of bits. By more than
the third nothing may be shifted, not even where the result is not used."""
_NONE, _ONE = np.uint64(0), np.uint64(1)
_BYTE, _MINUS = np.uint64(0xFF), np.uint64(45)
_FIRSTS, _LASTS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
"""The lowest, and the highest bit of each byte of a word."""
_POINTS, _ZEROS = np.uint64(_POINT) * _FIRSTS, np.uint64(_ZERO) * _FIRSTS
_ABOVE_NINE = np.uint64(127 - _NINE) * _FIRSTS
_EVEN_BYTES, _EVEN_PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_HALF = np.uint64(0x00000000FFFFFFFF)


@kernel(inline="always")
def read_short(word: np.uint64, size: np.uint64) -> float:
    """The number in the first bytes of a word; NaN if it is none, or has more than 8 bytes.

    The text goes to the end of the word, what is before a point up to what is after it, and
    zeros fill the rest. Then neighbours are joined: digits to pairs, pairs to fours, and all.
    Nothing branches, and shifts multiply, so that a processor reads several numbers at once.
    """
    minus = np.uint64(word & _BYTE == _MINUS)
    text = (word >> (minus << _OCTET)) << (((_WIDE + minus - size) << _OCTET) & _SHIFT)
    other = text ^ _POINTS
    points = (other - _FIRSTS) & ~other & _LASTS
    first = points & (_NONE - points)  # the highest bit of the first point, if there is one
    pointed = np.uint64(points != _NONE)
    before, after = (first >> np.uint64(7)) - _ONE, ~((first << _ONE) - _ONE)
    digits = size - pointed - minus
    decimals = _WIDE - pointed - (np.uint64(count_marks(before)) >> _OCTET)
    text = (text & after) | ((text & before) << (pointed << _OCTET))
    text |= _ZEROS & ((_ONE << (((_WIDE - digits) << _OCTET) & _SHIFT)) - _ONE)
    value = text - _ZEROS
    wrong = ((text + _ABOVE_NINE) | value) & _LASTS
    tens = (value << np.uint64(3)) + (value << _ONE)
    value = (tens + (value >> np.uint64(8))) & _EVEN_BYTES
    hundreds = (value << np.uint64(6)) + (value << np.uint64(5)) + (value << np.uint64(2))
    value = (hundreds + (value >> np.uint64(16))) & _EVEN_PAIRS
    value = (value & _HALF) * np.uint64(10000) + (value >> np.uint64(32))
    right = (wrong == _NONE) & (digits - _ONE < _WIDE) & (size - _ONE < _WIDE)
    sign = -1.0 if minus else 1.0
    return sign * float(np.int64(value)) / float(_TENS[decimals]) if right else np.nan


@kernel(inline="always")
def read_long(data: Bytes, first: int, end: int) -> float:
    """The number between two places, digit by digit; NaN where it takes more care to round it."""
    whole, point = 0, end
    for at in range(first, end):
        byte = data[at]
        if _ZERO <= byte <= _NINE and whole < _MOST:
            whole = 10 * whole + int(byte - _ZERO)
        elif byte == _POINT and point == end:
            point = at
        else:
            return np.nan
    decimals = end - point - 1 if point < end else 0
    if end - first == (point < end) or decimals >= len(_TENS):
        return np.nan
    near = float(whole)
    return divide(near, float(whole - int(near)), _TENS[decimals])


@kernel
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
