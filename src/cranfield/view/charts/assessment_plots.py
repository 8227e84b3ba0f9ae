"""Charts of assessments as plots."""

from __future__ import annotations

import re
from math import isnan, nan

from cranfield.validity.assessment import Assessment, Chart, HeatMap
from cranfield.view.charts.plot import Axis, Heat, Plot, PlotPanel, Polyline
from cranfield.view.numbers import fixed

_ROWS = 60
MOST_FIGURES = 24
"""Columns up to which each cell of a heat map shows its figure."""


def assessment_plots(assessment: Assessment, number: int) -> list[Plot]:
    """All charts of an assessment, which is one of several."""
    return [
        as_plot(chart, f"{_word(assessment.criterion)}-{number}-{place}")
        for place, chart in enumerate(assessment.charts, start=1)
    ]


def _word(name: str) -> str:
    """A name as part of an address or of a file's name.

    >>> _word("bias: who recommends what is popular")
    'bias-who-recommends-what-is-popular'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def as_plot(chart: Chart | HeatMap, name: str) -> Plot:
    """A chart of an assessment as a plot."""
    return _lines(chart, name) if isinstance(chart, Chart) else _heat(chart, name)


def _lines(chart: Chart, name: str) -> Plot:
    marks = tuple(
        Polyline(x=line.x, y=line.y, name=line.name, hue=number)
        for number, line in enumerate(chart.lines)
    )
    # the full test set stands first
    across = Axis(title=chart.x_title, reverse=chart.x_title.startswith("%"))
    rows = [
        (line.name, fixed(x, 3), fixed(y, 3))
        for line in chart.lines
        for x, y in zip(line.x, line.y, strict=True)
    ]
    return Plot(
        name=name,
        title=chart.title,
        description=f"{chart.y_title} by {chart.x_title}, a line for each of "
        + ", ".join(line.name for line in chart.lines)
        + ".",
        panels=(PlotPanel(x=across, y=Axis(title=chart.y_title), marks=marks),),
        headings=("line", chart.x_title, chart.y_title),
        rows=tuple(rows[:_ROWS]),
        rows_note=f"The first {_ROWS} of {len(rows):,} points." if len(rows) > _ROWS else "",
    )


def _heat(chart: HeatMap, name: str) -> Plot:
    """Agreement and its opposite in two colours, fuller where they are stronger."""
    shown = tuple(tuple(fixed(value, 2) for value in row) for row in chart.values)
    readable = len(chart.columns) <= MOST_FIGURES
    known = [value for row in chart.values for value in row if not isnan(value)]
    heat = Heat(cells=chart.values, shown=shown if readable else ())
    return Plot(
        name=name,
        title=chart.title,
        description=f"Values from {fixed(min(known, default=nan), 2)} to "
        f"{fixed(max(known, default=nan), 2)}, of every row with every column.",
        panels=(
            PlotPanel(
                x=Axis(labels=chart.columns),
                y=Axis(labels=chart.rows),
                marks=(heat,),
                height=26.0 * max(len(chart.rows), 2),
            ),
        ),
        headings=("", *chart.columns),
        rows=tuple((row, *cells) for row, cells in zip(chart.rows, shown, strict=True)),
    )
