"""Samples to test significance with: by hand, by a seed, or made up by Hypothesis.

Last come the draws of tests by drawing as plain definitions, which kernels must equal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

import cranfield.scoring.aggregations
import cranfield.significance.corrections
import cranfield.significance.paired_tests  # noqa: F401
from cranfield.base.seeds import words
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction, adjust_families
from cranfield.significance.samples.samples import Samples
from cranfield.testing.strategies import random_samples, samples_of
from cranfield.testing.strategies import samples as many_samples

__all__ = [
    "adjusting",
    "many_samples",
    "random_samples",
    "random_signs",
    "resample_counts",
    "row_pair",
    "samples_of",
    "shuffled_systems",
]


def adjusting(correction: Correction) -> Callable[[Floats], Floats]:
    """A correction of the pairs by each metric."""
    return partial(adjust_families, correction)


def row_pair(samples: Samples) -> tuple[Floats, Floats]:
    """The scores of the first two systems by the first metric."""
    first, second = samples.of(0)[:2]
    return first, second


def random_signs(key: int, draws: range, users: int) -> Floats:
    """Signs +1 and −1 (draws × users): bit u mod 64 of word ⌊u/64⌋ of the draw."""
    width = -(-users // 64)
    counters = np.array(draws)[:, None] * width + np.arange(width)
    drawn = words(key, counters.ravel()).reshape(len(draws), width)
    bits = drawn[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return bits.reshape(len(draws), -1)[:, :users].astype(np.float64) * 2 - 1


def resample_counts(key: int, draws: range, users: int) -> Floats:
    """How often each user is drawn, with replacement, in each draw (draws × users)."""
    counters = np.array(draws)[:, None] * users + np.arange(users)
    drawn = words(key, counters.ravel()) >> np.uint64(32)
    chosen = ((drawn * np.uint64(users)) >> np.uint64(32)).reshape(len(draws), users)
    return np.array([np.bincount(row.astype(np.int64), minlength=users) for row in chosen], float)


def shuffled_systems(key: int, draw: int, users: int, systems: int) -> npt.NDArray[np.int64]:
    """For each user, whose score each system gets in a draw (users × systems).

    Fisher and Yates from the last place down, one word for each exchange.
    """
    places = np.tile(np.arange(systems), (users, 1))
    steps = systems - 1
    for user in range(users):
        counters = (draw * users + user) * steps + np.arange(steps)
        for step, word in enumerate(words(key, counters).tolist()):
            last = systems - 1 - step
            other = ((word >> 32) * (last + 1)) >> 32
            places[user, [last, other]] = places[user, [other, last]]
    return places
