"""Vectors in single precision: what steps and solvers that need no more digits are made of.

Sums are added up in as many lanes as the processor has, always the same ones: their last bits
may differ between kinds of processors, as those of BLAS do, but never with threads or batches.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Singles = npt.NDArray[np.float32]
Four = tuple[np.float32, np.float32, np.float32, np.float32]

LANES = frozenset({"reassoc", "contract", "nsz"})
"""What lets the compiler add in lanes; infinities and NaN stay what they are."""


@kernel(fastmath=set(LANES))
def inner(a: Singles, b: Singles) -> np.float32:
    """``a·b``."""
    total = np.float32(0.0)
    for f in range(len(a)):
        total += a[f] * b[f]
    return total


@kernel(fastmath=set(LANES))
def inner_of_four(a: Singles, b: Singles, c: Singles, d: Singles, x: Singles) -> Four:
    """``a·x``, ``b·x``, ``c·x`` and ``d·x``, reading x once."""
    s, t, u, v = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
    for f in range(len(x)):
        s += a[f] * x[f]
        t += b[f] * x[f]
        u += c[f] * x[f]
        v += d[f] * x[f]
    return s, t, u, v


@kernel(fastmath={"contract"})
def add(weight: np.float32, source: Singles, target: Singles) -> None:
    """``target += weight · source``."""
    for f in range(len(target)):
        target[f] += weight * source[f]


@kernel(fastmath={"contract"})
def add_four(
    weights: Four, a: Singles, b: Singles, c: Singles, d: Singles, target: Singles
) -> None:
    """Add a, b, c and d to the target by their weights, reading and writing it once."""
    s, t, u, v = weights
    for f in range(len(target)):
        target[f] += (s * a[f] + t * b[f]) + (u * c[f] + v * d[f])
