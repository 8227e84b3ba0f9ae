"""Summaries: every count, both averages, intervals, and what chance would get."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.base.options import parse
from cranfield.recommendation.runs.run import is_tied
from cranfield.scoring.expectation.expectation import Expectation, expect
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from hit_cases import Ranking, hits_of, list_facts, run_of
from score_cases import N, U, many_scores, scores_of
from suites import tries

FOUR = scores_of({"A": [0.8, U, N, 0.4], "B": [0.6, 0.2, 0.4, 0.1]})


def chosen(spelling: str) -> Any:
    return parse("aggregation", spelling)


def test_a_row_counts_what_entered_and_what_did_not() -> None:
    row = summarise(FOUR).row("A", "P@10")
    assert (row.topics, row.evaluated, row.users) == (4, 3, 3)
    assert (row.covered, row.undefined, row.left_out) == (3, 1, 1)


@pytest.mark.parametrize(
    ("coverage", "undefined", "evaluated"),
    [("full", "zero", 4), ("full", "left-out", 3), ("forgiving", "left-out", 2)],
)
def test_the_topics_with_a_list_are_counted_whichever_enter(
    coverage: Any, undefined: Any, evaluated: int
) -> None:
    """A has lists for 3 of 4 topics, and no score for one of these."""
    choice = SummaryChoice(coverage=coverage, undefined=undefined)
    row = summarise(FOUR, choice).row("A", "P@10")
    assert (row.covered, row.evaluated, row.left_out) == (3, evaluated, 4 - evaluated)


def test_a_row_gives_full_and_forgiving_averages_whatever_is_chosen() -> None:
    for coverage in ("full", "forgiving", "common"):
        row = summarise(FOUR, SummaryChoice(coverage=coverage)).row("A", "P@10")
        assert row.full == pytest.approx((0.8 + 0 + 0.4) / 3)
        assert row.forgiving == pytest.approx((0.8 + 0.4) / 2)
        assert row.value == pytest.approx({"full": 0.4}.get(coverage, 0.6))


def test_undefined_topics_that_score_zero_are_still_counted() -> None:
    row = summarise(FOUR, SummaryChoice(undefined="zero")).row("A", "P@10")
    assert row.value == pytest.approx((0.8 + 0 + 0 + 0.4) / 4)
    assert (row.evaluated, row.undefined, row.left_out) == (4, 1, 0)


def test_the_interval_is_that_of_student() -> None:
    row = summarise(scores_of({"A": [0.1, 0.3, 0.5]})).row("A", "P@10")
    error = np.std([0.1, 0.3, 0.5], ddof=1) / np.sqrt(3)
    assert row.standard_error == pytest.approx(error)
    assert row.high - row.mean == pytest.approx(4.302652729 * error)  # t of 2 degrees, 97.5 %
    assert row.mean - row.low == pytest.approx(4.302652729 * error)


def test_one_user_alone_has_no_interval() -> None:
    row = summarise(scores_of({"A": [0.1, 0.3]}, users=[1, 1])).row("A", "P@10")
    assert row.value == pytest.approx(0.2)
    assert np.isnan([row.standard_error, row.low, row.high]).all()


def test_a_system_without_a_defined_topic_has_no_value() -> None:
    row = summarise(scores_of({"A": [U, U]})).row("A", "P@10")
    assert np.isnan([row.value, row.full, row.forgiving, row.low]).all()
    assert (row.evaluated, row.undefined) == (0, 2)


def test_value_is_by_the_aggregation_and_mean_is_the_mean() -> None:
    row = summarise(FOUR, SummaryChoice(aggregation=chosen("median"))).row("B", "P@10")
    assert row.value == pytest.approx((0.2 + 0.4) / 2)
    assert row.mean == pytest.approx((0.6 + 0.2 + 0.4 + 0.1) / 4)


def expectation() -> Expectation:
    values = np.array([[0.1, np.nan, 0.2, 0.3]])
    return Expectation(("P@10",), values, values * 0 + 0.9, (False,), (0.0,))


def test_chance_is_averaged_over_the_topics_that_entered() -> None:
    row = summarise(FOUR, expectation=expectation()).row("A", "P@10")
    assert row.random == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert row.best == pytest.approx(0.9)
    assert row.adjusted == pytest.approx((0.4 - 0.2) / (0.9 - 0.2))
    forgiving = summarise(FOUR, SummaryChoice(coverage="forgiving"), expectation=expectation())
    assert forgiving.row("A", "P@10").random == pytest.approx((0.1 + 0.3) / 2)


def test_chance_scores_zero_where_undefined_topics_do() -> None:
    choice = SummaryChoice(undefined="zero")
    row = summarise(FOUR, choice, expectation=expectation()).row("A", "P@10")
    assert row.random == pytest.approx((0.1 + 0 + 0.2 + 0.3) / 4)


def test_chance_follows_the_weights_of_a_weighted_mean() -> None:
    scores = scores_of({"A": [0.5, 0.5]}, judged=[1, 3])
    found = Expectation(("P@10",), np.array([[0.1, 0.2]]), np.ones((1, 2)), (True,), (0.01,))
    choice = SummaryChoice(aggregation=chosen("weighted-mean"))
    row = summarise(scores, choice, expectation=found).row("A", "P@10")
    assert row.random == pytest.approx((0.1 + 3 * 0.2) / 4)
    assert (row.random_estimated, row.random_error) == (True, 0.01)


def test_each_system_may_have_an_expectation_of_its_own() -> None:
    own = replace(expectation(), values=np.full((1, 4), 0.05), best=np.ones((1, 4)))
    summary = summarise(FOUR, expectation={"A": expectation(), "B": own})
    assert summary.row("A", "P@10").random == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert summary.row("B", "P@10").random == pytest.approx(0.05)
    alone = summarise(FOUR, expectation={"B": own})
    assert np.isnan(alone.row("A", "P@10").random)
    assert alone.row("B", "P@10").adjusted == summary.row("B", "P@10").adjusted


def test_aggregations_that_are_no_means_have_no_chance_value() -> None:
    choice = SummaryChoice(aggregation=chosen("median"))
    row = summarise(FOUR, choice, expectation=expectation()).row("A", "P@10")
    assert np.isnan([row.random, row.best, row.adjusted]).all()


def test_the_best_ranking_is_adjusted_to_one_by_every_metric_with_a_best() -> None:
    hits = hits_of([Ranking((5.0, 4.0, 1.0, None, None)), Ranking((4.0, None, None))])
    metrics = [parse("metric", name) for name in ("P@2", "AP", "nDCG@3", "RR", "RBP(p=0.8)", "AUC")]
    names, values = tuple(map(str, metrics)), measure(hits, metrics)
    some = scores_of({"A": [0, 0]})
    scores = Scores(some.topics, some.user_ids, ("A",), names, values[None], some.covered)
    for row in summarise(scores, expectation=expect(hits, metrics)[None]).rows:
        assert row.adjusted == pytest.approx(1), row.metric
        assert row.random < row.value


def test_ties_are_seen_within_lists_and_not_across_them() -> None:
    run = run_of([3, 2, 2], [], [2, 1, 1, 1], [1])
    assert is_tied(run).tolist() == [False, True, True, False, True, True, True, False]
    assert not is_tied(run_of([], [1.0], [], [1.0], [])).any()


def test_facts_of_lists_look_at_the_top_only() -> None:
    hits = hits_of([Ranking((5.0, None, 1.0)), Ranking(()), Ranking((None, None, 4.0, 4.0))])
    facts = list_facts(hits, 2, run_of([3, 2, 2], [], [4, 3, 1, 1]))
    assert facts.user_coverage == pytest.approx(2 / 3)
    assert facts.coverage == pytest.approx((2 + 0 + 2) / (2 * 3))
    assert facts.unjudged == pytest.approx(3 / 4)
    assert facts.tied == pytest.approx(1 / 4)  # rank 2 of the first list, tied with rank 3
    assert np.isnan(list_facts(hits, 2).tied)


def test_the_facts_of_lists_stand_in_every_row_of_the_system() -> None:
    facts = list_facts(hits_of([Ranking((5.0,))] * 4), 10)
    summary = summarise(FOUR, lists={"B": facts})
    assert summary.row("B", "P@10").coverage == pytest.approx(0.1)
    assert summary.row("B", "P@10").depth == 10
    assert np.isnan(summary.row("A", "P@10").coverage)


def test_the_dictionary_is_json_with_null_for_what_is_not_known() -> None:
    told = summarise(FOUR).to_dict({"relevance": 4})
    again = json.loads(json.dumps(told, allow_nan=False))
    cell = again["systems"]["A"]["P@10"]
    assert cell["mean"] == pytest.approx(0.4)
    assert (cell["evaluated"], cell["covered"], cell["undefined"]) == (3, 3, 1)
    assert cell["random"] is None
    assert again["decisions"] == {
        "aggregation": {"name": "mean"},
        "coverage": "full",
        "undefined": "left-out",
        "relevance": 4,
    }


@settings(deadline=None, max_examples=tries(50))
@given(scores=many_scores(segments=True))
def test_the_table_has_a_row_for_each_system_and_metric_and_no_nan(scores: Scores) -> None:
    table = summarise(scores).to_polars()
    assert len(table) == len(scores.systems) * len(scores.metrics)
    assert not any(table[name].is_nan().any() for name in ("value", "mean", "low", "random"))
    row = table.row(0, named=True)
    assert row["evaluated"] + row["left_out"] == row["topics"]
