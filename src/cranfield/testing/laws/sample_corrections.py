"""Laws of corrections of samples: one estimate per topic, whatever the order of topics."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from cranfield.scoring.sample_correction import SampleCorrection
from cranfield.scoring.sampling.sampled_ranks import SampledRanks
from cranfield.testing.law import law, require, require_close, require_equal


@st.composite
def sampled_ranks(draw: st.DrawFn) -> SampledRanks:
    """The ranks of a few topics in samples of different sizes."""
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        targets = draw(st.integers(2, 30))
        sampled = draw(st.integers(1, targets - 1))
        rows.append((draw(st.integers(1, sampled + 1)), sampled, targets))
    return SampledRanks(*np.array(rows).T)


def inverse(ranks: Any, _targets: Any) -> Any:
    """A discount: one over the rank."""
    return 1 / ranks


@law("sample-correction", sampled=sampled_ranks())
def every_topic_has_an_estimate(correction: SampleCorrection, sampled: SampledRanks) -> None:
    """There is one number for each topic."""
    found = correction.correct(sampled, inverse)
    require(np.shape(found) == (len(sampled),), f"{len(sampled)} topics got {np.shape(found)}")
    require(np.isfinite(found).all(), f"{found} are not all numbers")


@law("sample-correction", sampled=sampled_ranks(), seed=st.integers(0, 99))
def the_order_of_topics_does_not_matter(
    correction: SampleCorrection, sampled: SampledRanks, seed: int
) -> None:
    """Each topic has the same estimate, bit for bit, in any order of all."""
    order = np.random.default_rng(seed).permutation(len(sampled))
    others = SampledRanks(sampled.ranks[order], sampled.sampled[order], sampled.targets[order])
    found = correction.correct(sampled, inverse)
    require_equal(correction.correct(others, inverse), found[order], "topics in another order")


@law(
    "sample-correction",
    when=lambda correction: not correction.pools_topics,
    sampled=sampled_ranks(),
)
def a_topic_by_itself_has_the_same_estimate(
    correction: SampleCorrection, sampled: SampledRanks
) -> None:
    """Unless ``pools_topics`` is true, other topics change no estimate."""
    found = correction.correct(sampled, inverse)
    first = sampled.take(np.arange(len(sampled)) == 0)
    require_close(correction.correct(first, inverse), found[:1], "the first topic by itself", 1e-9)


@law("sample-correction", sampled=sampled_ranks())
def sampled_ranks_are_left_as_they_are(correction: SampleCorrection, sampled: SampledRanks) -> None:
    """A correction changes nothing in the ranks and sizes that it is given."""
    before = [each.copy() for each in (sampled.ranks, sampled.sampled, sampled.targets)]
    correction.correct(sampled, inverse)
    after = [sampled.ranks, sampled.sampled, sampled.targets]
    require_equal(after, before, "ranks or sizes were changed")
