"""LDA: collapsed Gibbs sampling, one token after another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.draws import below, share, word
from cranfield.base.kernels.kernel import kernel

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


class Tokens(NamedTuple):
    """Who consumed what, how much it counts, and its topic, which is changed in place."""

    users: Codes
    items: Codes
    weights: Floats
    topics: Codes


class Counts(NamedTuple):
    """The weight of the tokens of each user, each item and each topic; changed in place."""

    users: Floats
    items: Floats
    totals: Floats


@kernel
def count(counts: Counts, u: int, i: int, z: int, amount: float) -> None:
    """Add a token to the counts, or take it away."""
    counts.users[u, z] += amount
    counts.items[i, z] += amount
    counts.totals[z] += amount


@kernel
def assign(key: np.uint64, tokens: Tokens, counts: Counts) -> None:
    """Give every token a random topic, and count."""
    for at in range(len(tokens.users)):
        z = below(word(key, np.uint64(at)), len(counts.totals))
        tokens.topics[at] = z
        count(counts, tokens.users[at], tokens.items[at], z, tokens.weights[at])


@kernel
def sample(
    key: np.uint64, tokens: Tokens, counts: Counts, alpha: float, beta: float, mass: float
) -> None:
    """Draw every token's topic anew, given all others.

    ``p(z) ∝ (n_uz + α)·(n_zi + β)/(n_z + mass)`` with the token itself left out of the
    counts; ``mass`` is β times the number of known items.
    """
    size = len(counts.totals)
    cumulated = np.empty(size)
    scales = 1.0 / (counts.totals + mass)
    for at in range(len(tokens.users)):
        u, i, z = tokens.users[at], tokens.items[at], tokens.topics[at]
        weight = tokens.weights[at]
        count(counts, u, i, z, -weight)
        scales[z] = 1.0 / (counts.totals[z] + mass)
        for k in range(size):
            cumulated[k] = (counts.users[u, k] + alpha) * (counts.items[i, k] + beta) * scales[k]
        for k in range(1, size):
            cumulated[k] += cumulated[k - 1]
        wanted = share(word(key, np.uint64(at))) * cumulated[size - 1]
        z = 0
        while z < size - 1 and cumulated[z] <= wanted:
            z += 1
        tokens.topics[at] = z
        count(counts, u, i, z, weight)
        scales[z] = 1.0 / (counts.totals[z] + mass)
