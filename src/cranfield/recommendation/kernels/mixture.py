"""PLSA: one step of expectation maximisation, row by row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

Floats = npt.NDArray[np.float64]


@kernel
def expected_counts(
    start: int, stop: int, side: CSR, own: Floats, others: Floats, out: Floats
) -> float:
    """``out[row, z] = Σ value · p(z | row, place)`` for each row; the log-likelihood.

    The posterior is ``own[row, z]·others[place, z]``, divided by its sum over z.
    """
    size = own.shape[1]
    joint = np.empty(size)
    likelihood = 0.0
    for row in range(start, stop):
        out[row, :] = 0.0
        for at in range(side.offsets[row], side.offsets[row + 1]):
            place, value = side.places[at], side.values[at]
            for z in range(size):
                joint[z] = own[row, z] * others[place, z]
            total = 0.0
            for z in range(size):
                total += joint[z]
            if total > 0.0:
                for z in range(size):
                    out[row, z] += value / total * joint[z]
                likelihood += value * np.log(total)
    return likelihood
