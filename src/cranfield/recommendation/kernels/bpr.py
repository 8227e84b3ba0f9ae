"""Bayesian personalised ranking: one stochastic step after another, drawn ahead of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.draws import below, word
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Triples = npt.NDArray[np.int32]
"""Rows of a user, an item of theirs, and an item that they did not rate or −1."""

_TRIES = 100
"""How often an unrated item is drawn before a step is left out."""


class RankingFactors(NamedTuple):
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


@kernel
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


@kernel
def preference(x: Floats, y: Floats, z: Floats, products: Floats) -> float:
    """``x·(y − z)``; the products, and then four sums of them, are worked out side by side."""
    size = len(x)
    for f in range(size):
        products[f] = x[f] * (y[f] - z[f])
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = size - size % 4
    for f in range(0, whole, 4):
        a += products[f]
        b += products[f + 1]
        c += products[f + 2]
        d += products[f + 3]
    for f in range(whole, size):
        a += products[f]
    return (a + b) + (c + d)


@kernel
def unrated(key: np.uint64, counter: np.uint64, user: int, side: CSR, known: Codes) -> int:
    """An item drawn from the known ones that a user did not rate; −1 if none was met."""
    start, stop = side.offsets[user], side.offsets[user + 1]
    for attempt in range(_TRIES):
        drawn = known[below(word(key, counter + np.uint64(attempt)), len(known))]
        if not rated(side.places, start, stop, drawn):
            return int(drawn)
    return -1


@kernel
def move(x: Floats, y: Floats, z: Floats, pull: float, pace: Pace) -> None:
    """Pull x towards y and away from z, and both of them accordingly, while all decay."""
    keep_x = 1.0 - pace.rate * pace.user_decay
    keep_y = 1.0 - pace.rate * pace.item_decay
    keep_z = 1.0 - pace.rate * pace.other_decay
    for f in range(len(x)):
        xf, yf, zf = x[f], y[f], z[f]
        x[f] = keep_x * xf + pull * (yf - zf)
        y[f] = keep_y * yf + pull * xf
        z[f] = keep_z * zf - pull * xf


@kernel
def draw(
    key: np.uint64, start: int, users: Codes, side: CSR, known: Codes, triples: Triples
) -> None:
    """Draw u, i and j of the steps from start on, as many as there are triples.

    Each draws u from ``users`` (where some may stand more often than others), then an item
    i that u rated, then an item j among the known ones that u did not rate (−1: none met).
    """
    for turn in range(len(triples)):
        counter = np.uint64(start + turn) * np.uint64(_TRIES + 2)
        u = users[below(word(key, counter), len(users))]
        first, last = side.offsets[u], side.offsets[u + 1]
        triples[turn, 0] = u
        triples[turn, 1] = side.places[
            first + below(word(key, counter + np.uint64(1)), last - first)
        ]
        triples[turn, 2] = unrated(key, counter + np.uint64(2), u, side, known)


@kernel
def climb(triples: Triples, model: RankingFactors, pace: Pace) -> None:
    """Take one step up the criterion for each triple, in their order."""
    biases, rate, decay = model.biases, pace.rate, pace.bias_decay
    products = np.empty(model.users.shape[1])
    for turn in range(len(triples)):
        u, i, j = triples[turn, 0], triples[turn, 1], triples[turn, 2]
        if j < 0:
            continue
        x, y, z = model.users[u], model.items[i], model.items[j]
        margin = biases[i] - biases[j] + preference(x, y, z, products)
        slope = 1.0 / (1.0 + np.exp(margin))
        move(x, y, z, rate * slope, pace)
        biases[i] += rate * (slope - decay * biases[i])
        biases[j] -= rate * (slope + decay * biases[j])
