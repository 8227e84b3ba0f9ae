"""Plots as SVG for the page: themed by its style sheet, drawn for one width."""

from __future__ import annotations

from math import inf
from unicodedata import east_asian_width

from cranfield.base.dataclass import dataclass
from cranfield.view.charts.plot import (
    Axis,
    Heat,
    Mark,
    Plot,
    PlotPanel,
    Points,
    Rule,
    direct_labels,
    legend,
)
from cranfield.view.charts.scale import AxisScale, scale_of, tick_text, ticks
from cranfield.view.charts.svg_marks import Frame, draw_mark, hue_class, sample
from cranfield.view.markup import Markup, element, joined

_LETTER, _LINE = 7.0, 16.0
"""Width of a common letter and height of a line of text, in pixels, by the broadest usual font."""
_SLIM, _BROAD = frozenset("ijlftrI.,:;|!()[]/' -"), frozenset("mwMW@%—…−+=<>≤≥→")
_TOP, _RIGHT, _BETWEEN = 8.0, 10.0, 14.0
_TITLE = 24.0
_APART = 13.0
"""The least distance of two names of lines."""


def svg(plot: Plot, width: float, *, kind: str = "") -> Markup:
    """The picture for a width in pixels, with its title and description for all readers."""
    left = min(max(map(_left_margin, plot.panels)), 0.42 * width)
    entries, top = _legend(plot, width)
    parts: list[Markup] = [entries] if entries else []
    for panel in plot.panels:
        top += _TITLE if panel.y.title else 0.0
        frame = _frame(panel, left, width - _right_margin(panel, width), top)
        bottom = _Bottom.of(panel, frame)
        parts += [_axes(panel, frame, bottom)]
        parts += [draw_mark(mark, frame) for mark in panel.marks]
        parts += _line_names(panel, frame, width)
        top += panel.height + bottom.height + _BETWEEN
    names = f"{plot.name}-{kind or 'chart'}"
    return element(
        "svg",
        element("title", plot.title, id=f"{names}-title"),
        element("desc", plot.description, id=f"{names}-desc"),
        *parts,
        class_=f"chart {kind}".strip(),
        viewBox=f"0 0 {width:.0f} {top - _BETWEEN + 4:.0f}",
        width=f"{width:.0f}",
        height=f"{top - _BETWEEN + 4:.0f}",
        role="img",
        aria_labelledby=f"{names}-title",
        aria_describedby=f"{names}-desc",
        focusable="false",
    )


def text_width(text: str) -> float:
    """About how wide a text is, in pixels."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in _SLIM:
        return 0.58 * _LETTER
    if letter in _BROAD:
        return 1.55 * _LETTER
    if east_asian_width(letter) in "WF":
        return 2 * _LETTER
    return 1.16 * _LETTER if letter.isupper() else _LETTER


def shortened(text: str, room: float) -> str:
    """A text that fits into a width in pixels, cut in the middle where it must be."""
    if text_width(text) <= room:
        return text
    keep = max(3, int(len(text) * room / text_width(text)) - 2)
    front = -(-keep * 2 // 3)
    return f"{text[:front]}…{text[len(text) - (keep - front) :]}"


def _frame(panel: PlotPanel, left: float, right: float, top: float) -> Frame:
    down = bool(panel.y.labels)  # named rows are read from the top
    ends = (top, top + panel.height) if down else (top + panel.height, top)
    return Frame(
        scale_of(panel, "x", left, right), scale_of(panel, "y", *ends), left, right, top,
        top + panel.height,
    )  # fmt: skip


def _left_margin(panel: PlotPanel) -> float:
    if panel.y.labels:
        return 14 + max(text_width(label) for label in panel.y.labels)
    scale = scale_of(panel, "y", 0.0, panel.height)
    found = _ticks(panel.y, scale, panel.height / 44)
    return 14 + max((text_width(shown) for _, shown in found), default=20.0)


def _right_margin(panel: PlotPanel, width: float) -> float:
    """Room for the names of lines, as much as the longest needs but no more than a third."""
    names = [line.name for line, _, _ in direct_labels(panel)]
    return min(max((16 + text_width(name) for name in names), default=_RIGHT), 0.34 * width)


def _line_names(panel: PlotPanel, frame: Frame, width: float) -> list[Markup]:
    """The names of lines at their ends, pushed apart where they would overlap."""
    ends = [(frame.y(y), line) for line, _, y in direct_labels(panel)]
    parts, lowest = [], -inf
    for place, line in sorted(ends, key=lambda end: end[0]):
        lowest = max(place, lowest + _APART)
        cut = shortened(line.name, width - frame.right - 10)
        label = element("text", cut, class_="name", x=frame.right + 8, y=lowest + 4)
        parts.append(element("g", label, class_=hue_class(line), aria_hidden="true"))
    return parts


def _ticks(axis: Axis, scale: AxisScale, count: float) -> list[tuple[float, str]]:
    if axis.labels:
        return [(float(place), label) for place, label in enumerate(axis.labels)]
    found = ticks(scale, max(2, int(count)), whole=axis.whole)
    return [(value, tick_text(value, found, percent=axis.percent)) for value in found]


@dataclass(frozen=True)
class _Bottom:
    """What stands under a panel: tick texts, level or slanted, and the title of x."""

    entries: list[tuple[float, str]]
    slanted: bool
    height: float

    @classmethod
    def of(cls, panel: PlotPanel, frame: Frame) -> _Bottom:
        room = frame.right - frame.left
        entries = _ticks(panel.x, frame.x, room / 64)
        if panel.x.bare:
            entries = []
        widest = max((text_width(shown) for _, shown in entries), default=0.0)
        slanted = bool(panel.x.labels) and widest > 0.95 * room / max(len(entries), 1)
        rows = (min(0.62 * widest, 110) + 14 if slanted else _LINE + 2) if entries else 0.0
        return cls(entries, slanted, rows + (_LINE + 2 if panel.x.title else 0.0))


def _axes(panel: PlotPanel, frame: Frame, bottom: _Bottom) -> Markup:
    figures = any(isinstance(mark, Heat) and mark.shown for mark in panel.marks)
    parts = [*_y_axis(panel.y, frame, lines=not figures), *_x_axis(panel, frame, bottom)]
    return element("g", *parts, class_="axes", aria_hidden="true")


def _y_axis(axis: Axis, frame: Frame, *, lines: bool) -> list[Markup]:
    """Ticks and the title, with lines across unless these would strike figures through."""
    parts = []
    if axis.title:
        parts.append(element("text", axis.title, class_="axis-title", x=0, y=frame.top - 13))
    for place, (value, shown) in enumerate(_ticks(axis, frame.y, (frame.bottom - frame.top) / 44)):
        y = frame.y(value)
        heading = place in axis.headings and bool(axis.labels)
        if lines and not heading:
            parts.append(_line(frame.left, y, frame.right, y, "grid"))
        cut = shortened(shown, frame.left - 10)
        full = (element("title", shown),) if cut != shown else ()
        where = {"x": 0.0 if heading else frame.left - 8, "y": y + 4}
        side = "heading" if heading else "tick end"
        parts.append(element("text", cut, *full, class_=side, **where))
    return parts


def _x_axis(panel: PlotPanel, frame: Frame, bottom: _Bottom) -> list[Markup]:
    parts = []
    for value, shown in bottom.entries:
        x = frame.x(value)
        if not panel.x.labels:
            parts.append(_line(x, frame.top, x, frame.bottom, "grid"))
        y = frame.bottom + _LINE
        if bottom.slanted:
            turned = f"rotate(-38 {x:.1f} {y:.1f})"
            cut = shortened(shown, 150)
            parts.append(element("text", cut, class_="tick end", x=x + 4, y=y, transform=turned))
        else:
            parts.append(element("text", shown, class_="tick middle", x=x, y=y))
    parts.append(_line(frame.left, frame.bottom, frame.right, frame.bottom, "base"))
    if panel.x.title:
        y = frame.bottom + bottom.height
        cut = shortened(panel.x.title, frame.right)
        parts.append(element("text", cut, class_="axis-title end", x=frame.right, y=y))
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return element("path", class_=kind, d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}")


def _legend(plot: Plot, width: float) -> tuple[Markup | None, float]:
    """The names of what is drawn, in rows, and the height that they take."""
    named = legend(plot)
    if not named or (len(named) == 1 and not isinstance(named[0][1], Rule | Points)):
        return None, _TOP
    x, y, parts = 0.0, _TOP + 6, []
    for name, mark in named:
        cut = shortened(name, width - 40)
        room = 26 + text_width(cut) + 16
        if x and x + room - 16 > width:
            x, y = 0.0, y + _LINE + 3
        parts.append(_entry(cut, mark, x, y))
        x += room
    return element("g", *parts, class_="legend", aria_hidden="true"), y + 16


def _entry(name: str, mark: Mark, x: float, y: float) -> Markup:
    label = element("text", name, class_="tick", x=x + 24, y=y + 4)
    return element("g", joined(sample(mark, x, y)), label, class_=hue_class(mark))
