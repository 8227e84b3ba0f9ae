"""Rows of matrix products, in an order of additions that nothing can change.

A BLAS product may add in another order when the batch or the number of threads
changes, and then the last bits of a prediction change with them. Here every row is
computed alone, always in the same order; the columns are what the processor works on
side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Matrix = npt.NDArray[np.floating[Any]]
Codes = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

_BLOCK = 2048
"""Columns worked on at a time, so that they stay in the processor's cache."""


@njit(cache=True, nogil=True)
def multiply_rows(rows: Codes, left: Matrix, right: Matrix, out: Matrix) -> None:
    """``out[b] = left[rows[b]] · right``, added up over the factors in their order."""
    columns = right.shape[1]
    for start in range(0, columns, _BLOCK):
        stop = min(start + _BLOCK, columns)
        for b in range(len(rows)):
            out[b, start:stop] = 0.0
            for f in range(left.shape[1]):
                weight = left[rows[b], f]
                for c in range(start, stop):
                    out[b, c] += weight * right[f, c]


@njit(cache=True, nogil=True)
def combine_rows(
    rows: Codes,
    offsets: Offsets,
    places: Codes,
    values: npt.NDArray[np.float64],
    right: Matrix,
    out: Matrix,
) -> None:
    """``out[b] = Σ value · right[place]`` over the sparse row ``rows[b]``."""
    columns = right.shape[1]
    for start in range(0, columns, _BLOCK):
        stop = min(start + _BLOCK, columns)
        for b in range(len(rows)):
            out[b, start:stop] = 0.0
            for at in range(offsets[rows[b]], offsets[rows[b] + 1]):
                weight = values[at]
                place = places[at]
                for c in range(start, stop):
                    out[b, c] += weight * right[place, c]


@njit(cache=True, nogil=True)
def combine_sparse_rows(
    rows: Codes,
    offsets: Offsets,
    places: Codes,
    values: npt.NDArray[np.float64],
    right_offsets: Offsets,
    right_places: Codes,
    right_values: npt.NDArray[np.float64],
    out: Matrix,
) -> None:
    """``out[b] = Σ value · right[place]`` where the right matrix is sparse, too."""
    for b in range(len(rows)):
        out[b, :] = 0.0
        for at in range(offsets[rows[b]], offsets[rows[b] + 1]):
            place = places[at]
            for other in range(right_offsets[place], right_offsets[place + 1]):
                out[b, right_places[other]] += values[at] * right_values[other]
