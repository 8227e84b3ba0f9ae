"""The Pareto plot: who dominates whom, by brute force, and what is drawn of it."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.view.charts.pareto_plots import dominating, pareto_plot
from cranfield.view.charts.plot import Plot, Points, Polyline
from cranfield.view.charts.run_plots import run_plots
from cranfield.view.page.run_sections import run_sections
from cranfield.view.report_content import EvaluationContent, Objective
from cranfield.workbench.results.files import evaluation_content
from experiment_cases import table_of
from report_cases import made_evaluation
from suites import tries

GINI, COVERED = Objective("Gini@10", lower_is_better=True), Objective("CatalogueCoverage@10")
ACCURACY = Objective("nDCG@10")


def content_of(
    lists: dict[str, dict[str, float]], *aims: Objective, **more: Any
) -> EvaluationContent:
    made = made_evaluation(tuple(lists))
    return replace(made, lists=lists, objectives=(ACCURACY, *aims), **more)


THREE = content_of(
    {  # each is a little worse by nDCG than the one before it
        "first": {"Gini@10": 0.9, "CatalogueCoverage@10": 0.2},
        "second": {"Gini@10": 0.5, "CatalogueCoverage@10": 0.1},
        "third": {"Gini@10": 0.6, "CatalogueCoverage@10": 0.1},
    },
    GINI,
    COVERED,
)


def drawn(content: EvaluationContent) -> Plot:
    plot = pareto_plot(content)
    assert plot is not None
    return plot


def points_of(plot: Plot, panel: int = 0) -> dict[str, Points]:
    marks = plot.panels[panel].marks
    return {mark.name: mark for mark in marks if isinstance(mark, Points)}


def test_systems_that_are_not_dominated_are_filled() -> None:
    plot = drawn(THREE)
    assert {name: point.shape for name, point in points_of(plot).items()} == {
        "first": "dot", "second": "dot", "third": "ring",
    }  # fmt: skip
    assert [row[-1] for row in plot.rows] == ["none", "none", "second"]
    assert plot.description.startswith("first and second are not dominated (2 of 3 systems)")


def test_every_objective_beyond_accuracy_has_a_panel_of_its_own() -> None:
    plot = drawn(THREE)
    assert [panel.y.title for panel in plot.panels] == [
        "Gini@10 (lower is better)", "CatalogueCoverage@10 (higher is better)",
    ]  # fmt: skip
    assert [panel.y.reverse for panel in plot.panels] == [True, False]
    found = [points_of(plot, panel)["second"] for panel in (0, 1)]
    values = THREE.summary.row("second", "nDCG@10").value, 0.5, 0.1
    assert (*found[0].x, *found[0].y, *found[1].y) == values
    assert {point.x[0] for point in found} == {values[0]}


def test_the_line_joins_those_that_none_beats_by_the_two_of_a_panel() -> None:
    lines = [
        mark for panel in drawn(THREE).panels for mark in panel.marks if isinstance(mark, Polyline)
    ]
    assert [list(line.y) for line in lines] == [[0.5, 0.9], [0.2]]


@settings(deadline=None, max_examples=tries(100))
@given(
    good=st.dictionaries(
        st.text("abcdef", min_size=1, max_size=2),
        st.tuples(*[st.integers(0, 3)] * 3),
        min_size=1,
        max_size=6,
    )
)
def test_the_front_is_that_of_brute_force(good: dict[str, tuple[int, int, int]]) -> None:
    numbers = {name: tuple(map(float, values)) for name, values in good.items()}
    front = {name for name in good if not dominating(numbers, name)}
    assert front
    for name, own in good.items():
        better = [
            other
            for other in good.values()
            if all(o >= x for o, x in zip(other, own, strict=True))
            and any(o > x for o, x in zip(other, own, strict=True))
        ]
        assert (name in front) == (not better)
        if better:  # somebody of the front dominates it
            assert front & set(dominating(numbers, name))


def test_equal_systems_do_not_dominate_each_other() -> None:
    assert dominating({"a": (1.0, 2.0), "b": (1.0, 2.0)}, "a") == []


def test_nothing_is_drawn_without_something_to_trade() -> None:
    assert pareto_plot(made_evaluation()) is None
    assert pareto_plot(replace(THREE, objectives=(ACCURACY,))) is None
    alone = {"first": {"Gini@10": 0.9}, "second": {"Gini@10": nan}}
    assert pareto_plot(content_of(alone, GINI)) is None


def test_systems_without_all_values_are_left_out() -> None:
    lists = {"a": {"Gini@10": 0.9}, "b": {"Gini@10": nan}, "c": {"Gini@10": 0.5}}
    assert [row[0] for row in drawn(content_of(lists, GINI)).rows] == ["a", "c"]


@pytest.mark.parametrize(
    ("metrics", "aims"),
    [
        (["nDCG@5"], ["nDCG@5"]),
        (["Gini@5", "nDCG@5", "P@5"], ["nDCG@5", "Gini@5"]),
        (["UserEPC@5", "P@5", "RSP@5", "Gini@5", "CatalogueCoverage@5"],
         ["P@5", "RSP@5", "CatalogueCoverage@5"]),
        (["P@5", "CatalogueCoverage@3", "APLT@5"], ["P@5", "APLT@5", "CatalogueCoverage@3"]),
        (["Gini@5", "UserEPC@5"], []),
    ],
)  # fmt: skip
def test_objectives_are_the_first_of_each_kind(metrics: list[str], aims: list[str]) -> None:
    made = cf.run(table_of(metrics=metrics))
    content = evaluation_content(made)
    assert [each.metric for each in content.objectives] == aims
    lower = {each.metric for each in content.objectives if each.lower_is_better}
    assert lower == {"Gini@5", "RSP@5"} & set(aims)
    shown = "pareto" in [plot.name for plot in run_plots(content)]
    assert shown == (len(aims) > 1)
    assert ("trade-offs" in [section.name for section in run_sections(content)]) == shown


def test_one_less_the_index_is_better_when_higher() -> None:
    made = cf.run(table_of(metrics=["P@5", "Gini(as=elliot)@5"]))
    assert not evaluation_content(made).objectives[1].lower_is_better
