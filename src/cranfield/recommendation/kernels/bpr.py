"""Bayesian personalised ranking: stochastic steps, in blocks that share no user and no item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.draws import below, word
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.csr import CSR
from cranfield.recommendation.kernels.singles import LANES, Singles

Codes = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Triples = npt.NDArray[np.int32]
"""Rows of a user, an item of theirs, and an item that they did not rate or −1."""

_TRIES = 100
"""How often an unrated item is drawn before a step is left out."""
_BITS = 8
"""Bits of the marks for each rating, at least."""


class RankingFactors(NamedTuple):
    """The factors of users and items, and the biases of items; changed in place."""

    users: Singles
    items: Singles
    biases: Singles


class Pace(NamedTuple):
    """How fast to learn, and how strongly to pull towards zero."""

    rate: float
    user_decay: float
    item_decay: float
    other_decay: float
    bias_decay: float


class Deal(NamedTuple):
    """Users and items dealt out to as many parts each.

    Part q owns the items ``known[starts[q]:starts[q + 1]]``.
    """

    user_parts: Codes
    item_parts: Codes
    known: Codes
    starts: Offsets


class Rated(NamedTuple):
    """The ratings of each user, and marks that tell at a glance that most others are not there.

    A pair without a mark is unrated; one with a mark has to be looked up (Bloom 1970).
    """

    side: CSR
    marks: npt.NDArray[np.uint8]


class Round(NamedTuple):
    """Steps in the order in which they were drawn, but by block within each portion.

    Portion c owns the triples from ``c·portion`` on; those of its block b begin
    ``bounds[c, b]`` and end ``bounds[c, b + 1]`` after that.
    """

    triples: Triples
    bounds: Codes
    portion: int


@kernel
def mark(side: CSR) -> Rated:
    """Mark every rating, among as many bytes as a power of two."""
    size = 1
    while 8 * size < _BITS * len(side.places):
        size *= 2
    marks = np.zeros(size, np.uint8)
    for user in range(len(side.offsets) - 1):
        for at in range(side.offsets[user], side.offsets[user + 1]):
            spot = word(np.uint64(user), np.uint64(side.places[at]))
            marks[spot & np.uint64(size - 1)] |= np.uint8(1) << np.uint8(spot >> np.uint64(61))
    return Rated(side, marks)


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
def draw_ratings(key: np.uint64, start: int, users: Codes, side: CSR, out: Triples) -> None:
    """Draw u and i of the steps from start on, as many as there are triples.

    Each draws u from ``users`` (where some may stand more often than others), then an item
    i that u rated.
    """
    offsets, places = side.offsets, side.places
    for turn in range(len(out)):
        counter = np.uint64(start + turn) * np.uint64(_TRIES + 2)
        u = users[below(word(key, counter), len(users))]
        first, last = offsets[u], offsets[u + 1]
        out[turn, 0] = u
        out[turn, 1] = places[first + below(word(key, counter + np.uint64(1)), last - first)]


@kernel
def draw_others(key: np.uint64, start: int, given: Rated, deal: Deal, out: Triples) -> None:
    """Draw j of the same steps: an item of the part of i that u did not rate (−1: none met).

    One flat loop on flat arrays: with a slice of an array in it, the processor could not wait
    for the memory of several steps at once.
    """
    offsets, places, marks = given.side.offsets, given.side.places, given.marks
    parts, known, starts = deal.item_parts, deal.known, deal.starts
    last = np.uint64(len(marks) - 1)
    for turn in range(len(out)):
        counter = np.uint64(start + turn) * np.uint64(_TRIES + 2) + np.uint64(2)
        u, part = out[turn, 0], parts[out[turn, 1]]
        first, size = starts[part], starts[part + 1] - starts[part]
        out[turn, 2] = -1
        for attempt in range(_TRIES):
            j = known[first + below(word(key, counter + np.uint64(attempt)), size)]
            spot = word(np.uint64(u), np.uint64(j))
            marked = (marks[spot & last] >> np.uint8(spot >> np.uint64(61))) & 1
            if not (marked and rated(places, offsets[u], offsets[u + 1], j)):
                out[turn, 2] = j
                break


@kernel
def by_block(drawn: Triples, deal: Deal, out: Triples, bounds: Codes) -> None:
    """Put triples in the order of their blocks; those of a block stay in their order.

    The block of user part p and item part q is number p of stratum (q − p) mod parts. Blocks
    are numbered stratum by stratum: those of one stratum share no user and no item.
    """
    parts = len(deal.starts) - 1
    blocks = np.empty(len(drawn), np.int32)
    bounds[:] = 0
    for turn in range(len(drawn)):
        p, q = deal.user_parts[drawn[turn, 0]], deal.item_parts[drawn[turn, 1]]
        blocks[turn] = (q - p + parts) % parts * parts + p
        bounds[blocks[turn] + 1] += 1
    for block in range(len(bounds) - 1):
        bounds[block + 1] += bounds[block]
    places = bounds.copy()
    for turn in range(len(drawn)):
        place = places[blocks[turn]]
        places[blocks[turn]] += 1
        for column in range(3):
            out[place, column] = drawn[turn, column]


@kernel(fastmath=set(LANES))
def preference(x: Singles, y: Singles, z: Singles) -> np.float32:
    """``x·(y − z)``."""
    total = np.float32(0.0)
    for f in range(len(x)):
        total += x[f] * (y[f] - z[f])
    return total


@kernel(fastmath={"contract"})
def move(x: Singles, y: Singles, z: Singles, pull: np.float32, pace: Pace) -> None:
    """Pull x towards y and away from z, and both of them accordingly, while all decay."""
    keep_x = np.float32(1.0 - pace.rate * pace.user_decay)
    keep_y = np.float32(1.0 - pace.rate * pace.item_decay)
    keep_z = np.float32(1.0 - pace.rate * pace.other_decay)
    for f in range(len(x)):
        xf, yf, zf = x[f], y[f], z[f]
        x[f] = keep_x * xf + pull * (yf - zf)
        y[f] = keep_y * yf + pull * xf
        z[f] = keep_z * zf - pull * xf


@kernel
def climb(triples: Triples, model: RankingFactors, pace: Pace) -> None:
    """Take one step up the criterion for each triple, in their order."""
    biases, rate, decay = model.biases, pace.rate, pace.bias_decay
    for turn in range(len(triples)):
        u, i, j = triples[turn, 0], triples[turn, 1], triples[turn, 2]
        if j < 0:
            continue
        x, y, z = model.users[u], model.items[i], model.items[j]
        margin = biases[i] - biases[j] + preference(x, y, z)
        slope = 1.0 / (1.0 + np.exp(float(margin)))
        move(x, y, z, np.float32(rate * slope), pace)
        biases[i] += rate * (slope - decay * biases[i])
        biases[j] -= rate * (slope + decay * biases[j])


@kernel
def climb_block(block: int, steps: Round, model: RankingFactors, pace: Pace) -> None:
    """Take the steps of one block, portion by portion."""
    for number in range(len(steps.bounds)):
        first = number * steps.portion
        begin, end = steps.bounds[number, block], steps.bounds[number, block + 1]
        climb(steps.triples[first + begin : first + end], model, pace)
