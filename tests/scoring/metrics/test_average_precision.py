"""Average precision against scikit-learn and by its definition, in all forms."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from hit_cases import Ranking, rankings, topic_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
CUTOFFS = st.integers(1, 20)


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def is_good(ranking: Ranking) -> list[bool]:
    return [rating is not None and rating >= 4 for rating in ranking.ratings]


@SOME
@given(ranking=rankings())
def test_of_a_list_of_all_targets_it_is_that_of_scikit_learn(ranking: Ranking) -> None:
    whole = replace(ranking, ratings=(*ranking.ratings, 4.0), unranked=(), others=0)
    good = np.array(is_good(whole))
    by_sklearn = average_precision_score(good, -np.arange(len(good)))
    assert score("AP", topic_of(whole)) == pytest.approx(by_sklearn)


@SOME
@given(ranking=rankings(), n=CUTOFFS)
def test_it_is_the_sum_of_precisions_at_hits(ranking: Ranking, n: int) -> None:
    good, topic = is_good(ranking)[:n], topic_of(ranking)
    relevant = sum(is_good(ranking)) + sum(rating >= 4 for rating in ranking.unranked)
    total = sum(sum(good[:k]) / k for k in range(1, len(good) + 1) if good[k - 1])
    if not relevant:
        assert isnan(score(f"AP@{n}", topic))
        return
    assert score(f"AP@{n}", topic) == pytest.approx(total / relevant)
    assert score(f"AP(as=recbole)@{n}", topic) == pytest.approx(total / min(relevant, n))
    if topic.length:
        over = min(relevant, n, topic.length)
        assert score(f"AP(as=lenskit)@{n}", topic) == pytest.approx(total / over)
    precisions = [sum(good[:k]) / k for k in range(1, n + 1)]
    assert score(f"AP(as=elliot)@{n}", topic) == pytest.approx(sum(precisions) / n)


@SOME
@given(ranking=rankings(), n=CUTOFFS)
def test_forms_that_divide_by_less_are_never_lower(ranking: Ranking, n: int) -> None:
    topic = topic_of(replace(ranking, ratings=(None, *ranking.ratings, 5.0)))
    plain, capped, short = (
        score(f"AP{form}@{n}", topic) for form in ("", "(as=implicit)", "(as=lenskit)")
    )
    assert plain <= capped + 1e-12
    assert capped <= short + 1e-12
    assert short <= 1 + 1e-12


def test_it_is_one_only_if_relevant_items_fill_the_top() -> None:
    assert score("AP", topic_hits([1, 2, 3], [4, 5, 4], length=9)) == 1.0
    assert score("AP", topic_hits([1, 2, 4], [4, 5, 4], length=9)) == pytest.approx(
        (1 + 1 + 3 / 4) / 3
    )


def test_a_cut_off_below_the_number_of_relevant_items_keeps_it_below_one() -> None:
    perfect = topic_hits(range(1, 11), [5] * 10)
    assert score("AP@4", perfect) == pytest.approx(4 / 10)
    assert score("AP(as=implicit)@4", perfect) == 1.0


def test_an_empty_list_scores_zero_but_is_undefined_to_lenskit() -> None:
    nothing = topic_hits([], [], unranked=[5])
    for form in ("", "(as=recbole)", "(as=implicit)", "(as=elliot)"):
        assert score(f"AP{form}", nothing) == 0.0
    assert isnan(score("AP(as=lenskit)@3", nothing))


def test_a_tie_around_the_cut_off_by_hand() -> None:
    """One relevant of three tied on ranks 2 to 4, after a hit; at 3 it is in by 2 of 3."""
    topic = topic_of(Ranking((5.0, 4.0, None, None), ties=(1, 3)))
    metric = parse("metric", "AP@3")
    by_hand = (1 + 1 / 3 * (2 / 2) + 1 / 3 * (2 / 3) + 1 / 3 * 0) / 2
    assert metric.expected_of_topic(topic) == pytest.approx(by_hand)
