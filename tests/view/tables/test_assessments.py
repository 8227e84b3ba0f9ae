"""Assessments as text: tables first, then the reading, then the notes."""

from __future__ import annotations

from math import nan

import polars as pl
import pytest

from cranfield.validity.assessment import Assessment
from cranfield.view.tables.assessments import assessment_text


def test_tables_come_first_then_the_reading_then_notes() -> None:
    table = pl.DataFrame({"metric": ["P", "[RR]"], "DP": [0.51234, float("nan")], "n": [3, None]})
    made = Assessment("any", "P is best.", {"power": table}, {}, notes=("few pairs.",))
    lines = assessment_text(made).splitlines()
    assert lines[0] == "power"
    assert lines[1].split() == ["metric", "DP", "n"]
    assert lines[3].split() == ["P", "0.512", "3"]
    assert lines[4].split() == ["[RR]", "–", "–"]
    assert lines[-2:] == ["P is best.", "note: few pairs."]


def test_long_tables_end_with_what_is_not_shown() -> None:
    table = pl.DataFrame({"metric": [str(n) for n in range(45)]})
    text = assessment_text(Assessment("any", "So.", {"long": table}, {}))
    assert "… and 5 more, all in the JSON (--json)" in text


@pytest.mark.parametrize(("rows", "more"), [(40, ""), (41, "… and 1 more"), (45, "… and 5 more")])
def test_forty_rows_are_shown(rows: int, more: str) -> None:
    table = pl.DataFrame({"metric": [f"m{n}" for n in range(rows)]})
    text = assessment_text(Assessment("any", "So.", {"long": table}, {}))
    assert (more in text) if more else ("more" not in text)
    assert "m39" in text
    assert "m40" not in text


def test_every_table_has_its_title_and_values_of_every_kind() -> None:
    one = pl.DataFrame({"system": ["kNN"], "τ": [-0.25], "holds": [True]})
    two = pl.DataFrame({"system": ["MF"], "p": [nan]})
    text = assessment_text(Assessment("any", "So.", {"first": one, "second": two}, {}))
    lines = text.splitlines()
    assert lines[3].split() == ["kNN", "−0.250", "yes"]
    assert lines[5] == "second"
    assert lines[8].split() == ["MF", "–"]


def test_an_assessment_without_tables_is_its_reading() -> None:
    assert assessment_text(Assessment("any", "It holds.", {}, {})) == "It holds."


def test_a_wide_table_stays_within_the_terminal() -> None:
    table = pl.DataFrame({f"a rather long heading {n}": [0.5] for n in range(6)})
    text = assessment_text(Assessment("any", "So.", {"t": table}, {}), width=60)
    assert all(len(line) <= 60 for line in text.splitlines())


def test_readers_see_words_in_place_of_identifiers() -> None:
    made = Assessment(
        "power", "It holds.", {"best_first": pl.DataFrame({"metric": ["RR"], "dp_doubled": [0.5]})},
        {}, words={"best_first": "the best first", "dp_doubled": "DP doubled"},
    )  # fmt: skip
    text = assessment_text(made)
    assert "the best first" in text
    assert "DP doubled" in text
    assert "_" not in text
