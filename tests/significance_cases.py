"""Samples to test significance with: by hand, by a seed, or made up by Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

import cranfield.scoring.aggregations
import cranfield.significance.corrections
import cranfield.significance.paired_tests  # noqa: F401
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
