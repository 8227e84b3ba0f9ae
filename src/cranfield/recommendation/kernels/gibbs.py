"""LDA: collapsed Gibbs sampling, one token after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from cranfield.recommendation.kernels.draws import below, share, word

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


@njit(cache=True, nogil=True)
def assign(
    key: np.uint64,
    users: Codes,
    items: Codes,
    topics: Codes,
    user_topics: Floats,
    item_topics: Floats,
    totals: Floats,
) -> None:
    """Give every token a random topic, and count."""
    for token in range(len(users)):
        z = below(word(key, np.uint64(token)), len(totals))
        topics[token] = z
        user_topics[users[token], z] += 1.0
        item_topics[items[token], z] += 1.0
        totals[z] += 1.0


@njit(cache=True, nogil=True)
def sample(
    key: np.uint64,
    users: Codes,
    items: Codes,
    topics: Codes,
    user_topics: Floats,
    item_topics: Floats,
    totals: Floats,
    alpha: float,
    beta: float,
    mass: float,
) -> None:
    """Draw every token's topic anew, given all others.

    ``p(z) ∝ (n_uz + α)·(n_zi + β)/(n_z + mass)`` with the token itself left out of the
    counts; ``mass`` is β times the number of known items.
    """
    size = len(totals)
    cumulated = np.empty(size)
    scales = 1.0 / (totals + mass)
    for token in range(len(users)):
        u, i, z = users[token], items[token], topics[token]
        user_topics[u, z] -= 1.0
        item_topics[i, z] -= 1.0
        totals[z] -= 1.0
        scales[z] = 1.0 / (totals[z] + mass)
        for k in range(size):
            cumulated[k] = (user_topics[u, k] + alpha) * (item_topics[i, k] + beta) * scales[k]
        for k in range(1, size):
            cumulated[k] += cumulated[k - 1]
        wanted = share(word(key, np.uint64(token))) * cumulated[size - 1]
        z = 0
        while z < size - 1 and cumulated[z] <= wanted:
            z += 1
        topics[token] = z
        user_topics[u, z] += 1.0
        item_topics[i, z] += 1.0
        totals[z] += 1.0
        scales[z] = 1.0 / (totals[z] + mass)
