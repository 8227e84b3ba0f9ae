"""Plots as files for papers, drawn by matplotlib in the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from cranfield.base.errors import BadParameter, MissingLibrary
from cranfield.base.files import writing
from cranfield.view.charts.plot import (
    AHEAD,
    BEHIND,
    HUES,
    QUIET,
    Axis,
    Bars,
    Columns,
    Heat,
    Hue,
    Mark,
    Plot,
    PlotPanel,
    Points,
    Polyline,
    Rule,
    legend,
    padded_extent,
)
from cranfield.view.tables.terminal import printable

FORMATS = ("svg", "png", "pdf")
_INCH = 110.0
"""Pixels of the page that make an inch of a file."""
_WIDTH = 6.4
_COLOURS = (
    "#1f5a8a", "#b3471d", "#1c7a5b", "#7b4ea3", "#8a6a00", "#a8326b", "#2a7f8f", "#5f6570",
)  # fmt: skip
_MEANINGS = {QUIET: "#7d8592", AHEAD: _COLOURS[0], BEHIND: _COLOURS[1]}
_SHAPES = {"dot": "o", "ring": "o", "bar": "|"}
_MARKERS = "osv^D*Pxh<>"
_MANY = 150
"""More points than that are drawn small."""
_FULL = 0.56
"""The share from which a cell is so dark that its text must be light."""


def refuse_undrawable(formats: Sequence[str]) -> None:
    """Refuse formats that are not known, or that lack the library that draws them."""
    for kind in formats:
        if kind not in FORMATS:
            raise BadParameter("charts", "format", kind, f"one of {', '.join(FORMATS)}")
    if formats and find_spec("matplotlib") is None:
        raise MissingLibrary("--charts", "matplotlib")


def write_plots(plots: Mapping[str, Plot], folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every plot in every format; the same plots give the same bytes."""
    refuse_undrawable(formats)
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
        figure.write(aside, kind)
    return path


def new_figure(width: float, height: float) -> Any:
    """An empty figure of matplotlib; sizes are in inches."""
    try:
        from cranfield.view.charts.figure import ChartFigure
    except ImportError:
        raise MissingLibrary("a chart", "matplotlib") from None
    return ChartFigure(figsize=(width, height), layout="constrained")


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
    low, high = padded_extent(panel, side)
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


def colour(hue: Hue) -> str:
    """The colour of a series or of a meaning."""
    return _MEANINGS.get(hue, _COLOURS[hue % HUES])


def plain(text: str) -> str:
    """Text in which nothing is read as a formula, nor as a name that a legend leaves out."""
    shown = printable(text).replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def draw_mark(mark: Mark, on: Any) -> None:
    """A mark on axes of matplotlib, which its legend names."""
    label = plain(mark.name) if mark.name else None
    match mark:
        case Rule():
            across = on.axvline if mark.along == "x" else on.axhline
            style: Any = (0, (4, 3)) if mark.name else "-"
            across(mark.at, color="#444444", linewidth=0.9, linestyle=style, label=label)
        case Polyline():
            _draw_line(mark, on, label)
        case Points():
            _draw_points(mark, on, label)
        case Bars():
            widths = [end - start for start, end in zip(mark.start, mark.end, strict=True)]
            look = {"color": colour(mark.hue), "alpha": 0.45 if mark.faint else 1.0}
            on.barh(mark.y, widths, mark.thickness, mark.start, label=label, **look)
        case Columns():
            widths = [right - left for left, right in pairwise(mark.edges)]
            look = {"color": colour(mark.hue), "edgecolor": "white", "linewidth": 0.5}
            on.bar(mark.edges[:-1], mark.heights, widths, align="edge", label=label, **look)
        case Heat():
            _draw_heat(mark, on)


def _draw_line(mark: Polyline, on: Any, label: str | None) -> None:
    few = mark.dots and len(mark.x) <= _MANY
    marker = _MARKERS[max(mark.hue, 0) % len(_MARKERS)] if few else None
    look = {"color": colour(mark.hue), "linestyle": "--" if mark.dashed else "-", "linewidth": 1.2}
    named = None if mark.direct else label
    on.plot(mark.x, mark.y, marker=marker, markersize=3.5, label=named, **look)
    if mark.direct and label:
        where = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
        end = mark.x[-1], mark.y[-1]
        on.annotate(label, end, color=colour(mark.hue), annotation_clip=False, **where)


def _draw_points(mark: Points, on: Any, label: str | None) -> None:
    shade, many = colour(mark.hue), mark.small or len(mark.x) > _MANY
    if mark.low:
        on.hlines(mark.y, mark.low, mark.high, color=shade, linewidth=1.4)
    open_ = {"facecolors": "white", "edgecolors": shade}
    face = open_ if mark.shape == "ring" else {"color": shade}
    size = 3 if many else 60 if mark.shape == "bar" else 22
    look = {"s": size, "marker": _SHAPES[mark.shape], "zorder": 3, "rasterized": many}
    on.scatter(mark.x, mark.y, label=label, **look, **face)


def _draw_heat(mark: Heat, on: Any) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    columns = max(map(len, mark.cells))
    box = (mark.start, mark.start + mark.width * columns, len(mark.cells) - 0.5, -0.5)
    ends = [colour(mark.opposite), "#ffffff", colour(mark.hue)]
    shades = LinearSegmentedColormap.from_list("share", ends)
    look = {"cmap": shades, "vmin": -1, "vmax": 1, "interpolation": "nearest", "zorder": 2}
    on.imshow(mark.cells, extent=box, aspect="auto", **look)
    size = min(8.0, 80 / columns)
    for row, cells in enumerate(mark.shown):
        for column, shown in enumerate(cells):
            at = mark.start + (column + 0.5) * mark.width
            shade = "white" if abs(mark.cells[row][column]) > _FULL else "black"
            text = {"ha": "center", "va": "center", "fontsize": size, "color": shade, "zorder": 4}
            on.text(at, row, plain(shown), **text)
