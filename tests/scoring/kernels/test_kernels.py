"""Kernels equal the definitions that they accelerate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.expectation.random_ranking import ideal, shuffled
from cranfield.scoring.kernels.forms import has_kernel
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from hit_cases import METRICS, POPULARITY, Ranking, hits_of, rankings
from suites import tries

FAST = [metric for metric in METRICS if has_kernel(metric)]
TOPICS = st.lists(rankings(), min_size=1, max_size=6)


def check(metrics: list[Metric], hits: Hits) -> None:
    topics = [hits.topic(number, POPULARITY) for number in range(len(hits))]
    scores = measure(hits, metrics, popularity=POPULARITY)
    defined = np.array([[metric.of_topic(topic) for topic in topics] for metric in metrics])
    np.testing.assert_allclose(scores, defined, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=tries(120))
@given(made=TOPICS)
def test_kernels_equal_definitions_for_all_metrics_at_once(made: list[Ranking]) -> None:
    check(FAST, hits_of(made))


@settings(deadline=None, max_examples=tries(40))
@given(made=TOPICS, depth=st.integers(0, 12))
def test_kernels_equal_definitions_on_lists_that_end_above_or_below_the_cut_off(
    made: list[Ranking], depth: int
) -> None:
    """Cut-offs are 1, 3 and 10; targets below the end of a list are unranked."""
    check(FAST, hits_of(made).cut(depth))


@settings(deadline=None, max_examples=tries(40))
@given(made=TOPICS, more=st.lists(st.integers(0, 5), min_size=6, max_size=6))
def test_kernels_equal_definitions_on_lists_with_unknown_items(
    made: list[Ranking], more: list[int]
) -> None:
    """Items that are no targets make a list longer than what was to be ranked."""
    hits = hits_of(made)
    unknown = np.array(more[: len(hits)], dtype=np.int64)
    fewer = np.maximum(hits.targets - unknown, np.diff(hits.offsets))
    known = [metric for metric in FAST if not metric.ranks_targets_only]
    check(known, replace(hits, lengths=hits.lengths + unknown, targets=fewer))


@settings(deadline=None, max_examples=tries(30))
@given(made=TOPICS, depth=st.none() | st.integers(0, 12), key=st.integers(0, 2**63))
def test_kernels_equal_definitions_on_random_and_ideal_rankings(
    made: list[Ranking], depth: int | None, key: int
) -> None:
    hits = hits_of(made)
    check(FAST, shuffled(hits, key, depth))
    check(FAST, ideal(hits, depth))


@settings(deadline=None, max_examples=tries(30))
@given(made=TOPICS, threshold=st.sampled_from([0.5, 1.0, 2.5, 5.0, 6.0]))
def test_kernels_equal_definitions_where_everything_or_nothing_is_relevant(
    made: list[Ranking], threshold: float
) -> None:
    check(FAST, replace(hits_of(made), relevance=threshold))


@pytest.mark.parametrize("metric", FAST, ids=str)
def test_a_kernel_asked_for_one_metric_gives_what_it_gives_among_all(metric: Metric) -> None:
    pool = (None, 5.0, 4.5, 4.0, 3.0, 2.0, 1.0)
    rng = np.random.default_rng(3)
    made = [Ranking(tuple(pool[i] for i in rng.integers(0, 7, n)), (4.0, 1.0)) for n in range(20)]
    hits = hits_of(made)
    alone = measure(hits, [metric], popularity=POPULARITY)
    among = measure(hits, FAST, popularity=POPULARITY)[FAST.index(metric)]
    np.testing.assert_array_equal(alone[0], among)


@pytest.mark.slow
@settings(deadline=None, max_examples=tries(10_000))
@given(made=TOPICS)
def test_kernels_equal_definitions_over_ten_thousand_cases(made: list[Ranking]) -> None:
    check(FAST, hits_of(made))


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_threads_change_no_bit(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    pool = [None, None, 1.0, 3.0, 4.0, 5.0]
    made = [
        Ranking(tuple(pool[i] for i in rng.integers(0, 6, rng.integers(0, 12))), (4.0,))
        for _ in range(2500)
    ]
    hits = hits_of(made)
    monkeypatch.setenv("CRANFIELD_THREADS", "1")
    alone = measure(hits, FAST, popularity=POPULARITY)
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    np.testing.assert_array_equal(measure(hits, FAST, popularity=POPULARITY), alone)
