"""Charts of assessments: as plots for the page, or all of them in one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from io import StringIO
from itertools import chain, count
from math import isnan, nan
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, TooFew
from cranfield.validity.assessment import Assessment, Chart, HeatMap
from cranfield.view.charts.files import draw_panel, new_figure, plain
from cranfield.view.charts.plot import Axis, Heat, Plot, PlotPanel, Polyline
from cranfield.view.numbers import fixed

_ROWS = 60
MOST_FIGURES = 24
"""Columns up to which each cell of a heat map shows its figure."""
CHART_FORMATS = ("svg", "html", "png", "pdf")
_CHART_WIDTH, _HEIGHT, _COLUMNS = 6.0, 4.2, 2
_LEGEND_ROWS = 20


def assessment_plots(assessments: Sequence[Assessment]) -> list[list[Plot]]:
    """All charts of each of some assessments, every one under a name of its own.

    A chart is named by the criterion and by its title, so that the name says what it shows.
    """
    taken: set[str] = set()
    return [
        [as_plot(chart, _free_name(made, chart, taken)) for chart in made.charts]
        for made in assessments
    ]


def _free_name(made: Assessment, chart: Chart | HeatMap, taken: set[str]) -> str:
    """The name of a chart, numbered if another has it; then it is taken."""
    criterion, title = _word(made.criterion), _word(chart.title)
    whole = title if title.startswith(criterion) else f"{criterion}-{title}"
    plain = whole.strip("-") or "chart"
    numbered = (f"{plain}-{number}" for number in count(2))
    name = next(each for each in chain([plain], numbered) if each not in taken)
    taken.add(name)
    return name


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
    whole = all(float(x).is_integer() for line in chart.lines for x in line.x)
    # the full test set stands first
    across = Axis(title=chart.x_title, reverse=chart.x_title.startswith("%"), whole=whole)
    rows = [
        (line.name, f"{x:,.0f}" if whole else fixed(x, 3), fixed(y, 3))
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


def chart_format(path: Path | str) -> str:
    """The format that a file's name asks for."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in CHART_FORMATS:
        wanted = f"a file that ends in {', '.join(CHART_FORMATS[:-1])} or {CHART_FORMATS[-1]}"
        raise BadParameter("--plot", "file", str(path), wanted)
    return ending


def write_charts(charts: Sequence[Chart | HeatMap], path: Path, kind: str, title: str = "") -> None:
    """Draw all charts into one file; the same charts give the same bytes."""
    if not charts:
        raise TooFew("a chart", "curves", 1, 0)
    figure = draw(charts)
    if kind == "html":
        text = StringIO()
        figure.write(text, "svg")
        path.write_text(_page(text.getvalue(), title), encoding="utf-8")
    else:
        figure.write(path, kind)


def draw(charts: Sequence[Chart | HeatMap]) -> Any:
    """The charts as one figure of matplotlib."""
    plots = [as_plot(chart, f"chart-{number}") for number, chart in enumerate(charts, start=1)]
    columns = min(_COLUMNS, len(plots))
    rows = -(-len(plots) // columns)
    least = max((_side_of(chart) for chart in charts if isinstance(chart, HeatMap)), default=0.0)
    figure = new_figure(max(_CHART_WIDTH, least) * columns, max(_HEIGHT, least) * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, plot in zip(panels, plots, strict=False):
        _draw(plot, panel)
    for panel in panels[len(plots) :]:
        panel.set_axis_off()
    return figure


def _side_of(chart: HeatMap) -> float:
    """The inches that a side of the picture needs for its labels not to overlap."""
    return 2.2 + 0.26 * max(len(chart.rows), len(chart.columns))


def _draw(plot: Plot, on: Any) -> None:
    [panel] = plot.panels
    draw_panel(panel, on)
    on.set_title(plain(plot.title), fontsize=10)
    handles, labels = on.get_legend_handles_labels()
    if labels:
        columns = -(-len(labels) // _LEGEND_ROWS)
        on.legend(handles, labels, fontsize="x-small", ncols=columns).set_in_layout(False)


def _page(svg: str, title: str) -> str:
    drawing = svg[svg.index("<svg") :]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<p>{escape(title)}</p>\n{drawing}</html>\n"
    )
