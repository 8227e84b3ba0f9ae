"""What loops that number the ids of a column share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Codes = npt.NDArray[np.int32]


@njit(cache=True, nogil=True)
def noted(changes: npt.NDArray[Any], changed: int, row: int) -> int:
    """Note a row whose id is not that of the row before, if there is room; how many there are."""
    if changed < len(changes):
        changes[changed] = row
    return changed + 1


@njit(cache=True, nogil=True)
def renumber(codes: Codes, places: Codes) -> None:
    """Put for each number what stands in its place."""
    for row in range(len(codes)):
        codes[row] = places[codes[row]]
