"""How metrics read a topic: what is seen, with which chance, in which tie groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import UnmappableRating
from cranfield.recommendation.ranking.hits import topic_hits
from cranfield.scoring.gains.rating import Rating
from cranfield.scoring.metrics.reading import (
    TieGroup,
    chance_within,
    depth_of,
    is_relevant,
    is_seen,
    last_rank,
    mean_weight,
    shares_of,
    tie_groups,
)
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))


def judged_throughout(ranking: Ranking) -> Ranking:
    """The same lists with every item judged, so that chances can be added up."""
    return replace(ranking, ratings=tuple(rating or 1.0 for rating in ranking.ratings))


@SOME
@given(ranking=rankings(ties=True), n=st.integers(1, 16))
def test_chances_to_be_in_the_top_add_up_to_its_size(ranking: Ranking, n: int) -> None:
    topic = topic_of(judged_throughout(ranking))
    chances = chance_within(topic, n)
    assert chances.sum() == pytest.approx(min(n, topic.length))
    assert (chances >= 0).all()
    assert (chances <= 1 + 1e-12).all()
    assert chance_within(topic, None).sum() == pytest.approx(topic.length)


@SOME
@given(ranking=rankings(ties=True), n=st.integers(1, 16))
def test_mean_weights_of_all_items_add_up_to_the_weights_of_the_ranks(
    ranking: Ranking, n: int
) -> None:
    topic = topic_of(judged_throughout(ranking))
    found = mean_weight(topic, n, lambda ranks: 1 / ranks)
    assert found.sum() == pytest.approx(sum(1 / k for k in range(1, min(n, topic.length) + 1)))


@SOME
@given(ranking=rankings(ties=True))
def test_tie_groups_hold_all_ranked_relevant_items_from_the_top(ranking: Ranking) -> None:
    topic = topic_of(ranking)
    groups = list(tie_groups(topic, None))
    assert (
        sum(group.relevant for group in groups)
        == (is_relevant(topic, None) & (topic.ranks > 0)).sum()
    )
    assert [group.first for group in groups] == sorted({group.first for group in groups})
    assert all(group.relevant <= group.size for group in groups)


def test_tie_groups_by_hand() -> None:
    topic = topic_of(Ranking((4.0, 5.0, 1.0, 2.0, None, 4.0), (5.0,), ties=(3, 1, 2)))
    assert list(tie_groups(topic, None)) == [TieGroup(1, 3, 2), TieGroup(5, 6, 1)]
    assert list(tie_groups(topic, 2.0)) == [TieGroup(1, 3, 2), TieGroup(4, 4, 1), TieGroup(5, 6, 1)]


def test_what_is_seen_ends_with_the_cut_off_and_the_list() -> None:
    topic = topic_hits([1, 4], [5, 5], unranked=[5], length=6)
    assert is_seen(topic, 3).tolist() == [True, False, False]
    assert is_seen(topic, None).tolist() == [True, True, False]
    assert (depth_of(topic, None), depth_of(topic, 9)) == (6, 9)
    assert (last_rank(topic, None), last_rank(topic, 9), last_rank(topic, 2)) == (6, 6, 2)


def test_an_item_below_a_cut_list_may_still_have_been_in_it() -> None:
    """Three tied items, the list cut at 2: each is in it by two thirds, ranked or not."""
    topic = hits_of([Ranking((5.0, 5.0, 5.0), ties=(3,))]).cut(2).topic(0)
    assert topic.ranks.tolist() == [1, 2, 0]
    np.testing.assert_allclose(chance_within(topic, None), 2 / 3)


def test_gains_above_one_are_no_shares() -> None:
    with pytest.raises(UnmappableRating, match="gains of at most 1"):
        shares_of(topic_hits([1], [2]), Rating(), None)
    assert shares_of(topic_hits([1], [1]), Rating(), None).tolist() == [1.0]
    assert len(shares_of(topic_hits([], []), Rating(), None)) == 0
