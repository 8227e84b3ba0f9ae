"""An assessment as JSON can hold it."""

from __future__ import annotations

import json
from math import inf, isfinite, nan

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.assessment import Assessment, Chart, Line, number_key, side_by_side
from suites import tries

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
    assert record["words"] == record["across"] == {}


def test_what_was_recorded_is_the_same_assessment_again() -> None:
    again = Assessment.from_dict(json.loads(json.dumps(MADE.to_dict())))
    assert again.to_dict() == MADE.to_dict()
    assert again.charts == MADE.charts


LONG = pl.DataFrame(
    {
        "metric": ["P", "P", "RR"],
        "size": [1.0, 0.5, 1.0],
        "value": [0.9, 0.8, nan],
    }
)


def test_a_long_table_is_shown_side_by_side_and_recorded_as_it_is() -> None:
    words = {"area": "area under τ", "metric": "by", "0.5": "50 %"}
    made = Assessment("any", "So.", {"area": LONG}, {}, words=words, across={"area": "size"})
    assert made.title("area") == "area under τ"
    shown = made.shown("area")
    assert shown.columns == ["by", "1", "50 %"]
    assert shown.equals(pl.DataFrame({"by": ["P", "RR"], "1": [0.9, nan], "50 %": [0.8, None]}))
    again = Assessment.from_dict(json.loads(json.dumps(made.to_dict())))
    assert again.to_dict() == made.to_dict()
    assert again.shown("area").columns == shown.columns
    assert made.to_polars().equals(LONG)


def test_a_table_that_is_not_long_is_shown_in_words() -> None:
    made = Assessment("any", "So.", {"t": LONG}, {}, words={"size": "share"})
    assert made.shown("t").columns == ["metric", "share", "value"]
    assert made.shown("t").rows(named=False)[:2] == LONG.rows()[:2]


def test_a_value_called_like_a_column_or_like_a_word_is_told_apart() -> None:
    long = pl.DataFrame({"metric": ["P"] * 3, "system": ["metric", "1", "x"], "value": [1, 2, 3]})
    made = Assessment(
        "any", "So.", {"t": long}, {}, words={"1": "one", "metric": "x"}, across={"t": "system"}
    )
    assert side_by_side(long, "system").columns == ["metric", "metric (system)", "1", "x"]
    assert made.shown("t").columns == ["x", "metric", "1", "x (system)"]  # words name no system


@settings(deadline=None, max_examples=tries(50))
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["P", "RR", None]), st.text(max_size=3)), st.floats(), min_size=1
    )
)
def test_no_figure_of_a_long_table_is_lost(figures: dict[tuple[str | None, str], float]) -> None:
    rows = [(key, name, value) for (key, name), value in figures.items()]
    long = pl.DataFrame(
        rows, {"metric": pl.String, "name": pl.String, "value": pl.Float64}, orient="row"
    )
    wide = side_by_side(long, "name")
    names = long["name"].unique(maintain_order=True).to_list()
    assert wide["metric"].to_list() == list(dict.fromkeys(key for key, _ in figures))
    assert wide.width == 1 + len(names)
    for key, *found in wide.rows():
        expected = [figures.get((key, name)) for name in names]
        assert [repr(each) for each in found] == [repr(each) for each in expected]


def test_numbers_that_differ_are_not_called_alike() -> None:
    assert number_key(0.1 + 0.2) == number_key(0.3) == "0.3"
    assert number_key(0.5001) != number_key(0.5002)


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


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.floats() | st.none() | st.integers(-5, 5).map(float), max_size=6))
def test_every_table_can_be_written_as_json(values: list[float | None]) -> None:
    table = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    record = Assessment("any", "So.", {"t": table}, {}).to_dict()
    back = json.loads(json.dumps(record, allow_nan=False))["tables"]["t"]
    assert [row["x"] for row in back] == [
        value if value is not None and isfinite(value) else None for value in values
    ]
