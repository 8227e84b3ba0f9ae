"""Charts of assessments as one file: a panel per chart, in the format of the file's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from warnings import catch_warnings, filterwarnings

from cranfield.base.errors import BadParameter, MissingLibrary, TooFew
from cranfield.base.files import writing
from cranfield.validity.assessment import Chart, HeatMap
from cranfield.view.charts.assessment_plots import as_plot
from cranfield.view.charts.file_marks import draw_mark, plain
from cranfield.view.charts.plot import Axis, Plot, PlotPanel, extent, legend

FORMATS = ("svg", "png", "pdf")
_INCH = 110.0
"""Pixels of the page that make an inch of a file."""
_WIDTH = 6.4


def write_plots(plots: Mapping[str, Plot], folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every plot in every format; the same plots give the same bytes."""
    for kind in formats:
        if kind not in FORMATS:
            raise BadParameter("charts", "format", kind, f"one of {', '.join(FORMATS)}")
    if formats:
        folder.mkdir(parents=True, exist_ok=True)
    return [
        _write(plot, folder / f"{name}.{kind}", kind)
        for name, plot in plots.items()
        for kind in formats
    ]


def _write(plot: Plot, path: Path, kind: str) -> Path:
    figure = draw_plot(plot)
    with writing(path) as aside:
        save(figure, aside, kind)
    return path


def save(figure: Any, target: Any, kind: str) -> None:
    """Write a figure to a path or stream, without the date on which it was made.

    A letter that the font lacks is a box in the picture; nobody needs to be told as often as
    it is drawn.
    """
    from matplotlib import rc_context

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    settings: Any = {"svg.hashsalt": "cranfield", "svg.fonttype": "none", "pdf.fonttype": 42}
    with rc_context(settings), catch_warnings():
        filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(target, format=kind, dpi=200, metadata=undated)


def new_figure(width: float, height: float) -> Any:
    """An empty figure of matplotlib of some inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingLibrary("a chart", "matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")


def draw_plot(plot: Plot) -> Any:
    """The plot as a figure of matplotlib."""
    heights = [panel.height / _INCH for panel in plot.panels]
    rows = -(-len(legend(plot)) // 2)
    figure = new_figure(_WIDTH, sum(heights) + 0.6 * len(heights) + 0.3 + 0.2 * rows)
    axes = figure.subplots(len(plot.panels), 1, squeeze=False, height_ratios=heights).ravel()
    for panel, on in zip(plot.panels, axes, strict=True):
        draw_panel(panel, on)
    _draw_legend(figure, axes)
    figure.suptitle(plain(plot.title), fontsize=10)
    return figure


def draw_panel(panel: PlotPanel, on: Any) -> None:
    """One panel on axes of matplotlib."""
    for mark in panel.marks:
        draw_mark(mark, on)
    on.grid(visible=True, alpha=0.25, linewidth=0.6)
    on.set_axisbelow(True)
    on.spines[["top", "right"]].set_visible(False)
    on.tick_params(labelsize=8)
    _set_side(panel, on, "x")
    _set_side(panel, on, "y")


def _set_side(panel: PlotPanel, on: Any, side: Literal["x", "y"]) -> None:
    axis: Axis = getattr(panel, side)
    low, high = extent(panel, side)
    air = 0.03 * (high - low)
    low -= 0 if axis.labels or axis.low is not None else air
    high += 0 if axis.labels or axis.high is not None else air
    downwards = axis.reverse != (side == "y" and bool(axis.labels))
    getattr(on, f"set_{side}lim")(*((high, low) if downwards else (low, high)))
    getattr(on, f"set_{side}label")(plain(axis.title), fontsize=8)
    if axis.labels:
        _name_places(axis, on, side)
    elif axis.bare:
        on.tick_params(axis=side, labelbottom=False, labelleft=side == "x")
    elif axis.percent or axis.whole:
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        along = getattr(on, f"{side}axis")
        if axis.percent:
            along.set_major_formatter(PercentFormatter(xmax=1.0, decimals=0))
        if axis.whole:
            along.set_major_locator(MaxNLocator(integer=True))


def _name_places(axis: Axis, on: Any, side: str) -> None:
    shown = [plain(label) for label in axis.labels]
    getattr(on, f"set_{side}ticks")(range(len(shown)), shown)
    names = getattr(on, f"get_{side}ticklabels")()
    for place in axis.headings:
        names[place].set_fontweight("bold")
    if side == "x" and sum(map(len, shown)) > 60:
        on.tick_params(axis="x", rotation=90 if len(shown) > 12 else 35)


def _draw_legend(figure: Any, axes: Any) -> None:
    found: dict[str, Any] = {}
    for on in axes:
        handles, labels = on.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    if found:
        place = {"loc": "outside lower center", "ncols": 2, "fontsize": 8, "frameon": False}
        figure.legend(found.values(), found.keys(), **place)


CHART_FORMATS = ("svg", "html", "png", "pdf")
_CHART_WIDTH, _HEIGHT, _COLUMNS = 6.0, 4.2, 2
_LEGEND_ROWS = 20


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
