"""Alternating least squares: a few steps of conjugate gradients towards each row's solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.kernels.singles import (
    Singles,
    add,
    add_four,
    inner,
    inner_of_four,
)

_AT_REST = np.float32(1e-20)
"""Squared length of a residual below which a row is solved."""
TOGETHER = 32
"""Rows that take their steps together."""
_CACHED = 1 << 18
"""Factors that a processor's own cache holds: 1 MiB."""


class WeightedRows(NamedTuple):
    """What each entry of sparse rows adds to its row's normal equations.

    ``extras`` are e, the confidence beyond 1; ``pulls`` are w, confidence times preference.
    """

    offsets: npt.NDArray[np.int64]
    places: npt.NDArray[np.int32]
    extras: Singles
    pulls: Singles


@kernel
def gather(first: int, last: int, side: WeightedRows, others: Singles, near: Singles) -> None:
    """Copy the factors of the entries from first to last side by side."""
    for at in range(first, last):
        source, target = others[side.places[at]], near[at - first]
        for f in range(len(source)):
            target[f] = source[f]


@kernel
def add_entries(
    first: int, side: WeightedRows, near: Singles, x: Singles, pull: np.float32, out: Singles
) -> None:
    """``out += Σ (e·(y·x) − pull·w)·y`` over entries from the first on, four at a time.

    ``near`` has their factors, and so says how many there are.
    """
    e, w, at = side.extras[first:], side.pulls[first:], 0
    while at + 4 <= len(near):
        a, b, c, d = near[at], near[at + 1], near[at + 2], near[at + 3]
        s, t, u, v = inner_of_four(a, b, c, d, x)
        weights = (
            e[at] * s - pull * w[at],
            e[at + 1] * t - pull * w[at + 1],
            e[at + 2] * u - pull * w[at + 2],
            e[at + 3] * v - pull * w[at + 3],
        )
        add_four(weights, a, b, c, d, out)
        at += 4
    while at < len(near):
        y = near[at]
        add(e[at] * inner(y, x) - pull * w[at], y, out)
        at += 1


@kernel
def add_row(
    row: int, side: WeightedRows, others: Singles, space: Singles, kept: int, x: Singles,
    pull: np.float32, out: Singles,
) -> None:  # fmt: skip
    """Add the entries of a row, whose factors are in the space from ``kept`` on.

    Where it is negative, they are not, and are copied there in parts.
    """
    at, stop = side.offsets[row], side.offsets[row + 1]
    if kept >= 0:
        add_entries(at, side, space[kept : kept + stop - at], x, pull, out)
        return
    while at < stop:
        last = min(at + len(space), stop)
        gather(at, last, side, others, space)
        add_entries(at, side, space[: last - at], x, pull, out)
        at = last


@kernel
def approach_rows(
    start: int,
    stop: int,
    side: WeightedRows,
    others: Singles,
    base: Singles,
    steps: int,
    out: Singles,
) -> None:
    """Step from ``out`` towards the solution of ``(base + Σ e·y yᵀ) x = Σ w·y`` for each row.

    The sums run over the row's entries, ``y`` being the factors of the other side at an
    entry's place. Some rows take their steps together, so that one product with ``base``
    serves all of them, and the factors of their entries stay in the processor's cache, side
    by side, from one step to the next. A row without entries gets zeros.
    """
    space = np.empty((max(_CACHED // others.shape[1] // 4, 1) * 4, others.shape[1]), np.float32)
    for first in range(start, stop, TOGETHER):
        last = min(first + TOGETHER, stop)
        for row in range(first, last):
            if side.offsets[row] == side.offsets[row + 1]:
                out[row, :] = np.float32(0.0)
        kept = side.offsets[first : last + 1] - side.offsets[first]
        if kept[-1] <= len(space):
            gather(side.offsets[first], side.offsets[last], side, others, space)
        else:
            kept[:] = -1
        _step(first, side, others, space, kept, base, steps, out[first:last])


@kernel
def _step(
    first: int, side: WeightedRows, others: Singles, space: Singles,
    kept: npt.NDArray[np.int64], base: Singles, steps: int, x: Singles,
) -> None:  # fmt: skip
    """Step from x towards the solutions of the rows from the first on."""
    products = np.empty_like(x)
    lengths = np.empty(len(x), np.float32)
    np.dot(x, base, products)
    for b in range(len(x)):
        pull = np.float32(1.0)
        add_row(first + b, side, others, space, kept[b], x[b], pull, products[b])
        lengths[b] = inner(products[b], products[b])
    residuals = -products
    directions = residuals.copy()
    for _ in range(steps):
        np.dot(directions, base, products)
        for b in range(len(x)):
            if lengths[b] > _AT_REST:
                direction, product, residual = directions[b], products[b], residuals[b]
                pull = np.float32(0.0)
                add_row(first + b, side, others, space, kept[b], direction, pull, product)
                far = lengths[b] / inner(direction, product)
                add(far, direction, x[b])
                add(-far, product, residual)
                left = inner(residual, residual)
                _turn(direction, residual, left / lengths[b])
                lengths[b] = left


@kernel
def _turn(direction: Singles, residual: Singles, share: np.float32) -> None:
    """``direction = residual + share·direction``: conjugate to all directions before."""
    for f in range(len(direction)):
        direction[f] = residual[f] + share * direction[f]
