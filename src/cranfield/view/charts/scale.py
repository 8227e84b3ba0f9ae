"""AxisScale: from values to places along an axis, with round numbers to read it by."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.view.charts.plot import Axis, PlotPanel, padded_extent


@dataclass(frozen=True)
class AxisScale:
    """Values from ``low`` to ``high`` on places from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def scale_of(panel: PlotPanel, side: Literal["x", "y"], start: float, end: float) -> AxisScale:
    """The scale of one side of a panel, with a little air around what is measured."""
    axis: Axis = getattr(panel, side)
    if axis.reverse:
        start, end = end, start
    return AxisScale(*padded_extent(panel, side), start, end)


def ticks(scale: AxisScale, count: int, *, whole: bool = False) -> list[float]:
    """Round values within a scale, about ``count`` of them.

    >>> ticks(AxisScale(0, 1, 0, 100), 5)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    least = 1.0 if whole else 0.0
    span = max(least, _round_step((scale.high - scale.low) / max(count, 1)))
    first, last = ceil(scale.low / span - 1e-9), floor(scale.high / span + 1e-9)
    digits = max(0, -floor(log10(span)) + 1)
    return [round(number * span, digits) + 0.0 for number in range(first, last + 1)]


def _round_step(rough: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten from above."""
    power: float = 10.0 ** floor(log10(rough))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= rough * (1 - 1e-9))


def tick_text(value: float, values: list[float], *, percent: bool = False) -> str:
    """A tick as text, with the digits that distinguish it from the next ticks.

    >>> [tick_text(tick, [0.0, 0.05, 0.1]) for tick in (0.0, 0.05, 0.1)]
    ['0', '0.05', '0.10']
    >>> [tick_text(tick, [0.04, 0.04005]) for tick in (0.04, 0.04005)]
    ['0.04000', '0.04005']
    >>> [tick_text(tick, [1e6, 1.5e6]) for tick in (1e6, 1.5e6)]
    ['1.0e+06', '1.5e+06']
    """
    if percent:
        return f"{100 * value:.0f} %"
    if value == 0:
        return "0"
    gaps = [abs(b - a) for a, b in pairwise(values)]
    step = min(gaps, default=abs(value))
    tiny = step < 1e-4 and max(map(abs, values), default=0.0) < 1e-3
    if not isfinite(step) or tiny or abs(value) >= 1e6:
        digits = _power(value) - _power(step) if isfinite(step) else 0
        return f"{value:.{max(0, digits)}e}".replace("-", "−")
    digits = max(0, ceil(-log10(step) - 1e-9))
    return f"{value:,.{digits}f}".replace("-", "−")


def _power(value: float) -> int:
    """The power of ten of the first digit."""
    return floor(log10(abs(value)) + 1e-9)
