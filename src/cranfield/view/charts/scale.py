"""AxisScale: from values to places along an axis, with round numbers to read it by."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import Literal

from cranfield.view.charts.plot import Axis, PlotPanel, extent


@dataclass(frozen=True)
class AxisScale:
    """Values from ``low`` to ``high`` on places from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value; below the lowest on a logarithmic scale is the lowest."""
        if self.log:
            bounded = max(value, self.low)
            share = log10(bounded / self.low) / log10(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def scale_of(panel: PlotPanel, side: Literal["x", "y"], start: float, end: float) -> AxisScale:
    """The scale of one side of a panel, with a little air around what is measured."""
    axis: Axis = getattr(panel, side)
    low, high = extent(panel, side)
    if not axis.labels and not axis.log:
        air = 0.03 * (high - low)
        low = low if axis.low is not None else low - air
        high = high if axis.high is not None else high + air
    if axis.reverse:
        start, end = end, start
    return AxisScale(low, high, start, end, axis.log)


def ticks(scale: AxisScale, count: int, *, whole: bool = False) -> list[float]:
    """About so many round values within a scale.

    >>> ticks(AxisScale(0, 1, 0, 100), 5)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks(AxisScale(0.0004, 1, 0, 100, log=True), 5)
    [0.001, 0.01, 0.1, 1.0]
    """
    if scale.log:
        first, last = ceil(log10(scale.low) - 1e-9), floor(log10(scale.high) + 1e-9)
        step = max(1, ceil((last - first) / max(count, 1)))
        return [10.0**power for power in range(first, last + 1, step)]
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
    """A tick as text, with the digits that tell it from its neighbours.

    >>> [tick_text(tick, [0.0, 0.05, 0.1]) for tick in (0.0, 0.05, 0.1)]
    ['0', '0.05', '0.10']
    """
    if percent:
        return f"{100 * value:.0f} %"
    if value == 0:
        return "0"
    gaps = [abs(b - a) for a, b in pairwise(values)]
    step = min(gaps, default=abs(value))
    if not isfinite(step) or step < 1e-4 or abs(value) >= 1e6:
        return f"{value:.0e}".replace("-", "−")
    digits = max(0, ceil(-log10(step) - 1e-9))
    return f"{value:,.{digits}f}".replace("-", "−")
