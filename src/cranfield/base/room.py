"""Room for large arrays."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

_LARGE = 1 << 22
"""Bytes from which NumPy asks for huge pages."""


def room(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A new array to be filled, in memory that is taken page by page as that happens.

    NumPy asks for huge pages instead. A virtual machine must often get these from its host
    first, and then filling them takes several times as long as all the work on the values.

    >>> len(room(3, np.int32))
    3
    """
    kind = np.dtype(dtype)
    if size * kind.itemsize < _LARGE:
        return np.empty(size, kind)
    pages = mmap.mmap(-1, size * kind.itemsize, access=mmap.ACCESS_COPY)  # this process's own
    return np.ndarray(size, kind, buffer=pages)


def blank(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The same, filled with zeros; pages that stay so take no memory.

    >>> blank(2, np.int32)
    array([0, 0], dtype=int32)
    """
    small = size * np.dtype(dtype).itemsize < _LARGE
    return np.zeros(size, dtype) if small else room(size, dtype)
