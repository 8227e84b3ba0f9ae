"""Frames: the tables of a run by name, for questions in SQL."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import MissingLibrary
from cranfield.validity.assessment import Assessment
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import Claim, Panel, Reproduction, Show
from cranfield.workbench.results.frames import ask, assessment_frames
from cranfield.workbench.store.store import Store


def robustness(scenario: str, area: float) -> Assessment:
    table = pl.DataFrame({"metric": ["P@5"], "scenario": [scenario], "value": [area]})
    values = pl.DataFrame({"scenario": [scenario], "system": ["one"], "value": [0.1]})
    across = {"area": "scenario"}
    return Assessment("robustness", "", {"area": table}, {}, {"values": values}, across=across)


def test_questions_need_the_sql_of_polars_2(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = {"figures": pl.DataFrame({"value": [1, 2]})}
    assert ask(frames, "SELECT SUM(value) AS total FROM figures")["total"].to_list() == [3]
    monkeypatch.setattr(pl, "__version__", "1.44.2")
    with pytest.raises(MissingLibrary, match=r'reproduce needs "polars>=2"'):
        ask(frames, "SELECT value FROM figures")


def test_joined_and_grouped_rows_are_in_the_order_of_the_tables() -> None:
    systems = [f"system {place:03}" for place in range(500)][::-1]
    figures = pl.DataFrame({"system": systems, "value": np.arange(500) % 7})
    frames = {"figures": figures, "others": figures}
    join = "SELECT system, others.value FROM figures JOIN others USING (system)"
    for question in (join, "SELECT system, SUM(value) FROM figures GROUP BY system"):
        assert ask(frames, question)["system"].to_list() == systems
    as_asked = ask(frames, f"{join} ORDER BY system")
    assert as_asked["system"].to_list() == sorted(systems)
    new = ask(frames, "SELECT CONCAT('a ', system) AS system FROM figures GROUP BY system")
    assert new["system"].to_list() == sorted(f"a {system}" for system in systems)


def test_tables_of_assessments_are_called_by_criterion_and_name_and_joined() -> None:
    found = assessment_frames([robustness("ratings", 0.9), robustness("users", 0.8)])
    assert list(found) == ["robustness_area", "robustness_area_wide", "robustness_values"]
    assert found["robustness_area"].rows() == [("P@5", "ratings", 0.9), ("P@5", "users", 0.8)]


def test_a_long_table_is_there_with_columns_side_by_side_as_well() -> None:
    found = assessment_frames([robustness("ratings", 0.9), robustness("users", 0.8)])
    wide = found["robustness_area_wide"]
    assert wide.columns == ["metric", "ratings", "users"]
    assert wide.rows() == [("P@5", 0.9, None), ("P@5", None, 0.8)]


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
    ours = made.judgments[0].verdict.total("paper")
    assert (ours.held, ours.tested) == (2, 2)
