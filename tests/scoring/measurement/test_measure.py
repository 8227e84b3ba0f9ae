"""Measuring many topics by many metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import MissingPopularity, UnknownOption, UnmappableRating
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from hit_cases import METRICS, POPULARITY, Ranking, hits_of, rankings
from suites import tries

MADE = [Ranking((5.0, None, 4.0)), Ranking((None, 1.0)), Ranking((), (5.0,))]


def metrics(*names: str) -> list[Metric]:
    return [parse("metric", name) for name in names]


def test_there_is_a_row_for_each_metric_and_a_column_for_each_topic() -> None:
    scores = measure(hits_of(MADE), metrics("P@2", "AP(as=elliot)@2", "Recall@2"))
    expected = [[1 / 2, np.nan, 0], [(1 + 1 / 2) / 2, np.nan, 0], [1 / 2, np.nan, 0]]
    np.testing.assert_allclose(scores, expected)


def test_a_metric_asked_for_twice_is_given_twice() -> None:
    scores = measure(hits_of(MADE), metrics("P@2", "Recall@2", "precision@2"))
    np.testing.assert_array_equal(scores[0], scores[2])


def test_no_metrics_give_no_rows() -> None:
    assert measure(hits_of(MADE), []).shape == (0, 3)


def test_no_topics_give_no_columns() -> None:
    assert measure(hits_of([]), metrics("P@2", "nDCG", "RBO(p=0.9)", "AP(as=elliot)")).shape == (
        4,
        0,
    )


def test_popularity_reaches_the_metrics_that_need_it() -> None:
    with pytest.raises(MissingPopularity):
        measure(hits_of(MADE), metrics("StratifiedRecall(gamma=1)@2"))
    assert (
        measure(hits_of(MADE), metrics("StratifiedRecall(gamma=1)@9"), popularity=POPULARITY)[0, 0]
        == 1
    )


def test_a_scale_that_a_gain_cannot_map_is_refused_for_all_topics_at_once() -> None:
    with pytest.raises(UnmappableRating, match="gain table"):
        measure(hits_of(MADE), metrics("nDCG(gain=table(gains={5: 1}))@2"))


@pytest.mark.parametrize("ties", ["ranked", "expected"])
def test_metrics_that_rank_targets_only_are_measured_on_lists_without_unknown_items(
    ties: Literal["ranked", "expected"],
) -> None:
    """A list of an unknown item, a relevant one and another: AUC sees the last two."""
    listed, known = hits_of([Ranking((None, 5.0, 2.0))]), hits_of([Ranking((5.0, 2.0))])
    both = metrics("RR", "AUC", "AP(as=elliot)@2")
    scores = measure(listed, both, ties=ties, known_only=known)
    assert scores[:, 0].tolist() == pytest.approx([1 / 2, 1.0, (0 + 1 / 2) / 2])
    assert measure(listed, both[1:2], ties=ties, known_only=known)[0, 0] == 1.0
    assert measure(listed, both[:1], ties=ties, known_only=known)[0, 0] == 1 / 2
    assert measure(listed, both[1:2], ties=ties)[0, 0] == 1 / 2


@given(made=st.lists(rankings(ties=True), min_size=1, max_size=4))
@settings(deadline=None, max_examples=tries(30))
def test_hits_known_only_change_no_other_metric(made: list[Ranking]) -> None:
    hits = hits_of(made)
    empty = replace(hits, ranks=hits.ranks * 0, lengths=hits.lengths * 0)
    apart = np.array([metric.ranks_targets_only for metric in METRICS])
    found = measure(hits, METRICS, popularity=POPULARITY, known_only=empty)
    plain, unlisted = (measure(each, METRICS, popularity=POPULARITY) for each in (hits, empty))
    np.testing.assert_array_equal(found[~apart], plain[~apart])
    np.testing.assert_array_equal(found[apart], unlisted[apart])


def test_hits_are_left_as_they_were() -> None:
    hits = hits_of(MADE)
    before = hits.ranks.copy(), hits.ratings.copy()
    measure(hits, metrics("nDCG@2", "tau"))
    np.testing.assert_array_equal(hits.ranks, before[0])
    np.testing.assert_array_equal(hits.ratings, before[1])


def test_a_misspelt_metric_is_answered_with_a_near_name() -> None:
    with pytest.raises(UnknownOption, match='Did you mean "nDCG"'):
        parse("metric", "NDGC@10")
