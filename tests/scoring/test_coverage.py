"""Coverage policies: who enters, with which weight and score."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.scoring.coverage import (
    ListCounts,
    count_lists,
    coverage_at,
    enter,
    facts_from_counts,
    topic_weights,
)
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from hit_cases import Ranking, hits_of, list_facts, rankings, run_of
from score_cases import N, U, many_scores, scores_of
from suites import tries

BOTH = {"A": [0.8, U, N, 0.4], "B": [0.6, 0.2, 0.4, N]}


def test_full_scores_uncovered_topics_zero_and_leaves_out_undefined_ones() -> None:
    entered = enter(scores_of(BOTH), 0, 0)
    assert entered.topics.tolist() == [0, 2, 3]
    assert entered.scores.tolist() == [0.8, 0.0, 0.4]
    np.testing.assert_allclose(entered.weights, 1 / 3)


def test_forgiving_leaves_out_uncovered_topics() -> None:
    assert enter(scores_of(BOTH), 0, 0, "forgiving").topics.tolist() == [0, 3]
    assert enter(scores_of(BOTH), 1, 0, "forgiving").topics.tolist() == [0, 1, 2]


def test_common_keeps_the_topics_that_every_system_covers() -> None:
    assert enter(scores_of(BOTH), 0, 0, "common").topics.tolist() == [0]
    assert enter(scores_of(BOTH), 1, 0, "common").topics.tolist() == [0, 1]


def test_undefined_topics_can_score_zero() -> None:
    entered = enter(scores_of(BOTH), 0, 0, "full", "zero")
    assert entered.scores.tolist() == [0.8, 0.0, 0.0, 0.4]


def test_compared_systems_share_the_topics_that_are_defined_for_all() -> None:
    entered = enter(scores_of(BOTH), 1, 0, compared=True)
    assert entered.topics.tolist() == [0, 2, 3]
    assert entered.all_scores.tolist() == [[0.8, 0.0, 0.4], [0.6, 0.4, 0.0]]


@settings(deadline=None, max_examples=tries(100))
@given(scores=many_scores(segments=True))
def test_the_full_mean_is_coverage_times_the_forgiving_mean(scores: Scores) -> None:
    """canamares2020 C4, put right: m_full = coverage · m_reduced."""
    for system in range(len(scores.systems)):
        full, forgiving = (enter(scores, system, 0, policy) for policy in ("full", "forgiving"))
        assume(len(forgiving))
        covered = full.weights @ scores.covered[system, full.topics]
        expected = covered * (forgiving.weights @ forgiving.scores)
        assert full.weights @ full.scores == pytest.approx(expected)


def test_users_are_numbered_among_those_who_have_a_topic() -> None:
    scores = scores_of({"A": [0.8, U, 0.5, 0.4]}, users=[3, 5, 5, 17])
    assert enter(scores, 0, 0).users.tolist() == [0, 1, 2]
    assert enter(scores, 0, 0, undefined="zero").users.tolist() == [0, 1, 1, 2]
    assert (scores.n_users, enter(scores, 0, 0).n_users) == (3, 3)


def test_users_without_a_topic_change_no_bit_of_a_summary() -> None:
    """300 users with a topic, alone or among 2,000; a fifth of them have no list."""
    values = np.random.default_rng(2).random((1, 1, 300))
    ids = Ids(pl.Series(range(2000)))
    covered = values[0] > 0.2
    alone, among = (
        Scores(Topics(users.astype(np.int32)), ids, ("A",), ("P@10",), values, covered)
        for users in (np.arange(300), np.arange(300) * 6 + 3)
    )
    for policy in ("full", "forgiving"):
        choice = SummaryChoice(coverage=policy)
        assert summarise(alone, choice).rows[0].low == summarise(among, choice).rows[0].low


def test_segments_weigh_alike_and_share_their_weight() -> None:
    topics = Topics(np.arange(4, dtype=np.int32), segments=np.array([2, 2, 2, 5], np.int32))
    enters = np.array([True, True, False, True])
    np.testing.assert_allclose(topic_weights(topics, enters), [1 / 4, 1 / 4, 0, 1 / 2])


def test_nothing_enters_where_nothing_is_defined() -> None:
    assert len(enter(scores_of({"A": [U, U]}), 0, 0)) == 0


def test_coverage_at_a_depth_fills_places_and_user_coverage_counts_users() -> None:
    topics, lengths = Topics(np.arange(4, dtype=np.int32)), np.array([0, 5, 10, 30])
    assert coverage_at(topics, lengths, 10) == pytest.approx((0 + 5 + 10 + 10) / (10 * 4))
    assert coverage_at(topics, lengths, 1) == 3 / 4


def test_a_user_with_several_lists_counts_once() -> None:
    topics = Topics(np.array([0, 0, 0, 1], np.int32))
    assert coverage_at(topics, np.array([0, 0, 0, 9]), 1) == 1 / 2
    assert coverage_at(topics, np.array([2, 4, 6, 8]), 4) == pytest.approx(
        ((2 + 4 + 4) / 3 + 4) / 8
    )


@settings(deadline=None, max_examples=tries(20))
@given(made=st.lists(rankings(), min_size=1, max_size=6), depth=st.integers(1, 15))
def test_positions_of_the_top_are_judged_or_not(made: list[Ranking], depth: int) -> None:
    tops = [ranking.ratings[:depth] for ranking in made]
    shown = sum(map(len, tops))
    unjudged = sum(rating is None for top in tops for rating in top)
    facts = list_facts(hits_of(made), depth)
    assert facts.unjudged == pytest.approx(unjudged / shown if shown else np.nan, nan_ok=True)
    assert facts.coverage == pytest.approx(shown / (depth * len(made)))
    assert facts.user_coverage == pytest.approx(sum(map(bool, tops)) / len(made))


@settings(deadline=None, max_examples=tries(20))
@given(made=st.lists(rankings(), min_size=2, max_size=6), depth=st.none() | st.integers(1, 15))
def test_counts_of_parts_add_up_to_those_of_the_whole(
    made: list[Ranking], depth: int | None
) -> None:
    parts = [count_lists(hits_of(part), depth) for part in (made[:1], made[1:])]
    whole = count_lists(hits_of(made), depth)
    assert whole[:3] == tuple(sum(column) for column in zip(*parts, strict=True))[:3]
    hits = hits_of(made)
    facts = facts_from_counts(hits.topics, hits.lengths, 7, parts)
    assert facts.unjudged == pytest.approx(
        1 - whole.judged / whole.positions if whole.positions else np.nan, nan_ok=True
    )


def test_ties_are_counted_over_all_positions_of_the_top() -> None:
    run = run_of([3, 3, 3, 1], [], [2, 1, 0, 0])
    hits = hits_of([Ranking((5.0, None, None, None)), Ranking(()), Ranking((None,) * 4)])
    assert list_facts(hits, 2, run).tied == pytest.approx((2 + 0) / 4)
    assert list_facts(hits, 4, run).tied == pytest.approx((3 + 2) / 8)
    assert count_lists(hits, None, run) == ListCounts(8, 1, 8, 5)


def test_items_without_a_prediction_are_tied_with_nothing() -> None:
    run = run_of([1.0, float("nan"), float("nan")])
    assert list_facts(hits_of([Ranking((None,) * 3)]), 3, run).tied == 0


def test_without_a_position_there_is_no_share() -> None:
    facts = list_facts(hits_of([Ranking(()), Ranking(())]), 5, run_of([], []))
    assert np.isnan(facts.tied)
    assert np.isnan(facts.unjudged)
    assert (facts.user_coverage, facts.coverage) == (0, 0)
