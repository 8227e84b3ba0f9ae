"""DCG and nDCG against scikit-learn, which averages over ties as we do, and by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

from cranfield.base.errors import OptionError, UnmappableRating
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from cranfield.scoring.expectation.expectation import expect
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
CUTOFFS = st.integers(1, 20)


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def expected(name: str, topic: TopicHits) -> float:
    metric: Any = parse("metric", name)
    return float(metric.expected_of_topic(topic))


def as_arrays(ranking: Ranking) -> tuple[np.ndarray, np.ndarray]:
    """The gain of each listed item and a score, equal for items of one tie group."""
    gains = np.array([rating or 0.0 for rating in ranking.ratings])
    sizes = ranking.ties or (1,) * len(gains)
    scores = np.repeat(-np.arange(len(sizes), dtype=float), sizes)
    return gains[None], scores[None]


@SOME
@given(ranking=rankings(ties=True), n=CUTOFFS)
def test_both_are_those_of_scikit_learn_with_ties_and_without(ranking: Ranking, n: int) -> None:
    listed = replace(ranking, ratings=(*ranking.ratings, 3.0, None), unranked=(), ties=())
    tied = replace(listed, ties=(*ranking.ties, 2))
    for case, value in ((listed, score), (tied, expected)):
        gains, scores = as_arrays(case)
        topic = topic_of(case)
        assert value(f"DCG@{n}", topic) == pytest.approx(dcg_score(gains, scores, k=n))
        assert value(f"nDCG@{n}", topic) == pytest.approx(ndcg_score(gains, scores, k=n))
        assert value("nDCG", topic) == pytest.approx(ndcg_score(gains, scores))


@SOME
@given(ranking=rankings(), n=CUTOFFS, factor=st.sampled_from([0.1, 2.0, 7.3]))
def test_ratings_on_another_scale_change_dcg_by_the_factor_and_ndcg_not(
    ranking: Ranking, n: int, factor: float
) -> None:
    topic = topic_of(ranking)
    larger = replace(topic, ratings=topic.ratings * factor, highest=5 * factor)
    dcg, ndcg = (score(f"{name}@{n}", topic) for name in ("DCG", "nDCG"))
    assert score(f"DCG@{n}", larger) == pytest.approx(factor * dcg, nan_ok=True)
    assert score(f"nDCG@{n}", larger) == pytest.approx(ndcg, nan_ok=True)


@SOME
@given(ratings=st.lists(st.sampled_from([1.0, 2.5, 4.0, 5.0]), min_size=1, max_size=9), n=CUTOFFS)
def test_ndcg_is_one_for_the_order_by_rating_and_less_where_a_swap_is_seen(
    ratings: list[float], n: int
) -> None:
    ranks = range(1, len(ratings) + 1)
    best, worst = sorted(ratings, reverse=True), sorted(ratings)
    assert score(f"nDCG@{n}", topic_hits(ranks, best)) == pytest.approx(1)
    seen_otherwise = any(a != b for a, b in zip(best[:n], worst[:n], strict=True))
    assert (score(f"nDCG@{n}", topic_hits(ranks, worst)) < 1 - 1e-12) == seen_otherwise


def test_a_shorter_list_is_held_against_all_that_could_be_gained() -> None:
    topic = topic_hits([2], [4], unranked=[5, 3], length=2)
    best = 5 / log2(2) + 4 / log2(3) + 3 / log2(4)
    assert score("nDCG@10", topic) == pytest.approx(4 / log2(3) / best)
    assert score("nDCG@1", topic) == 0.0


def test_ratings_of_zero_alone_have_nothing_to_gain() -> None:
    topic = topic_hits([1], [0], unranked=[0], scale=(0, 5))
    assert np.isnan(score("nDCG@5", topic))
    assert np.isnan(score("DCG", topic))


def test_negative_ratings_have_no_gain_unless_it_is_binary() -> None:
    topic = topic_hits([1, 2], [-3, -9.5], relevance=-5, scale=(-10, 10))
    with pytest.raises(UnmappableRating, match="ratings of at least 0"):
        score("nDCG", topic)
    assert score("nDCG(gain=binary)", topic) == 1.0


def test_the_threshold_of_the_metric_takes_the_place_of_that_of_the_judgments() -> None:
    topic = topic_hits([1, 2], [2, 5], relevance=4)
    assert score("nDCG(gain=binary)", topic) == pytest.approx(1 / log2(3))
    assert score("nDCG(gain=binary, relevance=2)", topic) == pytest.approx(1)
    assert score("nDCG(as=elliot, relevance=5)", topic) == pytest.approx(1 / log2(3))


def test_a_threshold_that_the_gain_does_not_read_is_refused() -> None:
    for name in ("nDCG", "DCG", "ERR", "RBP(p=0.8, gain=exponential)", "nDCG(gain=chapelle)"):
        with pytest.raises(OptionError, match="relevance: 4 would change nothing"):
            replace(parse("metric", name), relevance=4)


@pytest.mark.parametrize("rank", [1, 2, 7])
def test_the_grade_of_the_one_relevant_item_cancels(rank: int) -> None:
    """bellogin2017 §6.3: nDCG is insensitive to grades in 1R."""
    for grade in (4, 5):
        topic = topic_hits([rank, 9], [grade, 1], unranked=[3])
        assert score("nDCG(gain=relevant-rating)@10", topic) == pytest.approx(1 / log2(rank + 1))


def test_judged_items_below_the_threshold_gain_nothing_in_one_relevant_rankings() -> None:
    """Targets {b: 1, a: 5} and {b: 1, c: 5}, b ranked first in both: 1/log2 3 each."""
    topic = topic_hits([1, 2], [1, 5], relevance=4)
    assert score("nDCG(gain=relevant-rating)@10", topic) == pytest.approx(1 / log2(3))
    assert score("nDCG@10", topic) == pytest.approx((1 + 5 / log2(3)) / (5 + 1 / log2(3)))


def test_a_random_ranking_of_one_relevant_item_in_a_hundred() -> None:
    """0.0454, whatever else is judged."""
    ranking = Ranking((5.0, 1.0, 3.0), others=97, ties=())
    metric = parse("metric", "nDCG(gain=relevant-rating)@10")
    found = expect(hits_of([ranking]), [metric])[None].values[0, 0]
    assert found == pytest.approx(sum(1 / log2(k + 1) for k in range(1, 11)) / 100)
    assert round(found, 4) == 0.0454


def test_the_forms_of_other_tools_of_an_empty_list_are_zero() -> None:
    nothing = topic_hits([], [], unranked=[5])
    for tool in ("elliot", "recbole", "implicit", "rectools", "lenskit"):
        assert score(f"nDCG(as={tool})@3", nothing) == 0.0
        assert score(f"nDCG(as={tool})", nothing) == 0.0
        assert score(f"nDCG(as={tool})", topic_hits([1], [1])) == pytest.approx(nan, nan_ok=True)


def test_an_ideal_that_is_not_cut_holds_all_judged_targets() -> None:
    """Three fives, one of which is in the top 1: 5/(5 + 5/log2 3 + 5/2)."""
    topic = topic_hits([1, 4], [5, 5], unranked=[5])
    assert score("nDCG@1", topic) == 1
    assert score("nDCG(ideal=full)@1", topic) == pytest.approx(1 / (1 + 1 / log2(3) + 1 / 2))
    assert score("nDCG(ideal=full)", topic) == score("nDCG", topic)
    with pytest.raises(OptionError, match="cannot be combined with as=rectools"):
        parse("metric", "nDCG(ideal=full, as=rectools)")


@SOME
@given(ranking=rankings(), n=CUTOFFS)
def test_an_ideal_in_full_is_that_of_scikit_learn_without_a_cut_off(
    ranking: Ranking, n: int
) -> None:
    topic = topic_of(ranking)
    gains = np.append(topic.ratings, 0.0)[None]  # scikit-learn wants two items
    best = dcg_score(gains, gains) if len(topic.ratings) else 0.0
    wanted = score(f"DCG@{n}", topic) / best if best else nan
    assert score(f"nDCG(ideal=full)@{n}", topic) == pytest.approx(wanted, nan_ok=True)


def test_lenskit_leaves_two_ranks_undiscounted_in_the_ideal_too() -> None:
    topic = topic_hits([2, 3], [5, 5], unranked=[5])
    gained, best = 1 / 1 + 1 / log2(3), 1 / 1 + 1 / 1 + 1 / log2(3)
    assert score("nDCG(as=lenskit)", topic) == pytest.approx(gained / best)
