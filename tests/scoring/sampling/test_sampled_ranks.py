"""Where an item stands in a sample: the two laws, by enumeration and by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cranfield.scoring.sampling.sampled_ranks import SampledRanks, rank_law, told_apart
from sample_cases import every_sample
from suites import tries


@pytest.mark.parametrize(("targets", "sampled"), [(1, 0), (2, 1), (5, 2), (6, 3), (7, 6), (8, 1)])
def test_the_law_without_replacement_counts_all_samples(targets: int, sampled: int) -> None:
    law = rank_law(np.arange(1, targets + 1), targets, sampled)
    for rank in range(1, targets + 1):
        found = every_sample(rank, targets, sampled)
        counted = np.bincount(found, minlength=sampled + 2)[1:] / len(found)
        assert law[rank - 1] == pytest.approx(counted, abs=1e-14)


@settings(max_examples=tries(200))
@given(st.data())
def test_laws_are_those_of_scipy(data: st.DataObject) -> None:
    targets = data.draw(st.integers(2, 3000))
    sampled = data.draw(st.integers(1, min(targets - 1, 200)))
    rank, above = (at := data.draw(st.integers(1, targets))), at - 1
    drawn = np.arange(sampled + 1)
    without = rank_law(np.array([rank]), targets, sampled)[0]
    expected = stats.hypergeom.pmf(drawn, targets - 1, above, sampled)
    assert without == pytest.approx(expected, rel=1e-8, abs=1e-13)
    replaced = rank_law(np.array([rank]), targets, sampled, replacement=True)[0]
    expected = stats.binom.pmf(drawn, sampled, above / (targets - 1))
    assert replaced == pytest.approx(expected, rel=1e-8, abs=1e-13)


def test_large_catalogues_keep_their_precision() -> None:
    law = rank_law(np.array([1, 50, 200_000]), 200_000, 100)
    expected = stats.hypergeom.pmf(np.arange(101), 199_999, 49, 100)
    assert law[1] == pytest.approx(expected, rel=1e-8, abs=1e-12)
    assert law.sum(axis=1) == pytest.approx(1, abs=1e-14)
    assert law[0, 0] == law[2, -1] == 1


def test_a_sample_of_all_others_shows_the_true_rank() -> None:
    assert np.array_equal(rank_law(np.arange(1, 7), 6, 5), np.eye(6))
    whole = SampledRanks(np.array([1, 2]), np.array([5, 5]), np.array([6, 7])).whole
    assert whole.tolist() == [True, False]


def test_few_sizes_are_all_told_apart_and_many_by_two_per_cent() -> None:
    assert told_apart(np.array([9, 5, 9])).tolist() == [5, 9]
    sizes = np.arange(1000, 2000)
    grid = told_apart(sizes)
    assert (grid[0], grid[-1]) == (1000, 1999)
    assert len(grid) < 40
    assert (grid[1:] / grid[:-1]).max() < 1.022
