"""Assessments as text: the figures to look at, then what they mean."""

from __future__ import annotations

from functools import cache

import polars as pl

from cranfield.validity.assessment import Assessment
from cranfield.view.names import metric_label
from cranfield.view.numbers import any_value
from cranfield.view.tables.terminal import render

_ROWS = 40
"""Rows of a table that a terminal is shown; all are in the JSON."""


def assessment_text(assessment: Assessment, *, width: int | None = None) -> str:
    """Every table with its title, the reading, and the notes."""
    tables = [_table(assessment, name, width) for name in assessment.tables]
    notes = [f"note: {note}" for note in assessment.notes]
    return "\n\n".join([*tables, "\n".join([assessment.reading, *notes])])


def assessment_rows(table: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The headings and rows of a table as readers see them: metrics with their gain."""
    rows, label = table.rows(), cache(metric_label)
    shown = [[label(v) if isinstance(v, str) else any_value(v) for v in row] for row in rows]
    return [label(name) for name in table.columns], shown


def _table(assessment: Assessment, name: str, width: int | None) -> str:
    table = assessment.shown(name)
    headings, rows = assessment_rows(table.head(_ROWS))
    text = render(rows, headings, title=assessment.title(name), width=width)
    more = len(table) - _ROWS
    return f"{text}\n… and {more} more, all in the JSON (--json)" if more > 0 else text
