"""What tests by drawing draw, as plain definitions; the kernels do the same, faster.

Draw d of a test depends on its key and on d alone, so that blocks and threads cannot
matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.seeds import words
from cranfield.scoring.scores import Floats

_BITS = 64


def words_per_draw(users: int) -> int:
    """The 64-bit words that hold one sign per user."""
    return -(-users // _BITS)


def random_signs(key: int, draws: range, users: int) -> Floats:
    """Signs +1 and −1 (draws × users): bit u mod 64 of word ⌊u/64⌋ of the draw."""
    width = words_per_draw(users)
    counters = np.array(draws)[:, None] * width + np.arange(width)
    drawn = words(key, counters.ravel()).reshape(len(draws), width)
    bits = drawn[:, :, None] >> np.arange(_BITS, dtype=np.uint64) & np.uint64(1)
    return bits.reshape(len(draws), -1)[:, :users].astype(np.float64) * 2 - 1


def all_signs(users: int) -> Floats:
    """Every assignment of signs in which the first user keeps theirs (2^(n−1) × users).

    The others mirror these, and a two-sided test counts both alike.

    >>> all_signs(2)
    array([[ 1., -1.],
           [ 1.,  1.]])
    """
    draws = np.arange(2 ** (users - 1), dtype=np.int64)
    bits = draws[:, None] >> np.arange(users - 1) & 1
    return np.hstack([np.ones((len(draws), 1)), bits * 2.0 - 1.0])


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
