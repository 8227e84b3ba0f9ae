"""Rows of matrix products, in an order of additions that nothing can change.

A BLAS product may add in another order when the batch or the number of threads
changes, and then the last bits of a prediction change with them. Here every row is
computed alone, always in the same order; the columns are what the processor works on
side by side.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]

_BLOCK = 2048
"""Columns worked on at a time, so that they stay in the processor's cache."""


@kernel
def add(weight: float, source: Floats, target: Floats) -> None:
    """``target += weight · source``."""
    for c in range(len(target)):
        target[c] += weight * source[c]


@kernel
def multiply_rows(rows: Codes, left: Floats, right: Floats, out: Floats) -> None:
    """``out[b] = left[rows[b]] · right``, added up over the factors in their order."""
    columns = right.shape[1]
    for start in range(0, columns, _BLOCK):
        stop = min(start + _BLOCK, columns)
        for b in range(len(rows)):
            target = out[b, start:stop]
            target[:] = 0.0
            for f in range(left.shape[1]):
                add(left[rows[b], f], right[f, start:stop], target)


@kernel
def combine_rows(rows: Codes, left: CSR, right: Floats, out: Floats) -> None:
    """``out[b] = Σ value · right[place]`` over the entries of the sparse row ``rows[b]``."""
    columns = right.shape[1]
    for start in range(0, columns, _BLOCK):
        stop = min(start + _BLOCK, columns)
        for b in range(len(rows)):
            target = out[b, start:stop]
            target[:] = 0.0
            for at in range(left.offsets[rows[b]], left.offsets[rows[b] + 1]):
                add(left.values[at], right[left.places[at], start:stop], target)


@kernel
def combine_sparse_rows(rows: Codes, left: CSR, right: CSR, out: Floats) -> None:
    """``out[b] = Σ value · right[place]`` where the right matrix is sparse, too."""
    for b in range(len(rows)):
        out[b, :] = 0.0
        for at in range(left.offsets[rows[b]], left.offsets[rows[b] + 1]):
            weight, place = left.values[at], left.places[at]
            for other in range(right.offsets[place], right.offsets[place + 1]):
                out[b, right.places[other]] += weight * right.values[other]
