"""Ties decided on hits: the best first, the worst first, or by chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.ties import break_ties
from hit_cases import Ranking, hits_of, rankings
from suites import tries

FIVE = Ranking((None, 1.0, 5.0, None, 4.0), (4.0,), ties=(1, 4))
"""Rank 1 alone, then four tied items on ranks 2 to 5, three of them judged; one unranked."""


def placed(hits: Hits) -> list[tuple[int, float]]:
    return list(zip(hits.ranks.tolist(), hits.ratings.tolist(), strict=True))


def test_the_best_rated_come_first_and_the_unjudged_last() -> None:
    found = break_ties(hits_of([FIVE]), "optimistic")
    assert placed(found) == [(2, 5.0), (3, 4.0), (4, 1.0), (0, 4.0)]


def test_the_best_rated_come_last_and_the_unjudged_first() -> None:
    found = break_ties(hits_of([FIVE]), "pessimistic")
    assert placed(found) == [(3, 1.0), (4, 4.0), (5, 5.0), (0, 4.0)]


def test_equally_rated_items_stand_by_code_in_both() -> None:
    hits = hits_of([Ranking((4.0, 4.0), items=(9, 3), ties=(2,))])
    for ties in ("optimistic", "pessimistic"):
        assert break_ties(hits, ties).items.tolist() == [3, 9]


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic", "random"])
@settings(deadline=None, max_examples=tries(20))
@given(made=st.lists(rankings(ties=True), min_size=1, max_size=4))
def test_nothing_but_the_order_of_tied_items_changes(ties, made):  # type: ignore[no-untyped-def]
    hits = hits_of(made)
    found = break_ties(hits, ties, seed=4)
    assert found.offsets.tolist() == hits.offsets.tolist()
    for topic in range(len(hits)):
        rows = slice(hits.offsets[topic], hits.offsets[topic + 1])
        before, after = (
            {
                item: (rating, first, last)
                for item, rating, first, last in zip(
                    of.items[rows], of.ratings[rows], of.first[rows], of.last[rows], strict=True
                )
            }
            for of in (hits, found)
        )
        assert before == after
        ranks = found.ranks[rows]
        held = ranks[ranks > 0]
        assert (np.diff(held) > 0).all()
        alone = found.first[rows] == found.last[rows]
        was = dict(zip(hits.items[rows].tolist(), hits.ranks[rows].tolist(), strict=True))
        assert all(was[i] == r for i, r in zip(found.items[rows][alone], ranks[alone], strict=True))


def test_every_rank_of_a_tie_is_as_likely_for_every_item() -> None:
    """Two judged items of five tied ones; 2000 users, so 400 expected on each rank, ± 18."""
    hits = hits_of([Ranking((5.0, 1.0, None, None, None), ties=(5,))] * 2000)
    found = break_ties(hits, "random", seed=8)
    for rating in (5.0, 1.0):
        counts = np.bincount(found.ranks[found.ratings == rating], minlength=6)[1:]
        assert np.abs(counts - 400).max() < 5 * np.sqrt(400 * 4 / 5)
    pairs = found.ranks.reshape(-1, 2)
    seen = {tuple(pair) for pair in pairs.tolist()}
    assert seen == {(a, b) for a in range(1, 6) for b in range(a + 1, 6)}


def one_user(topics: int, size: int) -> Hits:
    """Rankings of one user, each of another relevant item, all their targets tied (1R)."""
    made = [
        Ranking((5.0, *[None] * (size - 1)), items=(item,), ties=(size,)) for item in range(topics)
    ]
    items = np.arange(topics, dtype=np.int32)
    return replace(hits_of(made), topics=Topics(np.zeros(topics, dtype=np.int32), items))


def test_rankings_of_one_user_draw_by_themselves() -> None:
    """P@1 of 60 rankings of 4 tied targets each: 60/4 = 15 hits expected, never 0 or 60."""
    found = break_ties(one_user(60, 4), "random", seed=1)
    counts = np.bincount(found.ranks, minlength=5)[1:]
    assert np.abs(counts - 15).max() < 5 * np.sqrt(60 * 1 / 4 * 3 / 4)


def test_a_draw_depends_on_seed_user_and_items_and_on_nothing_beside() -> None:
    hits = one_user(30, 50)
    once, again, other = (break_ties(hits, "random", seed=seed).ranks for seed in (1, 1, 2))
    assert once.tolist() == again.tolist()
    assert once.tolist() != other.tolist()
    few = np.arange(10)
    part = replace(
        hits,
        topics=Topics(hits.topics.users[few], few.astype(np.int32)),
        offsets=hits.offsets[:11],
        **{name: getattr(hits, name)[few] for name in ("items", "ratings", "ranks", "first")},
        **{name: getattr(hits, name)[few] for name in ("last", "lengths", "targets", "unscored")},
    )
    assert break_ties(part, "random", seed=1).ranks.tolist() == once[:10].tolist()


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic", "random"])
def test_hits_without_ties_or_without_anything_stay(ties) -> None:  # type: ignore[no-untyped-def]
    for made in ([Ranking((5.0, None, 1.0))], [Ranking(())]):
        hits = hits_of(made)
        assert placed(break_ties(hits, ties)) == placed(hits)
