"""PLSA: one step of expectation maximisation, row by row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


@njit(cache=True, nogil=True)
def expected_counts(
    start: int,
    stop: int,
    offsets: Offsets,
    places: Codes,
    values: Floats,
    own: Floats,
    others: Floats,
    out: Floats,
) -> float:
    """``out[row, z] = Σ value · p(z | row, place)`` for each row; the log-likelihood.

    The posterior is ``own[row, z]·others[place, z]``, divided by its sum over z.
    """
    size = own.shape[1]
    share = np.empty(size)
    likelihood = 0.0
    for row in range(start, stop):
        out[row, :] = 0.0
        for at in range(offsets[row], offsets[row + 1]):
            total = 0.0
            place = places[at]
            for z in range(size):
                share[z] = own[row, z] * others[place, z]
            for z in range(size):
                total += share[z]
            if total > 0.0:
                weight = values[at] / total
                for z in range(size):
                    out[row, z] += weight * share[z]
                likelihood += values[at] * np.log(total)
    return likelihood
