"""Assessments of several designs as one."""

from __future__ import annotations

from math import nan
from typing import Any

import polars as pl
import pytest

from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.study.assessed_designs import AssessedDesigns

SHARES = pl.DataFrame({"design": [1, 4], "judged_share": [1.0, 0.5]})


def assessment(values: list[float], **others: Any) -> Assessment:
    table = pl.DataFrame({"metric": ["P", "RR"][: len(values)], "DP": values})
    details = {"curves": pl.DataFrame({"pair": [1, 2], "undefined": [0, 0]})}
    given = {"decisions": {"alpha": 0.05, "seed": len(values)}, "details": details, **others}
    return Assessment("power", "Some reading.", {"the power": table}, **given)


TWO = AssessedDesigns("power", SHARES, [assessment([0.2, 0.4]), assessment([0.3, 0.4])])


def test_every_table_has_the_answers_of_its_design_in_front() -> None:
    made = TWO.together()
    assert made.criterion == "power over designs"
    assert made.tables["the power"].rows() == [
        (1, 1.0, "P", 0.2),
        (1, 1.0, "RR", 0.4),
        (4, 0.5, "P", 0.3),
        (4, 0.5, "RR", 0.4),
    ]
    assert made.tables["readings"].rows() == [
        (1, 1.0, "Some reading."),
        (4, 0.5, "Some reading."),
    ]
    assert len(made.details["curves"]) == 4


def test_the_reading_tells_how_far_the_first_figure_goes() -> None:
    assert TWO.together().reading == (
        "Over 2 designs (judged_share), DP (the power) is 0.2 to 0.3 for P and 0.4 for RR."
    )
    some = [assessment([nan, 0.4]), assessment([nan, nan])]
    assert (
        "is undefined for P and 0.4 for RR."
        in AssessedDesigns("p", SHARES, some).together().reading
    )


def test_more_than_three_metrics_are_left_to_the_table() -> None:
    table = pl.DataFrame({"metric": list("abcde"), "DP": [1.0] * 5})
    made = Assessment("power", "Some.", {"t": table}, {})
    reading = AssessedDesigns("power", SHARES[:1], [made]).together().reading
    assert reading.endswith("1 for a, 1 for b, 1 for c and 2 more metrics in the table.")
    assert reading.startswith("Over 1 design (judged_share), ")


def test_the_chart_is_over_the_one_number_that_varies_in_ascending_order() -> None:
    (chart,) = TWO.together().charts
    assert isinstance(chart, Chart)
    assert (chart.title, chart.x_title, chart.y_title) == ("the power: DP", "judged_share", "DP")
    assert {line.name: (line.x, line.y) for line in chart.lines} == {
        "P": ((0.5, 1.0), (0.3, 0.2)),
        "RR": ((0.5, 1.0), (0.4, 0.4)),
    }


@pytest.mark.parametrize(
    "decisions",
    [
        pl.DataFrame({"design": [1, 4], "topics": ["all", "judged"]}),
        pl.DataFrame({"design": [1, 4], "judged_share": [1.0, 0.5], "depth": [5, 5]}),
        pl.DataFrame({"design": [1, 4]}),
    ],
)
def test_words_and_several_decisions_are_drawn_by_the_number_of_the_design(
    decisions: pl.DataFrame,
) -> None:
    (chart,) = AssessedDesigns("power", decisions, TWO.assessments).together().charts
    assert isinstance(chart, Chart)
    assert chart.x_title == "design"
    assert chart.lines[0].x == (1.0, 4.0)


def test_a_matrix_of_metrics_is_no_curve() -> None:
    matrix = pl.DataFrame({"metric": ["P", "RR"], "P": [1.0, 0.5], "RR": [0.5, 1.0]})
    made = Assessment("correlation", "Some.", {"τ": matrix}, {})
    found = AssessedDesigns("correlation", SHARES, [made, made]).together()
    assert found.charts == ()
    assert found.reading == "Over 2 designs (judged_share), what was found in each is in the table."


def test_a_long_matrix_is_no_curve_either_and_words_and_columns_are_those_of_the_criterion() -> (
    None
):
    long = pl.DataFrame(
        {"metric": ["P", "P", "RR", "RR"], "other": ["P", "RR"] * 2, "value": [1.0, 0.5, 0.5, 1.0]}
    )
    words, across = {"orders": "orders of systems"}, {"orders": "other"}
    made = Assessment("correlation", "Some.", {"orders": long}, {}, words=words, across=across)
    found = AssessedDesigns("correlation", SHARES, [made, made]).together()
    assert found.charts == ()
    assert found.title("orders") == "orders of systems"
    assert found.title("readings") == "what was found in each design"
    assert found.shown("orders").rows()[3] == (4, 0.5, "RR", 0.5, 1.0)


def test_a_metric_with_several_figures_has_a_line_for_each() -> None:
    long = pl.DataFrame(
        {
            "mean": ["arithmetic", "geometric"],
            "metric": ["P", "P"],
            "scenario": ["users", "users"],
            "value": [0.9, 0.7],
        }
    )
    made = Assessment("robustness", "Some.", {"area": long}, {}, across={"area": "scenario"})
    found = AssessedDesigns("robustness", SHARES, [made, made]).together()
    (chart,) = found.charts
    assert isinstance(chart, Chart)
    assert {line.name: line.y for line in chart.lines} == {
        "P, arithmetic": (0.9, 0.9),
        "P, geometric": (0.7, 0.7),
    }
    assert found.reading == (
        "Over 2 designs (judged_share), users (area) is 0.9 for P, arithmetic and 0.7 for P, "
        "geometric."
    )


def test_a_decision_that_a_table_has_a_column_for_is_told_apart() -> None:
    decisions = pl.DataFrame({"design": [1, 2], "undefined": ["zero", "left-out"]})
    made = AssessedDesigns("power", decisions, TWO.assessments).together()
    assert made.details["curves"].columns == ["design", "decision_undefined", "pair", "undefined"]
    assert made.tables["the power"].columns == ["design", "undefined", "metric", "DP"]


def test_decisions_that_all_designs_share_are_recorded() -> None:
    made = AssessedDesigns("power", SHARES, [assessment([1.0]), assessment([1.0, 2.0])]).together()
    assert made.decisions == {"designs": 2, "varied": ["judged_share"], "alpha": 0.05}


def test_notes_and_problems_name_their_design() -> None:
    noted = assessment([0.1, 0.2], notes=("two orders are undefined.",))
    made = AssessedDesigns("power", SHARES, [noted, None], [(4, "too few users.")]).together()
    assert made.notes == (
        "design 1: two orders are undefined.",
        "design 4 was not assessed: too few users.",
    )
    assert made.tables["readings"]["reading"].to_list() == [
        "Some reading.",
        None,
    ]


def test_no_design_that_can_be_assessed_is_said() -> None:
    made = AssessedDesigns("power", SHARES, [None, None], [(1, "no."), (4, "no.")]).together()
    assert made.reading == "power could not be assessed in any of 2 designs."
    assert made.charts == ()
