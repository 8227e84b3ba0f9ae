"""Expected values over tie orders, against every order there is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings

from cranfield.base.errors import NoExpectation
from cranfield.base.options import parse
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import ExpectedMetric
from hit_cases import METRICS, POPULARITY, Ranking, hits_of, rankings, topic_of

EXPECTED: list[Any] = [metric for metric in METRICS if isinstance(metric, ExpectedMetric)]


def orders(ranking: Ranking) -> list[Ranking]:
    """The ranking with its tied items in every order; items keep their identity."""
    places = list(range(len(ranking.ratings)))
    groups, start = [], 0
    for size in ranking.ties:
        groups.append(places[start : start + size])
        start += size
    identity = iter(ranking.items)
    items = [next(identity) if rating is not None else None for rating in ranking.ratings]
    rest = list(identity)
    found = []
    for chosen in product(*(permutations(group) for group in groups)):
        order = [place for group in chosen for place in group]
        judged = [items[place] for place in order if items[place] is not None]
        ratings = tuple(ranking.ratings[place] for place in order)
        found.append(replace(ranking, ratings=ratings, ties=(), items=(*judged, *rest)))  # type: ignore[arg-type]
    return found


@settings(deadline=None, max_examples=60)
@given(ranking=rankings(longest=5, ties=True))
def test_the_expectation_is_the_mean_over_all_orders(ranking: Ranking) -> None:
    tied, topics = topic_of(ranking), [topic_of(order) for order in orders(ranking)]
    for metric in EXPECTED:
        mean = sum(metric.of_topic(topic) for topic in topics) / len(topics)
        expected = metric.expected_of_topic(tied)
        assert expected == pytest.approx(mean, rel=1e-9, abs=1e-12, nan_ok=True), metric


@pytest.mark.parametrize("metric", EXPECTED, ids=str)
@pytest.mark.parametrize("depth", [1, 3])
def test_a_list_that_ends_inside_a_tie_is_averaged_too(metric: Any, depth: int) -> None:
    ranking = Ranking((None, 5.0, 1.0, 4.0, None), (4.0,), 2, ties=(1, 4))
    if getattr(metric, "cutoff", None) is not None and metric.cutoff > depth:
        metric = replace(metric, cutoff=depth)
    scores = [
        metric.of_topic(hits_of([order]).cut(depth).topic(0, POPULARITY))
        for order in orders(ranking)
    ]
    topic = hits_of([ranking]).cut(depth).topic(0, POPULARITY)
    expected = metric.expected_of_topic(topic)
    assert expected == pytest.approx(sum(scores) / len(scores), rel=1e-9, nan_ok=True)


def test_measuring_expected_ties_leaves_topics_without_ties_alone() -> None:
    tied, plain = Ranking((5.0, None), ties=(2,)), Ranking((5.0, None))
    scores = measure(hits_of([tied, plain]), [parse("metric", "P@1")], ties="expected")
    assert scores.tolist() == [[0.5, 1.0]]


@pytest.mark.parametrize("name", ["ERR", "Bpref", "InfAP", "KendallTau", "CondensedDepth@1"])
def test_a_metric_without_an_exact_expectation_refuses(name: str) -> None:
    with pytest.raises(NoExpectation, match="no exact expected value"):
        measure(hits_of([Ranking((5.0,))]), [parse("metric", name)], ties="expected")
