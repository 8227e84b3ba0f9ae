"""Stratified recall: recall in which rare items count more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.options import from_table, parse, to_table
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from hit_cases import Ranking, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
GAMMAS = st.sampled_from([0.0, 0.3, 1.0, 9.0])


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


@SOME
@given(ranking=rankings(), gamma=GAMMAS, popularity=st.integers(0, 50))
def test_it_is_recall_where_all_items_are_equally_popular(
    ranking: Ranking, gamma: float, popularity: int
) -> None:
    topic = topic_of(ranking)
    level = replace(topic, popularity=np.full(len(topic.ranks), float(popularity)))
    found = score(f"StratifiedRecall(gamma={gamma})@3", level)
    assert found == pytest.approx(score("Recall@3", topic), nan_ok=True)


@SOME
@given(ranking=rankings(), gamma=GAMMAS, factor=st.integers(2, 9))
def test_all_items_so_many_times_as_popular_change_nothing(
    ranking: Ranking, gamma: float, factor: int
) -> None:
    topic = topic_of(ranking)
    own = 1 + np.arange(len(topic.ranks), dtype=np.float64) % 4
    once, often = (replace(topic, popularity=own * times) for times in (1, factor))
    name = f"StratifiedRecall(gamma={gamma})@5"
    assert score(name, often) == pytest.approx(score(name, once), nan_ok=True)


def test_weights_are_the_root_of_popularity_at_gamma_one_and_its_inverse_in_the_limit() -> None:
    topic = topic_hits([1, 7], [5, 4], unranked=[4, 1], popularity=[100, 4, 25, 1])
    by_hand = (1 / 10 + 1 / 2) / (1 / 10 + 1 / 2 + 1 / 5)  # the fourth is not relevant
    assert score("StratifiedRecall(gamma=1)", topic) == pytest.approx(by_hand)
    limit = (1 / 100 + 1 / 4) / (1 / 100 + 1 / 4 + 1 / 25)
    assert score("StratifiedRecall(gamma=1e12)", topic) == pytest.approx(limit)
    assert score("StratifiedRecall(gamma=inf)", topic) == pytest.approx(limit, rel=1e-15)


def test_gamma_is_spelled_and_recorded_also_where_it_is_infinite() -> None:
    made = parse("metric", "StratifiedRecall(gamma=inf)@10")
    assert str(made) == "StratifiedRecall(gamma=inf)@10"
    assert to_table(made)["gamma"] == "inf"
    assert from_table("metric", to_table(made)) == made
    for wrong in ("-1", "nan", "many", "true"):
        with pytest.raises(BadParameter, match="a number of at least 0, or inf"):
            parse("metric", f"StratifiedRecall(gamma={wrong})")


def test_an_item_that_nobody_liked_counts_like_one_that_one_user_did() -> None:
    topic = topic_hits([1], [5], unranked=[5], popularity=[0, 1])
    assert score("StratifiedRecall(gamma=3)", topic) == 1 / 2


def test_the_expectation_is_by_the_chance_to_be_in_the_top() -> None:
    """Both items tied on two ranks: each is first by a half; the rare one counts double."""
    topic = replace(topic_of(Ranking((5.0, 5.0), ties=(2,))), popularity=np.array([4.0, 1.0]))
    metric = parse("metric", "StratifiedRecall(gamma=1)@1")
    assert metric.expected_of_topic(topic) == pytest.approx(
        (1 / 2 * 1 / 2 + 1 / 2 * 1) / (1 / 2 + 1)
    )
