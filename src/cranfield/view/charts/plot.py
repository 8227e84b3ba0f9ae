"""Plot: what a chart shows, on the page and in a file for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import isfinite
from typing import Literal

from cranfield.base.dataclass import dataclass

Hue = int
"""The colour of a series: its number, or one of the meanings below."""

HUES = 8
"""Colours of series; more series than that repeat them."""

QUIET, AHEAD, BEHIND = -1, -2, -3
"""What stays in the background; where the first is significantly ahead; where the second is."""

Shape = Literal["dot", "ring", "bar"]
"""How a point looks: filled, open, or a short vertical bar."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One side of a panel.

    With ``labels``, places 0, 1, 2, … are named, and those in ``headings`` head a group.
    The range follows from what is drawn, unless it is given. ``reverse`` puts the lowest
    value where the highest would be; a ``whole`` axis counts, and a ``bare`` one has no
    numbers, as the panel below has them.
    """

    title: str = ""
    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    headings: frozenset[int] = frozenset()
    reverse: bool = False
    percent: bool = False
    whole: bool = False
    bare: bool = False


@dataclass(frozen=True, kw_only=True)
class Polyline:
    """A line through points, with a dot at each unless there are too many.

    The name of a ``direct`` one stands at its end, not in the legend.
    """

    x: Sequence[float]
    y: Sequence[float]
    name: str = ""
    hue: Hue = 0
    dots: bool = True
    dashed: bool = False
    direct: bool = False


@dataclass(frozen=True, kw_only=True)
class Points:
    """Points, with intervals along x where ``low`` and ``high`` are given.

    ``small`` ones are among so many that they overlap.
    """

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    name: str = ""
    hue: Hue = 0
    shape: Shape = "dot"
    small: bool = False


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Horizontal bars from ``start`` to ``end``, each around its place on y."""

    y: Sequence[float]
    start: Sequence[float]
    end: Sequence[float]
    name: str = ""
    hue: Hue = 0
    thickness: float = 0.6
    faint: bool = False


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Columns that stand on 0, side by side: a histogram has ``heights`` between ``edges``."""

    edges: Sequence[float]
    heights: Sequence[float]
    name: str = ""
    hue: Hue = 0


@dataclass(frozen=True, kw_only=True)
class Heat:
    """A grid of shares from 0 (nothing) to 1 (full colour); NaN stays empty.

    Shares down to −1 are in the colour ``opposite``. ``cells[row][column]`` covers a unit
    of y around its row, and ``width`` of x from ``start`` on. With ``shown``, every cell
    carries that text where it fits.
    """

    cells: Sequence[Sequence[float]]
    start: float = -0.5
    width: float = 1.0
    name: str = ""
    hue: Hue = 0
    opposite: Hue = BEHIND
    shown: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A straight reference line across the panel, at a value of x or of y."""

    at: float
    along: Literal["x", "y"] = "x"
    name: str = ""


Mark = Polyline | Points | Bars | Columns | Heat | Rule


@dataclass(frozen=True, kw_only=True)
class PlotPanel:
    """One pair of axes and what is drawn between them; ``height`` is in pixels of the page."""

    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    marks: tuple[Mark, ...] = ()
    height: float = 260.0


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture: panels from top to bottom, and the same in words and as a table.

    ``name`` is that of its file. ``description`` says what there is to see, for those who
    cannot. ``rows`` under ``headings`` are the figures drawn, or a readable
    number of them.
    """

    name: str
    title: str
    description: str
    panels: tuple[PlotPanel, ...]
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    rows_note: str = ""


def extent(panel: PlotPanel, side: Literal["x", "y"]) -> tuple[float, float]:
    """The lowest and highest value that a panel shows along one side, never equal.

    Where all values are the same, none below 0 is shown unless they are.
    """
    axis: Axis = getattr(panel, side)
    if axis.labels:
        return -0.5, len(axis.labels) - 0.5
    known = [value for mark in panel.marks for value in _along(mark, side) if isfinite(value)]
    low = axis.low if axis.low is not None else min(known, default=0.0)
    high = axis.high if axis.high is not None else max(known, default=1.0)
    if low < high:
        return low, high
    return (max(low - 0.5, 0.0) if low >= 0 else low - 0.5), low + 0.5


def padded_extent(panel: PlotPanel, side: Literal["x", "y"]) -> tuple[float, float]:
    """The extent with a little air beyond what is drawn, where the axis sets no end."""
    axis: Axis = getattr(panel, side)
    low, high = extent(panel, side)
    air = 0.0 if axis.labels else 0.03 * (high - low)
    return low - (air if axis.low is None else 0), high + (air if axis.high is None else 0)


def _along(mark: Mark, side: str) -> list[float]:
    """The values of a mark along one side."""
    across = side == "x"
    match mark:
        case Polyline():
            return list(mark.x if across else mark.y)
        case Points():
            return [*mark.x, *mark.low, *mark.high] if across else list(mark.y)
        case Bars():
            half = mark.thickness / 2
            reach = [*(y - half for y in mark.y), *(y + half for y in mark.y)]
            return [*mark.start, *mark.end] if across else reach
        case Columns():
            return list(mark.edges) if across else [0.0, *mark.heights]
        case Heat():
            columns = max(map(len, mark.cells), default=0)
            ends = [mark.start, mark.start + mark.width * columns]
            return ends if across else [-0.5, len(mark.cells) - 0.5]
        case Rule():
            return [mark.at] if mark.along == side else []


def legend(plot: Plot) -> list[tuple[str, Mark]]:
    """The named marks of a plot, each name once, in the order of drawing."""
    named: dict[str, Mark] = {}
    for panel in plot.panels:
        for mark in panel.marks:
            if mark.name and not (isinstance(mark, Polyline) and mark.direct):
                named.setdefault(mark.name, mark)
    return list(named.items())


def direct_labels(panel: PlotPanel) -> list[tuple[Polyline, float, float]]:
    """The lines of a panel that carry their names, and where each one ends."""
    found = []
    for mark in panel.marks:
        if isinstance(mark, Polyline) and mark.direct:
            ends = [(x, y) for x, y in zip(mark.x, mark.y, strict=True) if isfinite(x + y)]
            if ends:
                found.append((mark, *ends[-1]))
    return found


def hues_of(systems: Sequence[str], first: str, second: str) -> tuple[Hue, Hue]:
    """The colours of two systems, as everywhere; two others where they would look the same."""
    one, two = systems.index(first), systems.index(second)
    return (one, two) if one % HUES != two % HUES else (AHEAD, BEHIND)


def rows_high(count: int) -> float:
    """The height of a panel with a number of named rows, in pixels."""
    return 26.0 * max(count, 2)
