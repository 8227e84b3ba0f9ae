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


class Entries(NamedTuple):
    """The entries of some rows: where the factors of each are, and what each adds."""

    places: npt.NDArray[np.int32]
    factors: Singles
    extras: Singles
    pulls: Singles


@kernel
def gather_entries(start: int, stop: int, side: WeightedRows, others: Singles) -> Entries:
    """The entries of the rows from start to stop, their factors side by side if these are few.

    They are read again for every step. Side by side they stay in the processor's cache, and
    come from one place after another.
    """
    first, last = side.offsets[start], side.offsets[stop]
    places, factors = side.places[first:last].copy(), others
    if len(places) * others.shape[1] <= _CACHED:
        factors = np.empty((len(places), others.shape[1]), np.float32)
        for at in range(len(places)):
            factors[at] = others[places[at]]
            places[at] = at
    return Entries(places, factors, side.extras[first:last], side.pulls[first:last])


@kernel
def add_entries(
    at: int, stop: int, entries: Entries, x: Singles, pull: np.float32, out: Singles
) -> None:
    """``out += Σ (e·(y·x) − pull·w)·y`` over entries from ``at`` to stop, four at a time."""
    places, others, e, w = entries
    while at + 4 <= stop:
        a, b = others[places[at]], others[places[at + 1]]
        c, d = others[places[at + 2]], others[places[at + 3]]
        s, t, u, v = inner_of_four(a, b, c, d, x)
        weights = (
            e[at] * s - pull * w[at],
            e[at + 1] * t - pull * w[at + 1],
            e[at + 2] * u - pull * w[at + 2],
            e[at + 3] * v - pull * w[at + 3],
        )
        add_four(weights, a, b, c, d, out)
        at += 4
    while at < stop:
        y = others[places[at]]
        add(e[at] * inner(y, x) - pull * w[at], y, out)
        at += 1


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
    entry's place. The rows from start to stop take their steps together, so that one product
    with ``base`` serves all of them. A row without entries gets zeros.
    """
    x = out[start:stop]
    for row in range(start, stop):
        if side.offsets[row] == side.offsets[row + 1]:
            out[row, :] = np.float32(0.0)
    entries = gather_entries(start, stop, side, others)
    ends = side.offsets[start : stop + 1] - side.offsets[start]
    products = np.empty_like(x)
    lengths = np.empty(len(x), np.float32)
    np.dot(x, base, products)
    for b in range(len(x)):
        add_entries(ends[b], ends[b + 1], entries, x[b], np.float32(1.0), products[b])
        lengths[b] = inner(products[b], products[b])
    residuals = -products
    directions = residuals.copy()
    for _ in range(steps):
        np.dot(directions, base, products)
        for b in range(len(x)):
            if lengths[b] > _AT_REST:
                direction, product, residual = directions[b], products[b], residuals[b]
                add_entries(ends[b], ends[b + 1], entries, direction, np.float32(0.0), product)
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
