"""The n-th lowest of some values, without sorting them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Floats = npt.NDArray[np.float64]


@kernel
def nth_lowest(values: Floats, n: int) -> float:
    """What ``np.partition(values, n)[n]`` is, in far less code to compile; reorders the values.

    Hoare's selection: what is below the pivot goes before it, until the n-th is alone.
    """
    first, last = 0, len(values) - 1
    while first < last:
        pivot = values[(first + last) // 2]
        low, high = first, last
        while low <= high:
            while values[low] < pivot:
                low += 1
            while values[high] > pivot:
                high -= 1
            if low <= high:
                values[low], values[high] = values[high], values[low]
                low += 1
                high -= 1
        if n <= high:
            last = high
        elif n >= low:
            first = low
        else:
            break
    return float(values[n])
