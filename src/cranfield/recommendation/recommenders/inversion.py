"""The inverse of a large symmetric positive definite matrix, in the memory of the matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg

from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.threads import chunks, in_threads

Array = npt.NDArray[Any]

_SIDE = 512
"""Rows and columns of a tile."""


def negate_inverse(matrix: Array) -> None:
    """Replace a matrix by minus its inverse, tile by tile.

    The sweep operator on one block k after another (Goodnight 1979): with D = A_kk⁻¹,

        A_ij ← A_ij − A_ik·D·A_kj,   A_ik ← A_ik·D,   A_kk ← −D.

    Of the other tiles the lower triangle is worked on, and mirrored in the end. It takes the
    n³ operations of a Cholesky decomposition and inversion. Threads work on tiles, each with
    one thread of BLAS, so that their number changes no bit. Beyond the matrix, it holds two
    columns of tiles.
    """
    tiles = list(chunks(len(matrix), _SIDE))
    with one_blas_thread():
        for pivot in tiles:
            _sweep(matrix, tiles, pivot)
        for _ in in_threads(lambda rows: _mirror(matrix, rows), tiles):
            pass


def _sweep(matrix: Array, tiles: list[slice], pivot: slice) -> None:
    """Sweep one block of the matrix, whose lower triangle alone is up to date."""
    inverse = _inverted(matrix[pivot, pivot])
    column = np.concatenate([matrix[pivot, : pivot.start].T, matrix[pivot.start :, pivot]])
    swept = column @ inverse
    others = [tile for tile in tiles if tile != pivot]

    def update(number: int) -> None:
        rows = others[number]
        for columns in others[: number + 1]:
            matrix[rows, columns] -= swept[rows] @ column[columns].T

    # The longest rows of tiles first, so that threads end at about the same time.
    for _ in in_threads(update, reversed(range(len(others)))):
        pass
    matrix[pivot, : pivot.start] = swept[: pivot.start].T
    matrix[pivot.stop :, pivot] = swept[pivot.stop :]
    matrix[pivot, pivot] = -inverse


def _inverted(block: Array) -> Array:
    """The inverse of one block, by its Cholesky decomposition."""
    lapack: Any = scipy.linalg.get_lapack_funcs(("potrf", "potri"), (block,))
    decompose, invert = lapack
    factor, failed = decompose(np.tril(block), lower=1)
    assert not failed
    inverse, failed = invert(factor, lower=1)
    assert not failed
    return np.asarray(np.tril(inverse) + np.tril(inverse, -1).T)


def _mirror(matrix: Array, rows: slice) -> None:
    """Copy what is left of the diagonal in some rows to above it."""
    matrix[: rows.start, rows] = matrix[rows, : rows.start].T
    block = matrix[rows, rows]
    block[:] = np.tril(block) + np.tril(block, -1).T
