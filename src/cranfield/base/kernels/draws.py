"""Random words by counter: the n-th draw of a key, whatever was drawn before."""

from __future__ import annotations

import numpy as np

from cranfield.base.kernels.kernel import kernel


@kernel(inline="always")
def word(key: np.uint64, counter: np.uint64) -> np.uint64:
    """The 64-bit word that a key gives at a counter (SplitMix64, Steele et al. 2014)."""
    z = key + (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel(inline="always")
def below(drawn: np.uint64, bound: int) -> int:
    """A whole number from 0 up to, not including, the bound (of at most 2³²)."""
    return int(((drawn >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel(inline="always")
def share(drawn: np.uint64) -> float:
    """A number of at least 0 and below 1, with 53 random bits."""
    return float(drawn >> np.uint64(11)) * (1.0 / 9007199254740992.0)
