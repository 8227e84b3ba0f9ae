"""Unjudged items as non-relevant, relevant, rated lowest, or as a residual."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import NoExpectation
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from cranfield.scoring.measurement.measure import measure
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

TOPIC = topic_hits([2, 4], [5, 1], unranked=[4], length=5)
"""Ranks 1, 3 and 5 unjudged, 2 relevant, 4 bad; one relevant item is not listed."""
NAMES = ("Recall", "F1", "AP", "RR", "Success", "DCG", "nDCG", "ERR", "P")


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def labelled(ranking: Ranking, rating: float, n: int) -> Ranking:
    """The ranking whose unjudged items of the top n have been rated."""
    ratings = (rating if each is None and k < n else each for k, each in enumerate(ranking.ratings))
    return Ranking(tuple(ratings), ranking.unranked, ranking.others)


def test_unjudged_items_of_the_top_are_relevant_and_were_to_be_found() -> None:
    """In the top 3: a hit and two unjudged items; 2 + 2 items are relevant then."""
    assert score("P(unjudged=relevant)@3", TOPIC) == pytest.approx(3 / 3)
    assert score("Recall(unjudged=relevant)@3", TOPIC) == pytest.approx(3 / (2 + 2))
    assert score("F1(unjudged=relevant)@3", TOPIC) == pytest.approx(2 * 3 / (3 + 2 + 2))
    assert score("AP(unjudged=relevant)@3", TOPIC) == pytest.approx((1 + 1 + 1) / (2 + 2))
    assert score("RR(unjudged=relevant)@3", TOPIC) == 1
    best = sum(g / np.log2(k + 1) for k, g in enumerate([5, 5, 5], start=1))
    assert score("nDCG(unjudged=relevant)@3", TOPIC) == pytest.approx(15 / 15 * best / best)


def test_unjudged_items_rated_lowest_gain_what_that_rating_does() -> None:
    gained = 1 / 1 + 5 / np.log2(3) + 1 / 2
    best = 5 / 1 + 4 / np.log2(3) + 1 / 2  # 5 and 4 are judged, then any of the lowest
    assert score("nDCG(unjudged=minimal)@3", TOPIC) == pytest.approx(gained / best)
    stops = [1 / 32, 31 / 32, 1 / 32]
    reached = [1, 31 / 32, 31 / 32 * 1 / 32]
    by_hand = sum(s * r / k for k, (s, r) in enumerate(zip(stops, reached, strict=True), start=1))
    assert score("ERR(unjudged=minimal)@3", TOPIC) == pytest.approx(by_hand)
    for name in ("P", "Recall", "AP", "RR", "F1"):  # it is not relevant
        assert score(f"{name}(unjudged=minimal)@3", TOPIC) == score(f"{name}@3", TOPIC)
    everything = topic_hits([2], [5], relevance=1, length=3)
    assert score("P(unjudged=minimal)@3", everything) == 1
    rbp = "RBP(p=0.5, gain=exponential, unjudged={})@3"
    open_ = score(rbp.format("residual"), TOPIC)
    gained = score(rbp.format("non-relevant"), TOPIC)
    assert score(rbp.format("minimal"), TOPIC) == pytest.approx(gained + open_ / 31)


def test_one_item_far_down_can_lower_ap_and_the_residual_is_a_distance() -> None:
    """AP is 1 without the item on rank 3, and (1 + 2/3)/2 with it."""
    topic = topic_hits([1, 2], [5, 1], length=3)
    assert score("AP(unjudged=relevant)", topic) == pytest.approx((1 + 2 / 3) / 2)
    assert score("AP(unjudged=residual)", topic) == pytest.approx(1 - (1 + 2 / 3) / 2)


def test_the_top_of_a_user_is_what_full_relevance_means_to_them() -> None:
    topic = topic_hits([2], [4], length=2)
    stop = (2**4 - 1) / 2**4
    found = score("ERR(top=user, unjudged=relevant)", topic)
    assert found == pytest.approx(stop + (1 - stop) * stop / 2)


def test_a_topic_that_is_undefined_stays_so() -> None:
    bad = topic_hits([2], [1], length=4)
    for name in ("P", "Recall", "F1", "AP", "RR", "Success"):
        assert math.isnan(score(f"{name}(unjudged=relevant)", bad))
    assert math.isnan(score("nDCG(gain=relevant-rating, unjudged=relevant)", bad))


@settings(deadline=None, max_examples=tries(40))
@given(ranking=rankings(), n=st.integers(1, 8), name=st.sampled_from(NAMES))
def test_labelled_lists_are_scored_as_if_they_were_judged_so(
    ranking: Ranking, n: int, name: str
) -> None:
    plain = score(f"{name}@{n}", topic_of(ranking))
    for word, rating in (("relevant", 5.0), ("minimal", 1.0)):
        wanted = score(f"{name}@{n}", topic_of(labelled(ranking, rating, n)))
        found = score(f"{name}(unjudged={word})@{n}", topic_of(ranking))
        assert found == pytest.approx(math.nan if math.isnan(plain) else wanted, nan_ok=True)


@settings(deadline=None, max_examples=tries(40))
@given(made=st.lists(rankings(), min_size=1, max_size=5), size=st.sampled_from([1, 7, 1000]))
def test_parts_change_no_score(made: list[Ranking], size: int) -> None:
    metrics = [
        parse("metric", f"{name}(unjudged={word}){cut}")
        for name in NAMES
        for word in ("relevant", "minimal", "residual")
        for cut in ("", "@2")
    ]
    hits = hits_of(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.scoring.measurement.measure._LABELLED_AT_ONCE", size)
        np.testing.assert_array_equal(measure(hits, metrics), measure_whole(hits, metrics))


def measure_whole(hits: Any, metrics: list[Any]) -> Any:
    return np.array([measure(hits, [metric])[0] for metric in metrics])


def test_the_mean_over_tied_orders_is_refused_in_words() -> None:
    hits = hits_of([Ranking((5.0, None), ties=(2,))])
    with pytest.raises(NoExpectation):
        measure(hits, [parse("metric", "AP(unjudged=relevant)")], ties="expected")
    found = measure(hits, [parse("metric", "P(unjudged=minimal)@1")], ties="expected")
    assert found[0, 0] == 1 / 2
