"""Induced and subcollection AP: by hand, as AP of other lists, and as a mean over samples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from hit_cases import Ranking, rankings, topic_of
from suites import tries

TOPIC = topic_hits([1, 3, 4], [5, 2, 4], unranked=[4], length=6)
"""Ranks 1 and 4 relevant, rank 2 unjudged, rank 3 bad, one relevant item not listed."""


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def test_unjudged_items_leave_the_list_or_stay_in_part() -> None:
    assert score("IndAP", TOPIC) == pytest.approx((1 / 1 + 2 / 3) / 3)
    assert score("SubAP(p=0.5)", TOPIC) == pytest.approx((1 / 1 + 2 / 3.5) / 3)
    assert score("SubAP(p=1)", TOPIC) == pytest.approx((1 / 1 + 2 / 4) / 3)


def test_the_cut_off_counts_ranks_of_the_whole_list() -> None:
    assert score("IndAP@3", TOPIC) == pytest.approx((1 / 1) / 3)


@settings(deadline=None, max_examples=tries(60))
@given(ranking=rankings())
def test_induced_ap_is_ap_of_the_condensed_list(ranking: Ranking) -> None:
    judged = tuple(rating for rating in ranking.ratings if rating is not None)
    condensed = topic_of(Ranking(judged, ranking.unranked))
    topic = topic_of(ranking)
    assert score("IndAP", topic) == pytest.approx(score("AP", condensed), nan_ok=True)
    assert score("SubAP(p=1)@3", topic) == pytest.approx(score("AP@3", topic), nan_ok=True)


def test_the_expected_size_of_a_sample_stands_in_for_samples() -> None:
    """All 2⁶ samples of six unjudged items at rate 1/2: the harmonic mean is near the exact one."""
    ratings = (None, 5.0, None, None, 1.0, 4.0, None, None, None, 5.0)
    found = []
    for chosen in product((True, False), repeat=6):
        stays = iter(chosen)
        kept = tuple(rating for rating in ratings if rating is not None or next(stays))
        found.append(score("AP", topic_of(Ranking(kept))))
    assert score("SubAP(p=0.5)", topic_of(Ranking(ratings))) == pytest.approx(
        np.mean(found), abs=0.04
    )
