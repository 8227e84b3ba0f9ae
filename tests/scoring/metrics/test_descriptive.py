"""What lists are like: how much is judged, and how deep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from hit_cases import Ranking, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


@SOME
@given(ranking=rankings(), n=st.integers(1, 20))
def test_the_unrated_share_counts_places_of_the_top_that_nobody_judged(
    ranking: Ranking, n: int
) -> None:
    top = ranking.ratings[:n]
    by_hand = sum(rating is None for rating in top) / len(top) if top else np.nan
    assert score(f"Unrated@{n}", topic_of(ranking)) == pytest.approx(by_hand, nan_ok=True)


@SOME
@given(ranking=rankings(), n=st.integers(1, 20))
def test_the_unrated_share_is_what_precision_leaves_open(ranking: Ranking, n: int) -> None:
    """Of a list of at least n items: P@n by unjudged=residual is the unrated share."""
    topic = topic_of(Ranking((*ranking.ratings, *[None] * n, 5.0)))
    residual = score(f"P(unjudged=residual)@{n}", topic)
    assert residual == pytest.approx(score(f"Unrated@{n}", topic))


@SOME
@given(ranking=rankings(), k=st.integers(1, 5))
def test_condensed_depth_is_the_place_of_the_kth_judged_item(ranking: Ranking, k: int) -> None:
    judged = [place for place, rating in enumerate(ranking.ratings, start=1) if rating is not None]
    by_hand = judged[k - 1] if len(judged) >= k else np.nan
    assert score(f"CondensedDepth@{k}", topic_of(ranking)) == pytest.approx(by_hand, nan_ok=True)


def test_an_empty_list_has_neither_share_nor_depth() -> None:
    nothing = topic_hits([], [], unranked=[5])
    assert np.isnan(score("Unrated", nothing))
    assert np.isnan(score("CondensedDepth@1", nothing))


def test_the_share_of_a_tied_top_is_averaged() -> None:
    """One judged of four tied items: it is in the top 1 by a quarter, in the top 3 by 3/4."""
    topic = topic_of(Ranking((1.0, None, None, None), ties=(4,)))
    assert parse("metric", "Unrated@1").expected_of_topic(topic) == pytest.approx(1 - 1 / 4)
    assert parse("metric", "Unrated@3").expected_of_topic(topic) == pytest.approx(1 - 3 / 4 / 3)
