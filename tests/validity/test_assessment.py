"""An assessment as JSON can hold it."""

from __future__ import annotations

import json
from math import inf, isfinite, nan

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.assessment import Assessment, Chart, Line

MADE = Assessment(
    "robustness",
    "It holds.",
    {"figures": pl.DataFrame({"metric": ["P", "RR"], "τ": [0.5, nan], "least": [-inf, 1.0]})},
    {"samples": 3, "sizes": [1.0, 0.5]},
    {"curves": pl.DataFrame({"size": [1.0], "topics": [None]})},
    (Chart("t", "x", "y", (Line("P", (1.0,), (nan,)),)),),
    ("a note",),
)  # fmt: skip


def test_what_is_undefined_or_infinite_is_null() -> None:
    record = json.loads(json.dumps(MADE.to_dict(), allow_nan=False))
    assert record["tables"]["figures"] == [
        {"metric": "P", "τ": 0.5, "least": None},
        {"metric": "RR", "τ": None, "least": 1.0},
    ]
    assert record["details"]["curves"] == [{"size": 1.0, "topics": None}]


def test_the_record_tells_how_the_verdict_was_reached() -> None:
    record = MADE.to_dict()
    assert (record["criterion"], record["reading"]) == ("robustness", "It holds.")
    assert record["decisions"] == {"samples": 3, "sizes": [1.0, 0.5]}
    assert record["notes"] == ["a note"]
    assert len(record["charts"]) == len(MADE.charts)
    assert record["words"] == {}


def test_what_was_recorded_is_the_same_assessment_again() -> None:
    again = Assessment.from_dict(json.loads(json.dumps(MADE.to_dict())))
    assert again.to_dict() == MADE.to_dict()
    assert again.charts == MADE.charts


def test_nothing_but_a_verdict_is_an_assessment_too() -> None:
    record = Assessment("any", "It holds.", {}, {}).to_dict()
    assert record["tables"] == record["details"] == {}
    assert record["notes"] == []


def test_the_record_is_a_copy() -> None:
    record = MADE.to_dict()
    record["decisions"]["samples"] = 9
    record["notes"].append("another")
    assert MADE.to_dict()["decisions"]["samples"] == 3
    assert MADE.to_dict()["notes"] == ["a note"]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats() | st.none() | st.integers(-5, 5).map(float), max_size=6))
def test_every_table_can_be_written_as_json(values: list[float | None]) -> None:
    table = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    record = Assessment("any", "So.", {"t": table}, {}).to_dict()
    back = json.loads(json.dumps(record, allow_nan=False))["tables"]["t"]
    assert [row["x"] for row in back] == [
        value if value is not None and isfinite(value) else None for value in values
    ]
