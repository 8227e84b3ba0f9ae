"""One BLAS thread: dense linear algebra whose bits do not depend on the number of processors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

_taking_turns = Lock()
"""Limits are the process's own: who leaves first would lift them for who is still inside."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS and LAPACK use one thread inside the block; blocks take turns.

    With several threads they add in another order, and the last bits differ.
    """
    with _taking_turns, _own_blas().limit(limits=1):
        yield


@cache
def _own_blas() -> ThreadpoolController:
    """The BLAS of NumPy and that of SciPy, which compiled kernels use as well.

    They are looked up once: that takes milliseconds, as all loaded libraries are searched.
    """
    import scipy.linalg  # noqa: F401  (loads its BLAS)

    return ThreadpoolController().select(user_api="blas")


Vector = npt.NDArray[np.floating[Any]] | npt.NDArray[np.integer[Any]]


def dot(first: Vector, second: Vector) -> float:
    """Σ first·second, added pairwise.

    BLAS shares long vectors out among its threads and adds in another order for another
    number of them; besides, waking its threads can cost more than the sum.

    >>> dot(np.array([0.5, 0.5]), np.array([1.0, 2.0]))
    1.5
    """
    return float((first * second).sum())
