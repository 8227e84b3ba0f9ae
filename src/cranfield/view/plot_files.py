"""Plots as files for papers, drawn by matplotlib from the same definition as the page's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from warnings import catch_warnings, filterwarnings

from cranfield.base.errors import BadParameter, MissingLibrary
from cranfield.base.files import writing
from cranfield.view.charts.file_marks import draw_mark, plain
from cranfield.view.charts.plot import Axis, Panel, Plot, extent, legend

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


def draw_panel(panel: Panel, on: Any) -> None:
    """One panel on axes of matplotlib."""
    for mark in panel.marks:
        draw_mark(mark, on)
    on.grid(visible=True, alpha=0.25, linewidth=0.6)
    on.set_axisbelow(True)
    on.spines[["top", "right"]].set_visible(False)
    on.tick_params(labelsize=8)
    _set_side(panel, on, "x")
    _set_side(panel, on, "y")


def _set_side(panel: Panel, on: Any, side: Literal["x", "y"]) -> None:
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
