"""Integers written in words of up to eight bytes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

_MINUS, _ZERO = np.uint64(ord("-")), np.uint64(ord("0"))
_LAST, _BYTE = np.uint64(0xFF), np.uint64(8)


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
