"""Bayesian personalised ranking: one stochastic step after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from cranfield.recommendation.kernels.draws import below, word

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

_TRIES = 100
"""How often an unrated item is drawn before a step is left out."""


@njit(cache=True, nogil=True)
def rated(items: Codes, start: int, stop: int, item: int) -> bool:
    """Whether an item is in an ascending stretch of items."""
    while start < stop:
        middle = (start + stop) // 2
        if items[middle] < item:
            start = middle + 1
        else:
            stop = middle
    return start < len(items) and items[start] == item


@njit(cache=True, nogil=True)
def preference(x: Floats, y: Floats, z: Floats) -> float:
    """``x·(y − z)``, in four sums side by side for the sake of speed."""
    size = len(x)
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    f = 0
    while f + 4 <= size:
        a += x[f] * (y[f] - z[f])
        b += x[f + 1] * (y[f + 1] - z[f + 1])
        c += x[f + 2] * (y[f + 2] - z[f + 2])
        d += x[f + 3] * (y[f + 3] - z[f + 3])
        f += 4
    while f < size:
        a += x[f] * (y[f] - z[f])
        f += 1
    return (a + b) + (c + d)


@njit(cache=True, nogil=True)
def climb(
    key: np.uint64,
    steps: int,
    rate: float,
    decays: Floats,
    users: Codes,
    items: Codes,
    offsets: Offsets,
    known: Codes,
    user_factors: Floats,
    item_factors: Floats,
    item_biases: Floats,
) -> float:
    """Take so many steps up the criterion; the mean log-likelihood of the drawn triples.

    Each step draws a rating (u, i), then an item j among the known ones that u did not
    rate. ``decays``: the regularisation of users, of preferred items, of the others, and
    of the biases.
    """
    total = 0.0
    for step in range(steps):
        counter = np.uint64(step) * np.uint64(_TRIES + 1)
        at = below(word(key, counter), len(users))
        u, i = users[at], items[at]
        j = -1
        for attempt in range(1, _TRIES + 1):
            drawn = known[below(word(key, counter + np.uint64(attempt)), len(known))]
            if not rated(items, offsets[u], offsets[u + 1], drawn):
                j = drawn
                break
        if j < 0:
            continue
        x, y, z = user_factors[u], item_factors[i], item_factors[j]
        margin = item_biases[i] - item_biases[j] + preference(x, y, z)
        slope = 1.0 / (1.0 + np.exp(margin))
        total += np.log1p(-slope) if slope < 0.5 else np.log(1.0 - slope)
        item_biases[i] += rate * (slope - decays[3] * item_biases[i])
        item_biases[j] -= rate * (slope + decays[3] * item_biases[j])
        for f in range(len(x)):
            xf, yf, zf = x[f], y[f], z[f]
            x[f] += rate * (slope * (yf - zf) - decays[0] * xf)
            y[f] += rate * (slope * xf - decays[1] * yf)
            z[f] -= rate * (slope * xf + decays[2] * zf)
    return total / max(steps, 1)
