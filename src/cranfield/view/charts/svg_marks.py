"""Marks as SVG: few ones with their own elements, many as one path."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite, isnan

from cranfield.base.dataclass import dataclass
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
from cranfield.view.charts.scale import AxisScale
from cranfield.view.markup import Markup, element, joined

_MANY = 150
"""More points than that are drawn small and as one path."""
_LEVELS = 8
_ROOM = 34.0
"""The width from which a number fits into a cell, in pixels."""


@dataclass(frozen=True)
class Frame:
    """Where a panel is on the picture, and where its values are."""

    x: AxisScale
    y: AxisScale
    left: float
    right: float
    top: float
    bottom: float


def hue_class(mark: Mark) -> str:
    """The class by which the style sheet colours a mark."""
    if isinstance(mark, Rule):
        return "rule"
    return _class_of(mark.hue)


def _class_of(hue: Hue) -> str:
    named = {QUIET: "quiet", AHEAD: "ahead", BEHIND: "behind"}
    return named.get(hue, f"s{hue % HUES}")


def draw_mark(mark: Mark, frame: Frame) -> Markup:
    """A mark within its frame."""
    match mark:
        case Polyline():
            drawn = _line(mark, frame)
        case Points():
            drawn = _points(mark, frame)
        case Bars():
            drawn = _bars(mark, frame)
        case Columns():
            drawn = _columns(mark, frame)
        case Heat():
            drawn = _heat(mark, frame)
        case Rule():
            drawn = _rule(mark, frame)
    if isinstance(mark, Heat):
        return element("g", *drawn)  # each cell has its colour; figures in them have that of text
    return element("g", *drawn, class_=hue_class(mark))


def sample(mark: Mark, x: float, y: float) -> Markup:
    """A small picture of a mark, for the legend."""
    stroke = f"M{x:.1f} {y:.1f}h18"
    match mark:
        case Rule():
            return element("path", d=stroke, class_="dashed stroke")
        case Polyline():
            return element("path", d=stroke, class_="stroke dashed" if mark.dashed else "stroke")
        case Points():
            return joined(*_few_points(mark.shape, [(x + 9, y)]))
        case Bars():
            kind = "fill faint" if mark.faint else "fill"
            return element("rect", class_=kind, x=x + 3, y=y - 5, width=12, height=10, rx="2")
        case _:
            return element("rect", class_="fill", x=x + 3, y=y - 5, width=12, height=10, rx="2")


def _line(mark: Polyline, frame: Frame) -> list[Markup]:
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(mark.x, mark.y, strict=True):
        if isfinite(x) and isfinite(y):
            pieces[-1].append((frame.x(x), frame.y(y)))
        elif pieces[-1]:
            pieces.append([])
    path = "".join(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in piece) for piece in pieces if piece
    )
    drawn = [element("path", d=path, class_="stroke dashed" if mark.dashed else "stroke")]
    places = [place for piece in pieces for place in piece]
    if mark.dots and len(places) <= _MANY:
        drawn += _few_points("dot", places)
    return drawn


def _points(mark: Points, frame: Frame) -> list[Markup]:
    drawn = []
    if mark.low:
        spans = zip(mark.low, mark.high, mark.y, strict=True)
        path = "".join(
            f"M{frame.x(low):.1f} {frame.y(y):.1f}H{frame.x(high):.1f}"
            for low, high, y in spans
            if isfinite(low) and isfinite(high)
        )
        drawn.append(element("path", d=path, class_="stroke interval"))
    places = [
        (frame.x(x), frame.y(y)) for x, y in zip(mark.x, mark.y, strict=True) if isfinite(x + y)
    ]
    many = mark.small or len(places) > _MANY
    return [*drawn, *(_many(places) if many else _few_points(mark.shape, places))]


def _few_points(shape: str, places: Iterable[tuple[float, float]]) -> list[Markup]:
    if shape == "bar":
        path = "".join(f"M{x:.1f} {y:.1f}v-6m0 6v6" for x, y in places)
        return [element("path", d=path, class_="stroke heavy")]
    kind = "ring" if shape == "ring" else "dot"
    return [element("circle", class_=kind, cx=x, cy=y, r="4") for x, y in places]


def _many(places: list[tuple[float, float]]) -> list[Markup]:
    """Points that are too many to distinguish: each place to half a pixel once, one path."""
    apart = dict.fromkeys((round(2 * x) / 2, round(2 * y) / 2) for x, y in places)
    path = "".join(f"M{x:g} {y:g}h.01" for x, y in apart)
    return [element("path", d=path, class_="specks")]


def _bars(mark: Bars, frame: Frame) -> list[Markup]:
    high = abs(frame.y(mark.thickness) - frame.y(0))
    kind = "fill faint" if mark.faint else "fill"
    drawn = []
    for y, start, end in zip(mark.y, mark.start, mark.end, strict=True):
        if isfinite(start) and isfinite(end):
            left, right = sorted((frame.x(start), frame.x(end)))
            where = {"x": left, "y": frame.y(y) - high / 2, "width": max(right - left, 1.0)}
            drawn.append(element("rect", class_=kind, height=high, rx="2", **where))
    return drawn


def _columns(mark: Columns, frame: Frame) -> list[Markup]:
    drawn, floor = [], frame.y(0)
    for left, right, height in zip(mark.edges, mark.edges[1:], mark.heights, strict=False):
        if height > 0:
            x, top = frame.x(left), frame.y(height)
            wide = max(frame.x(right) - x - 1, 0.5)
            where = {"x": x + 0.5, "y": top, "width": wide, "height": floor - top}
            drawn.append(element("rect", class_="fill", **where))
    return drawn


def _heat(mark: Heat, frame: Frame) -> list[Markup]:
    """Cells by how full they are: one path per level, which the style sheet makes fainter."""
    wide = frame.x(mark.start + mark.width) - frame.x(mark.start)
    high = abs(frame.y(1) - frame.y(0))
    gap = 1.0 if wide > 6 else 0.0
    most = _LEVELS // 2 if mark.shown else _LEVELS  # text must stay readable on it
    levels: dict[tuple[Hue, int], list[str]] = {}
    for row, cells in enumerate(mark.cells):
        for column, value in enumerate(cells):
            if isnan(value) or value == 0:
                continue
            x, y = frame.x(mark.start + column * mark.width), frame.y(row) - high / 2
            level = max(1, round(most * min(abs(value), 1.0)))
            box = f"M{x:.1f} {y + 1:.1f}h{wide - gap:.2f}v{high - 2:.1f}h{-(wide - gap):.2f}z"
            levels.setdefault((mark.hue if value > 0 else mark.opposite, level), []).append(box)
    paths = [
        element("path", d="".join(boxes), class_=f"{_class_of(hue)} fill l{level}")
        for (hue, level), boxes in sorted(levels.items())
    ]
    return [*paths, *(_cell_texts(mark, frame) if wide > _ROOM else [])]


def _cell_texts(mark: Heat, frame: Frame) -> list[Markup]:
    return [
        element(
            "text",
            said,
            class_="middle",
            x=frame.x(mark.start + (column + 0.5) * mark.width),
            y=frame.y(row) + 4,
        )
        for row, shown in enumerate(mark.shown)
        for column, said in enumerate(shown)
    ]


def _rule(mark: Rule, frame: Frame) -> list[Markup]:
    if mark.along == "x":
        path = f"M{frame.x(mark.at):.1f} {frame.top:.1f}V{frame.bottom:.1f}"
    else:
        path = f"M{frame.left:.1f} {frame.y(mark.at):.1f}H{frame.right:.1f}"
    return [element("path", d=path, class_="stroke dashed" if mark.name else "stroke thin")]
