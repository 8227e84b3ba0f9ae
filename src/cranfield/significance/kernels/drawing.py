"""Draws of signs, of users and of orders of systems.

Draw d of a test depends on its key and on d alone, so that blocks and threads cannot
matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.draws import below, word
from cranfield.base.kernels.kernel import kernel

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@kernel
def fill_signs(key: np.uint64, first: int, out: Floats) -> None:
    """Write the signs of consecutive draws, from the first on.

    The sign of user u is bit u mod 64 of word ⌊u/64⌋ of the draw.
    """
    draws, users = out.shape
    width = (users + 63) // 64
    for draw in range(draws):
        start = np.uint64((first + draw) * width)
        for place in range(width):
            drawn = word(key, start + np.uint64(place))
            for user in range(64 * place, min(64 * place + 64, users)):
                out[draw, user] = 2.0 * np.float64(drawn & np.uint64(1)) - 1.0
                drawn >>= np.uint64(1)


@kernel
def fill_counts(key: np.uint64, first: int, out: Floats) -> None:
    """Write how often each user is drawn, with replacement, in consecutive draws."""
    draws, users = out.shape
    out[:] = 0.0
    for draw in range(draws):
        start = np.uint64((first + draw) * users)
        for place in range(users):
            out[draw, below(word(key, start + np.uint64(place)), users)] += 1.0


@kernel
def count_pairs(sums: Floats, thresholds: Floats, reached: Counts) -> None:
    """Add, for each metric and pair, the draws whose difference of sums reaches a threshold.

    ``sums`` are draws × metrics × systems.
    """
    draws, metrics, systems = sums.shape
    for draw in range(draws):
        for metric in range(metrics):
            pair = 0
            for first in range(systems):
                one = sums[draw, metric, first]
                for second in range(first + 1, systems):
                    far = abs(one - sums[draw, metric, second]) >= thresholds[metric, pair]
                    reached[metric, pair] += far
                    pair += 1


@kernel
def add_shuffled(key: np.uint64, first: int, scores: Floats, sums: Floats) -> None:
    """Add up users' scores, shuffled between systems, in consecutive draws from the first on.

    ``scores`` are users × systems × metrics, ``sums`` draws × systems × metrics. Systems are
    shuffled as Fisher and Yates do, from the last place down, one word for each exchange.
    Draws are the inner loop, so that one user's scores and all sums stay in the cache.
    """
    users, systems, metrics = scores.shape
    steps = systems - 1
    places = np.empty(systems, dtype=np.uint64)
    for user in range(users):
        mine = scores[user]
        for draw in range(len(sums)):
            start = np.uint64(((first + draw) * users + user) * steps)
            for system in range(systems):
                places[system] = system
            for step in range(steps):
                last = systems - 1 - step
                other = below(word(key, start + np.uint64(step)), last + 1)
                places[last], places[other] = places[other], places[last]
            drawn = sums[draw]
            for system in range(systems):
                given, total = mine[places[system]], drawn[system]
                for metric in range(metrics):
                    total[metric] += given[metric]
