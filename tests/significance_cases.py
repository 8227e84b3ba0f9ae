"""Samples to test significance with: by hand, by a seed, or made up by Hypothesis.

Last come the draws of tests by drawing as plain definitions, which kernels must equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

import cranfield.scoring.aggregations
import cranfield.significance.corrections
import cranfield.significance.paired_tests  # noqa: F401
from cranfield.base.seeds import words
from cranfield.scoring.scores import Floats
from cranfield.significance.samples import Samples


def samples_of(*systems: Sequence[float], weights: Sequence[int] | None = None) -> Samples:
    """Samples by one metric, a row of users per system; all users have a rating or more."""
    values = np.array(systems, dtype=np.float64)[:, None, :]
    counts = np.array(weights if weights else [1] * values.shape[2], dtype=np.int64)
    names = tuple("abcdefghij"[: len(systems)])
    enters = np.ones((1, values.shape[2]), dtype=bool)
    return Samples(names, ("P@10",), values, enters, judged=counts, relevant=counts)


def random_samples(
    seed: int, *, systems: int = 3, metrics: int = 1, users: int = 40, lift: float = 0.0
) -> Samples:
    """Scores in hundredths, users alike for all systems; each system a lift above the last."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(1, 3, users)
    noise = rng.normal(0, 0.2, (systems, metrics, users))
    values: Floats = np.round(ease + noise + lift * np.arange(systems)[:, None, None], 2).astype(
        float
    )
    counts = rng.integers(1, 9, users)
    return Samples(
        tuple(f"s{number}" for number in range(systems)),
        tuple(f"m{number}" for number in range(metrics)),
        values,
        np.ones((metrics, users), dtype=bool),
        judged=counts,
        relevant=counts,
    )


def row_pair(samples: Samples) -> tuple[Floats, Floats]:
    """The scores of the first two systems by the first metric."""
    first, second = samples.of(0)[:2]
    return first, second


SCORES = st.sampled_from([0.0, 1.0, 0.1, 0.3]) | st.integers(0, 1000).map(lambda n: n / 1000)
"""Scores whose sums are equal up to rounding or clearly different, never in between."""


@st.composite
def many_samples(draw: st.DrawFn, *, systems: int = 3, users: int = 9) -> Samples:
    """A few systems and users: equal systems, one user apart, any."""
    size = draw(st.integers(2, users))
    rows = st.lists(SCORES, min_size=size, max_size=size)
    return samples_of(*(draw(rows) for _ in range(draw(st.integers(2, systems)))))


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
