"""Bayesian personalised ranking: one stochastic step after another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from cranfield.base.kernels.draws import below, word
from cranfield.recommendation.sides import Side

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]

_TRIES = 100
"""How often an unrated item is drawn before a step is left out."""


class Model(NamedTuple):
    """The factors of users and items, and the biases of items; changed in place."""

    users: Floats
    items: Floats
    biases: Floats


class Pace(NamedTuple):
    """How fast to learn, and how strongly to pull towards zero."""

    rate: float
    user_decay: float
    item_decay: float
    other_decay: float
    bias_decay: float


@njit(cache=True, nogil=True)
def rated(items: Codes, start: int, stop: int, item: int) -> bool:
    """Whether an item is among the ascending items from start to stop."""
    end = stop
    while start < stop:
        middle = (start + stop) // 2
        if items[middle] < item:
            start = middle + 1
        else:
            stop = middle
    return start < end and items[start] == item


@njit(cache=True, nogil=True)
def preference(x: Floats, y: Floats, z: Floats) -> float:
    """``x·(y − z)``, in four sums side by side for the sake of speed."""
    size = len(x)
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = size - size % 4
    for f in range(0, whole, 4):
        a += x[f] * (y[f] - z[f])
        b += x[f + 1] * (y[f + 1] - z[f + 1])
        c += x[f + 2] * (y[f + 2] - z[f + 2])
        d += x[f + 3] * (y[f + 3] - z[f + 3])
    for f in range(whole, size):
        a += x[f] * (y[f] - z[f])
    return (a + b) + (c + d)


@njit(cache=True, nogil=True)
def unrated(key: np.uint64, counter: np.uint64, user: int, side: Side, known: Codes) -> int:
    """An item drawn from the known ones that a user did not rate; −1 if none was met."""
    start, stop = side.offsets[user], side.offsets[user + 1]
    for attempt in range(_TRIES):
        drawn = known[below(word(key, counter + np.uint64(attempt)), len(known))]
        if not rated(side.places, start, stop, drawn):
            return int(drawn)
    return -1


@njit(cache=True, nogil=True)
def step(x: Floats, y: Floats, z: Floats, margin: float, pace: Pace) -> float:
    """Move towards preferring y's item to z's; the slope of the likelihood before."""
    slope = 1.0 / (1.0 + np.exp(margin + preference(x, y, z)))
    rate = pace.rate
    for f in range(len(x)):
        xf, yf, zf = x[f], y[f], z[f]
        x[f] = xf + rate * (slope * (yf - zf) - pace.user_decay * xf)
        y[f] = yf + rate * (slope * xf - pace.item_decay * yf)
        z[f] = zf - rate * (slope * xf + pace.other_decay * zf)
    return float(slope)


@njit(cache=True, nogil=True)
def climb(
    key: np.uint64, steps: int, users: Codes, side: Side, known: Codes, model: Model, pace: Pace
) -> float:
    """Take so many steps up the criterion; the mean slope met, which falls with the loss.

    Each step draws u from ``users`` (where some may stand more often than others), then
    an item i that u rated, then an item j among the known ones that u did not rate.
    """
    total = 0.0
    biases, decay = model.biases, pace.bias_decay
    for turn in range(steps):
        counter = np.uint64(turn) * np.uint64(_TRIES + 2)
        u = users[below(word(key, counter), len(users))]
        start, stop = side.offsets[u], side.offsets[u + 1]
        i = side.places[start + below(word(key, counter + np.uint64(1)), stop - start)]
        j = unrated(key, counter + np.uint64(2), u, side, known)
        if j >= 0:
            margin = biases[i] - biases[j]
            slope = step(model.users[u], model.items[i], model.items[j], margin, pace)
            biases[i] += pace.rate * (slope - decay * biases[i])
            biases[j] -= pace.rate * (slope + decay * biases[j])
            total += slope
    mean: float = total / max(steps, 1)
    return mean
