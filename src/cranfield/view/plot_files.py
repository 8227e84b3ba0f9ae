"""Plots as files for papers, drawn by matplotlib from the same definition as the page's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, MissingLibrary
from cranfield.base.files import writing
from cranfield.view.plot import (
    AHEAD,
    BEHIND,
    QUIET,
    Axis,
    Bars,
    Columns,
    Heat,
    Line,
    Mark,
    Panel,
    Plot,
    Points,
    Rule,
    extent,
    legend,
)

FORMATS = ("svg", "png", "pdf")
_INCH = 110.0
"""Pixels of the page that make an inch of a file."""
_WIDTH = 6.4
_COLOURS = (
    "#1f5a8a", "#b3471d", "#1c7a5b", "#7b4ea3", "#8a6a00", "#a8326b", "#2a7f8f", "#5f6570",
)  # fmt: skip
_MEANINGS = {QUIET: "#7d8592", AHEAD: _COLOURS[0], BEHIND: _COLOURS[1]}
_SHAPES = {"dot": "o", "ring": "o", "bar": "|", "cross": "x"}
_MANY = 150


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
    from matplotlib import rc_context

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with (
        rc_context({"svg.hashsalt": "cranfield", "svg.fonttype": "none", "pdf.fonttype": 42}),
        writing(path) as aside,
    ):
        figure.savefig(aside, format=kind, dpi=200, metadata=undated)
    return path


def draw_plot(plot: Plot) -> Any:
    """The plot as a figure of matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingLibrary("a chart", "matplotlib") from None
    heights = [panel.height / _INCH for panel in plot.panels]
    rows = -(-len(legend(plot)) // 2)
    size = (_WIDTH, sum(heights) + 0.6 * len(heights) + 0.3 + 0.2 * rows)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(plot.panels), 1, squeeze=False, height_ratios=heights).ravel()
    for panel, on in zip(plot.panels, axes, strict=True):
        _draw_panel(panel, on)
    _draw_legend(plot, figure, axes)
    figure.suptitle(plain(plot.title), fontsize=10)
    return figure


def plain(text: str) -> str:
    """Text in which nothing is read as a formula."""
    return text.replace("$", r"\$")


def colour(hue: int) -> str:
    """The colour of a series or of a meaning."""
    return _MEANINGS.get(hue, _COLOURS[hue % len(_COLOURS)])


def _draw_panel(panel: Panel, on: Any) -> None:
    for mark in panel.marks:
        _draw(mark, on)
    on.grid(visible=True, alpha=0.25, linewidth=0.6)
    on.set_axisbelow(True)
    on.spines[["top", "right"]].set_visible(False)
    on.tick_params(labelsize=8)
    _set_side(panel, on, "x")
    _set_side(panel, on, "y")


def _set_side(panel: Panel, on: Any, side: str) -> None:
    axis: Axis = getattr(panel, side)
    low, high = extent(panel, side)  # type: ignore[arg-type]
    low = low if axis.labels or axis.low is not None else low - 0.03 * (high - low)
    high = high if axis.labels or axis.high is not None else high + 0.03 * (high - low)
    downwards = axis.reverse != (side == "y" and bool(axis.labels))
    limits = (high, low) if downwards else (low, high)
    getattr(on, f"set_{side}lim")(*limits)
    getattr(on, f"set_{side}label")(plain(axis.title), fontsize=8)
    if axis.labels:
        shown = [plain(label) for label in axis.labels]
        getattr(on, f"set_{side}ticks")(range(len(shown)), shown)
        names = getattr(on, f"get_{side}ticklabels")()
        for place in axis.headings:
            names[place].set_fontweight("bold")
        if side == "x" and sum(map(len, shown)) > 60:
            on.tick_params(axis="x", rotation=35)
    if axis.percent:
        from matplotlib.ticker import PercentFormatter

        getattr(on, f"{side}axis").set_major_formatter(PercentFormatter(xmax=1.0, decimals=0))


def _draw(mark: Mark, on: Any) -> None:
    match mark:
        case Rule():
            across = on.axvline if mark.along == "x" else on.axhline
            across(
                mark.at, color="#444444", linewidth=0.9, linestyle=(0, (4, 3)), label=_label(mark)
            )
        case Line():
            few = mark.dots and len(mark.x) <= _MANY
            style = {"linestyle": "--" if mark.dashed else "-", "marker": "o" if few else None}
            on.plot(
                mark.x,
                mark.y,
                color=colour(mark.hue),
                label=_label(mark),
                linewidth=1.2,
                markersize=3,
                **style,
            )
        case Points():
            _draw_points(mark, on)
        case Bars():
            widths = [end - start for start, end in zip(mark.start, mark.end, strict=True)]
            on.barh(
                mark.y,
                widths,
                mark.thickness,
                mark.start,
                color=colour(mark.hue),
                label=_label(mark),
                alpha=0.45 if mark.faint else 1.0,
            )
        case Columns():
            wide = [b - a for a, b in zip(mark.edges, mark.edges[1:], strict=False)]
            on.bar(
                mark.edges[:-1],
                mark.heights,
                wide,
                align="edge",
                color=colour(mark.hue),
                label=_label(mark),
                edgecolor="white",
                linewidth=0.5,
            )
        case Heat():
            _draw_heat(mark, on)


def _draw_points(mark: Points, on: Any) -> None:
    shade = colour(mark.hue)
    if mark.low:
        on.hlines(mark.y, mark.low, mark.high, color=shade, linewidth=1.4)
    many = len(mark.x) > _MANY
    face = (
        {"facecolors": "white", "edgecolors": shade} if mark.shape == "ring" else {"color": shade}
    )
    size = 3 if many else 60 if mark.shape == "bar" else 22
    on.scatter(
        mark.x,
        mark.y,
        s=size,
        marker=_SHAPES[mark.shape],
        label=_label(mark),
        zorder=3,
        rasterized=many,
        **face,
    )


def _draw_heat(mark: Heat, on: Any) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    columns = max(map(len, mark.cells))
    box = (mark.start, mark.start + mark.width * columns, len(mark.cells) - 0.5, -0.5)
    shades = LinearSegmentedColormap.from_list("share", ["#ffffff00", colour(mark.hue)])
    on.imshow(
        mark.cells,
        extent=box,
        aspect="auto",
        cmap=shades,
        vmin=0,
        vmax=1,
        interpolation="nearest",
        zorder=2,
    )
    for row, cells in enumerate(mark.shown):
        for column, shown in enumerate(cells):
            at = mark.start + (column + 0.5) * mark.width
            on.text(at, row, plain(shown), ha="center", va="center", fontsize=7, zorder=4)


def _label(mark: Mark) -> str | None:
    return plain(mark.name) if mark.name else None


def _draw_legend(plot: Plot, figure: Any, axes: Any) -> None:
    found: dict[str, Any] = {}
    for on in axes:
        handles, labels = on.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    if len(found) > 1 or (found and len(plot.panels) > 1):
        figure.legend(
            found.values(),
            found.keys(),
            loc="outside lower center",
            ncols=2,
            fontsize=8,
            frameon=False,
        )
