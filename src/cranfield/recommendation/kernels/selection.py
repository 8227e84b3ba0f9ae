"""The lowest and largest of some values, without sorting them.

NumPy's own sorts take longer to compile than the kernels that would use them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@kernel
def nth_lowest(values: Floats, n: int) -> float:
    """What ``np.partition(values, n)[n]`` is; reorders the values.

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


@kernel
def places_of_largest(values: Floats, most: int) -> Places:
    """The places of the largest values, of equal ones the first, in ascending order.

    There are more values than are wanted.
    """
    least = nth_lowest(values.copy(), len(values) - most)
    ties = most
    for place in range(len(values)):
        ties -= values[place] > least
    found, count = np.empty(most, np.int64), 0
    for place in range(len(values)):
        if values[place] > least or (values[place] == least and ties > 0):
            ties -= values[place] == least
            found[count] = place
            count += 1
    return found


@kernel
def merged(one: Codes, other: Codes) -> Codes:
    """All codes of two arrays that ascend, in ascending order."""
    out = np.empty(len(one) + len(other), np.int32)
    left, right = 0, 0
    for place in range(len(out)):
        if right == len(other) or (left < len(one) and one[left] <= other[right]):
            out[place] = one[left]
            left += 1
        else:
            out[place] = other[right]
            right += 1
    return out
