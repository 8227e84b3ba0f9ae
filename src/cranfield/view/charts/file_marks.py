"""Marks as matplotlib draws them, in the colours of the page."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from cranfield.view.charts.plot import (
    AHEAD,
    BEHIND,
    HUES,
    QUIET,
    Bars,
    Columns,
    Heat,
    Hue,
    Mark,
    Points,
    Polyline,
    Rule,
)
from cranfield.view.tables.terminal import printable

_COLOURS = (
    "#1f5a8a", "#b3471d", "#1c7a5b", "#7b4ea3", "#8a6a00", "#a8326b", "#2a7f8f", "#5f6570",
)  # fmt: skip
_MEANINGS = {QUIET: "#7d8592", AHEAD: _COLOURS[0], BEHIND: _COLOURS[1]}
_SHAPES = {"dot": "o", "ring": "o", "bar": "|", "cross": "x"}
_MARKERS = "osv^D*Pxh<>"
_MANY = 150
"""More points than that are drawn small."""
_FULL = 0.56
"""The share from which a cell is so dark that its text must be light."""


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
