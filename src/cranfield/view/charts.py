"""Charts as files: lines or colours, one panel per chart, in the format of the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, MissingLibrary, TooFew
from cranfield.validity.assessment import Chart, HeatMap
from cranfield.view.heat_maps import draw_heat_map, plain, side_of

FORMATS = ("svg", "html", "png", "pdf")
_WIDTH, _HEIGHT, _COLUMNS = 6.0, 4.2, 2
_LEGEND_ROWS = 20
_MARKS = "osv^D*Pxh<>"


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
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "cranfield", "svg.fonttype": "none"}):
        if kind == "html":
            text = StringIO()
            figure.savefig(text, format="svg", metadata={"Date": None})
            path.write_text(_page(text.getvalue(), title), encoding="utf-8")
        else:
            undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
            figure.savefig(path, format=kind, dpi=150, metadata=undated)


def draw(charts: Sequence[Chart | HeatMap]) -> Any:
    """The charts as one figure of matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingLibrary("a chart", "matplotlib") from None
    columns = min(_COLUMNS, len(charts))
    rows = -(-len(charts) // columns)
    least = max((side_of(chart) for chart in charts if isinstance(chart, HeatMap)), default=0.0)
    size = max(_WIDTH, least) * columns, max(_HEIGHT, least) * rows
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, chart in zip(panels, charts, strict=False):
        if isinstance(chart, HeatMap):
            draw_heat_map(panel, chart)
        else:
            _draw_lines(panel, chart)
    for panel in panels[len(charts) :]:
        panel.set_axis_off()
    return figure


def _draw_lines(panel: Any, chart: Chart) -> None:
    for number, line in enumerate(chart.lines):
        mark = _MARKS[number % len(_MARKS)]
        panel.plot(line.x, line.y, marker=mark, markersize=3, linewidth=1, label=plain(line.name))
    panel.set(title=plain(chart.title), xlabel=chart.x_title, ylabel=chart.y_title)
    if chart.x_title.startswith("%"):
        panel.invert_xaxis()  # the full test set stands first
    panel.grid(visible=True, alpha=0.3)
    columns = -(-len(chart.lines) // _LEGEND_ROWS)
    panel.legend(fontsize="x-small", ncols=columns).set_in_layout(False)


def _page(svg: str, title: str) -> str:
    drawing = svg[svg.index("<svg") :]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<p>{escape(title)}</p>\n{drawing}</html>\n"
    )
