"""Room for large arrays."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt


def room(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A new array to be filled, in memory that is taken page by page as that happens.

    NumPy asks for huge pages instead. A virtual machine must often get these from its host
    first, and then filling them takes several times as long as all the work on the values.

    >>> len(room(3, np.int32))
    3
    """
    kind = np.dtype(dtype)
    return np.ndarray(size, kind, buffer=memoryview((ctypes.c_byte * (size * kind.itemsize))()))
