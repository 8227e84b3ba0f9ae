"""Frames: the tables of a run by name, for questions in SQL."""

from __future__ import annotations

import polars as pl

from cranfield.validity.assessment import Assessment
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import Claim, Panel, Reproduction, Show
from cranfield.workbench.results.frames import assessment_frames
from cranfield.workbench.store.store import Store


def robustness(scenario: str, area: float) -> Assessment:
    table = pl.DataFrame({"metric": ["P@5"], scenario: [area]})
    values = pl.DataFrame({"scenario": [scenario], "one": [0.1], "other": [0.2]})
    return Assessment("robustness", "", {"area under τ": table}, {}, {"values": values})


def test_tables_of_assessments_are_called_by_criterion_and_title_and_joined() -> None:
    made = [robustness("ratings", 0.9), robustness("users", 0.8)]
    found = assessment_frames(made, ["P@5", "one", "other"])
    assert list(found) == [
        "robustness_area_under_tau",
        "robustness_values",
        "robustness_values_long",
    ]
    assert found["robustness_area_under_tau"].rows() == [("P@5", 0.9, None), ("P@5", None, 0.8)]


def test_columns_of_metrics_and_systems_are_rows_of_the_long_form() -> None:
    long = assessment_frames([robustness("ratings", 0.9)], ["one", "other"])
    assert long["robustness_values_long"].rows() == [
        ("ratings", "one", 0.1),
        ("ratings", "other", 0.2),
    ]


def test_tables_are_asked_of_in_turn_and_lines_have_a_picture_for_each_panel() -> None:
    made = reproduce(
        Reproduction(
            paper="paper",
            item="Figure 1",
            title="",
            definition={
                "split": "per-user",
                "relevance": 4,
                "metrics": ["P@5", "P@10"],
                "systems": {"Random": "Random"},
            },
            panels=(
                Panel("left", {"data": "simulated(size=tiny)"}),
                Panel("right", {"data": "simulated(size=tiny)", "seed": 1}),
            ),
            small={},
            tables={
                "both": "SELECT panel, metric, value FROM figures",
                "counted": "SELECT panel, COUNT(*) AS metrics FROM both GROUP BY panel",
            },
            shows=(
                Show("P", "SELECT 1 AS x, value, metric, panel FROM both", "lines"),
                Show("metrics", "SELECT * FROM counted"),
            ),
            claims=(Claim("", "SELECT metrics = 2 AS holds FROM counted"),),
        ),
        Store(None),
    )
    assert [each.show.title for each in made.shown] == ["P, left", "P, right", "metrics"]
    assert [each.rows.columns for each in made.shown][:2] == [["x", "value", "metric"]] * 2
    assert (made.judgments[0].held, made.judgments[0].tested) == (2, 2)
