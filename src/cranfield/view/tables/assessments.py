"""Assessments as text: the figures to look at, then what they mean."""

from __future__ import annotations

import polars as pl

from cranfield.validity.assessment import Assessment
from cranfield.view.numbers import any_value
from cranfield.view.tables.terminal import render

_ROWS = 40
"""Rows of a table that a terminal is shown; all are in the JSON."""


def assessment_text(assessment: Assessment, *, width: int | None = None) -> str:
    """Every table with its title, the reading, and the notes."""
    tables = [_table(name, table, width) for name, table in assessment.tables.items()]
    notes = [f"note: {note}" for note in assessment.notes]
    return "\n\n".join([*tables, "\n".join([assessment.reading, *notes])])


def _table(name: str, table: pl.DataFrame, width: int | None) -> str:
    rows = [[any_value(value) for value in row] for row in table.head(_ROWS).rows()]
    text = render(rows, table.columns, title=name, width=width)
    more = len(table) - _ROWS
    return f"{text}\n… and {more} more, all in the JSON (--json)" if more > 0 else text
