"""Charts of assessments as plots."""

from __future__ import annotations

from math import isnan, nan

from cranfield.validity.assessment import Assessment, Chart, HeatMap
from cranfield.view.numbers import fixed
from cranfield.view.plot import BEHIND, Axis, Heat, Line, Panel, Plot

_ROWS = 60
_NAMED = 14
"""Columns up to which the cells of a heat map carry their numbers."""


def assessment_plots(assessment: Assessment, number: int) -> list[Plot]:
    """All charts of an assessment, which is one of several."""
    return [
        as_plot(chart, f"{assessment.criterion}-{number}-{place}")
        for place, chart in enumerate(assessment.charts, start=1)
    ]


def as_plot(chart: Chart | HeatMap, name: str) -> Plot:
    """A chart of an assessment as a plot."""
    return _lines(chart, name) if isinstance(chart, Chart) else _heat(chart, name)


def _lines(chart: Chart, name: str) -> Plot:
    marks = tuple(
        Line(x=line.x, y=line.y, name=line.name, hue=number)
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
        panels=(Panel(x=across, y=Axis(title=chart.y_title), marks=marks),),
        headings=("line", chart.x_title, chart.y_title),
        rows=tuple(rows[:_ROWS]),
        rows_note=f"The first {_ROWS} of {len(rows):,} points." if len(rows) > _ROWS else "",
    )


def _heat(chart: HeatMap, name: str) -> Plot:
    """Agreement and its opposite in two colours, fuller where they are stronger."""
    above = [[value if value >= 0 else nan for value in row] for row in chart.values]
    below = [[-value if value < 0 else nan for value in row] for row in chart.values]
    shown = [[fixed(value, 2) for value in row] for row in chart.values]
    readable = len(chart.columns) <= _NAMED
    known = [value for row in chart.values for value in row if not isnan(value)]
    texts = [_where(cells, shown) if readable else () for cells in (above, below)]
    marks = (
        Heat(cells=above, name="agreement", shown=texts[0]),
        Heat(cells=below, name="disagreement", hue=BEHIND, shown=texts[1]),
    )
    return Plot(
        name=name,
        title=chart.title,
        description=f"Values from {fixed(min(known, default=nan), 2)} to "
        f"{fixed(max(known, default=nan), 2)}, of every row with every column.",
        panels=(
            Panel(
                x=Axis(labels=chart.columns),
                y=Axis(labels=chart.rows),
                marks=marks,
                height=26.0 * max(len(chart.rows), 2),
            ),
        ),
        headings=("", *chart.columns),
        rows=tuple((row, *cells) for row, cells in zip(chart.rows, shown, strict=True)),
    )


def _where(cells: list[list[float]], shown: list[list[str]]) -> list[list[str]]:
    """The texts of the cells that have a value."""
    return [
        ["" if isnan(value) else text for value, text in zip(row, texts, strict=True)]
        for row, texts in zip(cells, shown, strict=True)
    ]
