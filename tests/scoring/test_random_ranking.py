"""Rankings that nobody predicted: tied, ideal and shuffled, cut or whole."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.random_ranking import cut_lists, ideal, places_of, shuffled, tied
from hit_cases import Ranking, hits_of, rankings

SOME = settings(deadline=None, max_examples=25)
MADE = st.lists(rankings(), min_size=1, max_size=5)


def by_topic(hits: Hits) -> list[list[tuple[int, float]]]:
    """Item and rating of each topic's judged targets, in any order."""
    pairs = list(zip(hits.items.tolist(), hits.ratings.tolist(), strict=True))
    return [
        sorted(pairs[hits.offsets[t] : hits.offsets[t + 1]]) for t in range(len(hits.offsets) - 1)
    ]


@SOME
@given(made=MADE, depth=st.none() | st.integers(1, 9), seed=st.integers(0, 99))
def test_no_ranking_changes_what_is_judged(made: list[Ranking], depth: int, seed: int) -> None:
    hits = hits_of(made)
    for found in (
        tied(hits, depth),
        ideal(hits, depth),
        shuffled(hits, seed, depth),
    ):
        assert by_topic(found) == by_topic(hits)
        wanted = hits.targets if depth is None else np.minimum(hits.targets, depth)
        assert found.lengths.tolist() == wanted.tolist()
        assert (found.ranks <= np.repeat(found.lengths, np.diff(found.offsets))).all()


@SOME
@given(made=MADE, seed=st.integers(0, 99))
def test_a_shuffled_topic_ranks_every_judged_target_once(made: list[Ranking], seed: int) -> None:
    hits = hits_of(made)
    found = shuffled(hits, seed)
    for t in range(len(hits)):
        ranks = found.ranks[found.offsets[t] : found.offsets[t + 1]]
        assert (np.diff(ranks) > 0).all()
        assert len(ranks) == 0 or (ranks[0] >= 1 and ranks[-1] <= hits.targets[t])


@SOME
@given(made=MADE)
def test_the_ideal_order_falls_and_starts_at_the_top(made: list[Ranking]) -> None:
    found = ideal(hits_of(made))
    for t in range(len(found)):
        rows = slice(found.offsets[t], found.offsets[t + 1])
        assert found.ranks[rows].tolist() == list(range(1, rows.stop - rows.start + 1))
        assert (np.diff(found.ratings[rows]) <= 0).all()


def test_all_targets_tied_may_stand_on_any_rank() -> None:
    found = tied(hits_of([Ranking((5.0,), others=6), Ranking((1.0, 4.0))]))
    assert (found.first.tolist(), found.last.tolist()) == ([1, 1, 1], [7, 2, 2])


@pytest.mark.parametrize("others", [1, 30])
def test_every_order_of_judged_targets_is_as_likely(others: int) -> None:
    """Three items in six orders, 3000 topics: 500 of each expected, ± 20."""
    hits = hits_of([Ranking((5.0, 4.0, 1.0), others=others)] * 3000)
    found = shuffled(hits, 7).items.reshape(-1, 3)
    counts = [(found == order).all(axis=1).sum() for order in permutations(range(3))]
    assert sum(counts) == 3000
    assert np.abs(np.array(counts) - 500).max() < 5 * np.sqrt(3000 / 6 * 5 / 6)


@pytest.mark.parametrize("others", [2, 9])
def test_every_pair_of_ranks_is_as_likely(others: int) -> None:
    """All C(T, 2) pairs alike."""
    size, topics = 2 + others, 4000
    hits = hits_of([Ranking((5.0, 1.0), others=others)] * topics)
    ranks = shuffled(hits, 3).ranks.reshape(-1, 2)
    counts = np.unique(ranks @ [100, 1], return_counts=True)[1]
    pairs = size * (size - 1) // 2
    assert len(counts) == pairs
    assert np.abs(counts - topics / pairs).max() < 5 * np.sqrt(topics / pairs)


def test_lists_are_cut_by_leaving_out_what_is_below() -> None:
    found = cut_lists(hits_of([Ranking((5.0, None, 4.0, 1.0))]), 3)
    assert (found.ranks.tolist(), found.lengths.tolist(), found.depth) == ([1, 3, 0], [3], 3)
    assert cut_lists(found, None).depth is None


def test_places_count_from_one_within_each_topic() -> None:
    hits = hits_of([Ranking((5.0, 1.0)), Ranking(()), Ranking((4.0,), (5.0, 5.0))])
    assert places_of(hits).tolist() == [1, 2, 1, 2, 3]
