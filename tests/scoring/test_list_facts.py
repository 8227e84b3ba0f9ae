"""What lists are like: covered, tied, unjudged; and counts of parts that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.list_facts import ListCounts, count_lists, facts_from_counts
from hit_cases import Ranking, hits_of, list_facts, rankings, run_of


@settings(deadline=None, max_examples=20)
@given(made=st.lists(rankings(), min_size=1, max_size=6), depth=st.integers(1, 15))
def test_positions_of_the_top_are_judged_or_not(made: list[Ranking], depth: int) -> None:
    tops = [ranking.ratings[:depth] for ranking in made]
    shown = sum(map(len, tops))
    unjudged = sum(rating is None for top in tops for rating in top)
    facts = list_facts(hits_of(made), depth)
    assert facts.unjudged == pytest.approx(unjudged / shown if shown else np.nan, nan_ok=True)
    assert facts.coverage == pytest.approx(shown / (depth * len(made)))
    assert facts.user_coverage == pytest.approx(sum(map(bool, tops)) / len(made))


@settings(deadline=None, max_examples=20)
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
