"""Sums of products whose bits do not depend on the processors at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.floating[Any]] | npt.NDArray[np.integer[Any]]


def dot(first: Vector, second: Vector) -> float:
    """Σ first·second, added pairwise.

    BLAS shares long vectors out among its threads and adds in another order for another
    number of them; besides, waking its threads can cost more than the sum.

    >>> dot(np.array([0.5, 0.5]), np.array([1.0, 2.0]))
    1.5
    """
    return float((first * second).sum())
