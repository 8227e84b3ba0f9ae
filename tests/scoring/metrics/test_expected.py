"""Expected values over tie orders, against every order there is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cranfield.base.errors import NoExpectation
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import expects_ties
from hit_cases import METRICS, POPULARITY, Ranking, hits_of, tie_orders
from suites import spread

EXPECTED: list[Any] = [metric for metric in METRICS if expects_ties(metric)]


@pytest.mark.parametrize("metric", spread(EXPECTED, every=3), ids=str)
@pytest.mark.parametrize("depth", [1, 3])
def test_a_list_that_ends_inside_a_tie_is_averaged_too(metric: Any, depth: int) -> None:
    ranking = Ranking((None, 5.0, 1.0, 4.0, None), (4.0,), 2, ties=(1, 4))
    if getattr(metric, "cutoff", None) is not None and metric.cutoff > depth:
        metric = replace(metric, cutoff=depth)
    scores = [
        metric.of_topic(hits_of([order]).cut(depth).topic(0, POPULARITY))
        for order in tie_orders(ranking)
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
