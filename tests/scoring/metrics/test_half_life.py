"""Half-life utility by hand, from Breese et al. and Shani et al."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import MissingPopularity, OptionError
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from cranfield.scoring.expectation.expectation import expect
from hit_cases import POPULARITY, Ranking, hits_of, rankings, topic_of
from suites import tries


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def test_half_of_all_readers_reach_rank_alpha() -> None:
    """Votes 2 above the neutral one on ranks 1 and 5: 2 + 2/2, of at best 2 + 2·2^(−1/4)."""
    topic = topic_hits([1, 5], [5, 5])
    assert score("HalfLife(alpha=5)", topic) == pytest.approx((2 + 2 / 2) / (2 + 2 * 2**-0.25))


def test_ratings_that_are_not_above_the_neutral_one_are_worth_nothing() -> None:
    topic = topic_hits([1, 2], [3, 4], unranked=[1])
    assert score("HalfLife(alpha=2)", topic) == pytest.approx(1 / 2)
    below = "HalfLife(alpha=2, gain=above-neutral(neutral=2.5))"
    assert score(below, topic) == pytest.approx((0.5 + 1.5 / 2) / (1.5 + 0.5 / 2))
    assert math.isnan(score("HalfLife", topic_hits([1, 2], [3, 2])))


def test_the_best_order_is_cut_where_the_list_is() -> None:
    topic = topic_hits([2], [5], unranked=[5, 5])
    assert score("HalfLife(alpha=2)@2", topic) == pytest.approx((2 / 2) / (2 + 2 / 2))


def test_less_popular_items_count_more() -> None:
    """Worth 2/10 on rank 1 and 2/1 on rank 2; the best order is the other way round."""
    topic = topic_hits([1, 2], [5, 5], popularity=[10, 0])
    found = score("HalfLife(alpha=2, popularity=inverse)", topic)
    assert found == pytest.approx((2 / 10 + 2 / 2) / (2 + 2 / 10 / 2))
    with pytest.raises(MissingPopularity):
        score("HalfLife(popularity=inverse)", topic_hits([1], [5]))


def test_a_threshold_goes_with_a_gain_that_reads_it() -> None:
    with pytest.raises(OptionError, match="would change nothing"):
        parse("metric", "HalfLife(relevance=4)")
    topic = topic_hits([1, 2], [3, 4], relevance=4)
    assert score("HalfLife(alpha=2, gain=binary)", topic) == 1 / 2
    assert score("HalfLife(alpha=2, gain=binary, relevance=3)", topic) == 1


@settings(deadline=None, max_examples=tries(60))
@given(ranking=rankings(), alpha=st.sampled_from([1.5, 2.0, 5.0]), n=st.integers(1, 8))
def test_it_is_the_sum_of_breese_over_its_maximum(ranking: Ranking, alpha: float, n: int) -> None:
    topic = topic_of(ranking)
    listed = [max((rating or 0) - 3, 0.0) for rating in ranking.ratings][:n]
    best = sorted((max(r - 3, 0.0) for r in topic.ratings.tolist()), reverse=True)[:n]

    def utility(votes: list[float]) -> float:
        return sum(vote / 2 ** (j / (alpha - 1)) for j, vote in enumerate(votes))

    wanted = utility(listed) / utility(best) if any(best) else math.nan
    assert score(f"HalfLife(alpha={alpha})@{n}", topic) == pytest.approx(wanted, nan_ok=True)


@settings(deadline=None, max_examples=tries(40))
@given(ranking=rankings())
def test_the_best_ranking_reaches_one_also_where_rare_items_count_more(ranking: Ranking) -> None:
    names = ("HalfLife(alpha=2)@3", "HalfLife(alpha=2, popularity=inverse)@3")
    metrics = [parse("metric", name) for name in names]
    found = expect(hits_of([ranking]), metrics, popularity=POPULARITY)[None].best[:, 0]
    defined = any(rating > 3 for rating in topic_of(ranking).ratings)
    np.testing.assert_allclose(found, [1, 1] if defined else [np.nan] * 2)
