"""Fallout by hand, and with recall as the two axes of a ROC curve."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from scipy.integrate import trapezoid

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from hit_cases import Ranking, rankings, topic_of
from suites import tries


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def test_judged_and_unjudged_others_count_alike() -> None:
    """Ranks 1 to 4: relevant, unjudged, bad, unjudged; 3 of 20 − 2 others are in the top 4."""
    topic = topic_hits([1, 3], [5, 1], unranked=[4], length=10, targets=20)
    assert score("Fallout@4", topic) == pytest.approx(3 / 18)
    assert score("Fallout@1", topic) == 0
    assert score("Fallout", topic) == pytest.approx(9 / 18)


def test_it_is_undefined_without_a_relevant_target_or_without_another() -> None:
    assert math.isnan(score("Fallout@3", topic_hits([1], [2], targets=9)))
    assert math.isnan(score("Fallout@3", topic_hits([1, 2], [5, 4], targets=2)))


@settings(deadline=None, max_examples=tries(60))
@given(ranking=rankings())
def test_the_area_below_recall_over_fallout_is_auc(ranking: Ranking) -> None:
    """A whole list, from (0, 0) to (1, 1), by trapezia."""
    topic = topic_of(Ranking(ranking.ratings, items=ranking.items))
    auc = score("AUC", topic)
    if math.isnan(auc):
        return
    ends = range(1, topic.length + 1)
    x = [0.0, *(score(f"Fallout@{n}", topic) for n in ends)]
    y = [0.0, *(score(f"Recall@{n}", topic) for n in ends)]
    assert (x[-1], y[-1]) == pytest.approx((1, 1))
    assert trapezoid(y, x) == pytest.approx(auc)
