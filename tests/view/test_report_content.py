"""ReportContent: systems in order, and one layout for all tables of a summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.summary import Summary, summarise
from cranfield.view.report_content import EvaluationContent
from report_cases import SYSTEMS, made_evaluation, made_report
from score_cases import U, scores_of
from suites import tries


def content_of(**systems: Sequence[float]) -> EvaluationContent:
    scores = scores_of(systems)
    return EvaluationContent(scores=scores, summary=summarise(scores))


def test_the_best_system_comes_first_and_undefined_values_last() -> None:
    content = content_of(low=[0.1, 0.2], none=[U, U], high=[0.8, 0.9], middle=[0.5, 0.5])
    assert content.systems == ("high", "middle", "low", "none")


def test_equal_systems_stay_in_the_order_given() -> None:
    assert content_of(b=[0.5], a=[0.5], c=[0.5]).systems == ("b", "a", "c")


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, U]), min_size=1, max_size=6))
def test_every_system_is_there_once_and_values_descend(values: list[float]) -> None:
    content = content_of(**{f"s{place}": [value] for place, value in enumerate(values)})
    assert sorted(content.systems) == [f"s{place}" for place in range(len(values))]
    shown = [content.summary.row(system, "P@10").value for system in content.systems]
    known = [value for value in shown if value == value]
    assert known == sorted(known, reverse=True)
    assert all(value != value for value in shown[len(known) :])


def test_the_order_is_that_of_the_first_metric() -> None:
    content = made_evaluation()
    rows = [row for row in content.summary.rows if row.metric == content.metrics[0]]
    best = max(rows, key=lambda row: row.value)
    assert content.systems[0] == best.system
    turned = replace(content, summary=Summary(content.summary.rows[::-1], content.summary.choice))
    assert turned.metrics == content.metrics[::-1]


def test_the_layout_knows_what_the_content_knows() -> None:
    content = replace(made_evaluation(), unmarked=("P@10",), unknown_random="no catalogue")
    layout = content.layout
    assert layout.summary is content.summary
    assert layout.unknown_random == "no catalogue"
    assert not any(layout.is_marked(system, "P@10") for system in SYSTEMS)
    assert layout.is_marked(content.systems[0], "nDCG@10")
    assert content.metrics == layout.metrics == ("nDCG@10", "P@10")


@pytest.mark.parametrize("study", [True, False])
def test_a_report_has_designs_only_if_it_is_about_a_study(study: bool) -> None:
    content = made_report(study=study)
    assert (content.designs is not None) is study
    assert content.conclusion is None
