"""Alternating least squares: the normal equations of one row after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

Floats = npt.NDArray[np.float64]


@kernel
def gram(factors: Floats) -> Floats:
    """``YᵀY``, added up over the rows in their order."""
    size = factors.shape[1]
    total = np.zeros((size, size))
    for row in range(factors.shape[0]):
        for a in range(size):
            weight = factors[row, a]
            for b in range(a + 1):
                total[a, b] += weight * factors[row, b]
    for a in range(size):
        for b in range(a):
            total[b, a] = total[a, b]
    return total


@kernel
def solve_rows(
    start: int, stop: int, side: CSR, pulls: Floats, others: Floats, base: Floats, out: Floats
) -> None:
    """Solve ``(base + Σ e·y yᵀ) x = Σ w·y`` for each row from start to stop.

    The sums run over the row's entries: ``e`` is the entry's value, the confidence
    beyond 1, ``w`` its pull, confidence times preference, and ``y`` the factors of the
    other side at its place. A row without entries gets zeros. By Cholesky, on the lower
    triangle.
    """
    size = others.shape[1]
    a = np.empty((size, size))
    for row in range(start, stop):
        x = out[row]
        x[:] = 0.0
        if side.offsets[row] == side.offsets[row + 1]:
            continue
        for f in range(size):
            for g in range(size):
                a[f, g] = base[f, g]
        for at in range(side.offsets[row], side.offsets[row + 1]):
            extra, pull, y = side.values[at], pulls[at], others[side.places[at]]
            for f in range(size):
                weight = extra * y[f]
                for g in range(f + 1):
                    a[f, g] += weight * y[g]
                x[f] += pull * y[f]
        _solve(a, x)


@kernel
def _solve(a: Floats, x: Floats) -> None:
    """Solve ``a·x = x`` in place for a symmetric positive definite matrix."""
    size = len(x)
    for f in range(size):
        for g in range(f + 1):
            total = a[f, g]
            for k in range(g):
                total -= a[f, k] * a[g, k]
            a[f, g] = np.sqrt(total) if f == g else total / a[g, g]
    for f in range(size):
        total = x[f]
        for k in range(f):
            total -= a[f, k] * x[k]
        x[f] = total / a[f, f]
    for f in range(size - 1, -1, -1):
        x[f] /= a[f, f]
        for k in range(f):
            x[k] -= a[f, k] * x[f]
