"""Charts of assessments as one file: a panel per chart, in the format of the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, TooFew
from cranfield.validity.assessment import Chart, HeatMap
from cranfield.view.charts.assessment_plots import as_plot
from cranfield.view.charts.file_marks import plain
from cranfield.view.charts.plot import Plot
from cranfield.view.plot_files import draw_panel, new_figure, save

FORMATS = ("svg", "html", "png", "pdf")
_WIDTH, _HEIGHT, _COLUMNS = 6.0, 4.2, 2
_LEGEND_ROWS = 20


def chart_format(path: Path | str) -> str:
    """The format that a file's name asks for."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        wanted = f"a file that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        raise BadParameter("--plot", "file", str(path), wanted)
    return ending


def write_charts(charts: Sequence[Chart | HeatMap], path: Path, kind: str, title: str = "") -> None:
    """Draw all charts into one file; the same charts give the same bytes."""
    if not charts:
        raise TooFew("a chart", "curves", 1, 0)
    figure = draw(charts)
    if kind == "html":
        text = StringIO()
        save(figure, text, "svg")
        path.write_text(_page(text.getvalue(), title), encoding="utf-8")
    else:
        save(figure, path, kind)


def draw(charts: Sequence[Chart | HeatMap]) -> Any:
    """The charts as one figure of matplotlib."""
    plots = [as_plot(chart, f"chart-{number}") for number, chart in enumerate(charts, start=1)]
    columns = min(_COLUMNS, len(plots))
    rows = -(-len(plots) // columns)
    least = max((_side_of(chart) for chart in charts if isinstance(chart, HeatMap)), default=0.0)
    figure = new_figure(max(_WIDTH, least) * columns, max(_HEIGHT, least) * rows)
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
