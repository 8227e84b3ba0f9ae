"""Rating levels, few and many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.scoring.kernels.levels import find_levels, find_runs
from cranfield.scoring.measurement.measure import measure
from hit_cases import Ranking, hits_of
from suites import tries


@settings(deadline=None, max_examples=tries(200))
@given(ratings=st.lists(st.floats(-10, 10), max_size=20))
def test_levels_are_the_distinct_ratings_and_codes_lead_back(ratings: list[float]) -> None:
    values = np.array(ratings, dtype=np.float64)
    levels = find_levels(values)
    np.testing.assert_array_equal(levels.ratings, np.unique(values))
    np.testing.assert_array_equal(levels.ratings[levels.place[levels.numbers]], values)


@pytest.mark.parametrize("distinct", [3, 256, 257, 700])
def test_runs_count_each_topic_from_the_highest_rating(distinct: int) -> None:
    rng = np.random.default_rng(distinct)
    values = rng.permutation(np.arange(3000) % distinct).astype(np.float64)
    offsets = np.array([0, 0, 10, 1500, 3000], dtype=np.int64)
    codes = np.empty(3000, dtype=np.int32)
    starts, found, counts = find_runs(offsets, find_levels(values), codes)
    for t in range(4):
        best = np.sort(values[offsets[t] : offsets[t + 1]])[::-1]
        runs = slice(starts[t], starts[t + 1])
        np.testing.assert_array_equal(np.repeat(found[runs], counts[runs]), best)


def test_many_levels_give_the_scores_of_the_definition() -> None:
    rng = np.random.default_rng(1)
    made = [Ranking(tuple([5.0] * 30), (4.0,) * 5) for _ in range(20)]
    hits = hits_of(made)
    hits = replace(hits, ratings=rng.uniform(1, 5, len(hits.ratings)))
    metrics = [parse("metric", name) for name in ("nDCG@10", "nDCG", "RBO(p=0.9)", "P@5", "ERR")]
    defined = [[m.of_topic(hits.topic(t)) for t in range(len(hits))] for m in metrics]
    np.testing.assert_allclose(measure(hits, metrics), defined, rtol=1e-12)
