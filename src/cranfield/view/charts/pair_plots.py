"""Plots of pairs of systems: their differences, and the p-values of all of them."""

from __future__ import annotations

from typing import Protocol

from cranfield.base.errors import counted
from cranfield.significance.comparison import Comparison
from cranfield.significance.pair import Pair
from cranfield.view.charts.plot import (
    QUIET,
    Axis,
    Plot,
    PlotPanel,
    Points,
    Polyline,
    Rule,
    rows_high,
)
from cranfield.view.names import Label
from cranfield.view.numbers import interval, p_value, signed
from cranfield.view.pairs import higher_first
from cranfield.view.prose import p_heading

_PAIRS = 30
"""Pairs of one metric that a chart shows: those that differ most."""


class ComparedContent(Protocol):
    """What charts of pairs need: an evaluation with a comparison, or a comparison alone."""

    @property
    def comparison(self) -> Comparison | None:
        """The tested differences, where there are several systems."""

    @property
    def label(self) -> Label:
        """How metrics are named for readers."""


def pair_plots(content: ComparedContent) -> list[Plot]:
    """For every metric, the difference of every pair with its interval."""
    if content.comparison is None:
        return []
    return [_pairs(content, metric) for metric in content.comparison.metrics]


def _pairs(content: ComparedContent, metric: str) -> Plot:
    """The pairs by one metric, the one that scores more first, largest differences on top."""
    assert content.comparison is not None
    pairs = [higher_first(pair) for pair in content.comparison.pairs if pair.metric == metric]
    most = sorted(pairs, key=lambda pair: -abs(pair.effect))[:_PAIRS]
    chosen = sorted(most, key=lambda pair: -pair.difference)
    sure = [pair for pair in chosen if pair.significant]
    unsure = [pair for pair in chosen if not pair.significant]
    groups = ((sure, 0, "significant"), (unsure, QUIET, "may be chance"))
    marks = [_forest(found, chosen, hue, name) for found, hue, name in groups if found]
    labels = tuple(f"{pair.first} − {pair.second}" for pair in chosen)
    certain = sum(pair.significant for pair in pairs)
    high = rows_high(len(chosen))
    return Plot(
        name=f"pairs-{content.comparison.metrics.index(metric) + 1}",
        title=f"{content.label(metric)}: differences between systems",
        description=f"{certain:,} of {counted(len(pairs), 'pair')} "
        f"{'differs' if certain == 1 else 'differ'} significantly by {content.label(metric)}. "
        "Lines are 95 % intervals of the difference.",
        panels=(PlotPanel(y=Axis(labels=labels), marks=(Rule(at=0.0), *marks), height=high),),
        headings=("pair", "difference", "95 % interval", p_heading(content.comparison.choice)),
        rows=tuple(map(_pair_row, chosen)),
        rows_note="" if len(chosen) == len(pairs) else f"The {_PAIRS} pairs that differ most.",
    )


def _pair_row(pair: Pair) -> tuple[str, ...]:
    name = f"{pair.first} − {pair.second}"
    span = interval(pair.low, pair.high, signed)
    return (name, signed(pair.difference), span, p_value(pair.adjusted))


def _forest(found: list[Pair], chosen: list[Pair], hue: int, name: str) -> Points:
    return Points(
        x=[pair.difference for pair in found],
        y=[chosen.index(pair) for pair in found],
        low=[pair.low for pair in found],
        high=[pair.high for pair in found],
        name=name,
        hue=hue,
        shape="ring" if hue == QUIET else "dot",
    )


def p_value_plot(content: ComparedContent) -> Plot | None:
    """The p-values of all pairs, largest first, a curve per metric."""
    comparison = content.comparison
    if comparison is None or len(comparison.systems) < 3:
        return None
    curves = {
        metric: sorted((p.p_value for p in comparison.pairs if p.metric == metric), reverse=True)
        for metric in comparison.metrics
    }
    marks = [
        Polyline(x=list(range(1, len(curve) + 1)), y=curve, name=content.label(metric), hue=number)
        for number, (metric, curve) in enumerate(curves.items())
    ]
    alpha = comparison.choice.alpha
    below = {metric: sum(p < alpha for p in curve) for metric, curve in curves.items()}
    return Plot(
        name="p-values",
        title="p-values of all pairs before correction, largest first",
        description="A metric whose curve lies lower tells more pairs apart. Below α: "
        + "; ".join(f"{content.label(m)} {n} of {len(curves[m])}" for m, n in below.items())
        + ".",
        panels=(
            PlotPanel(
                x=Axis(title="pairs", whole=True),
                y=Axis(title="p before correction", low=0.0, high=1.0),
                marks=(Rule(at=alpha, along="y", name=f"α = {alpha:g}"), *marks),
            ),
        ),
        headings=("pair, by p-value", *map(content.label, curves)),
        rows=tuple(
            (str(place + 1), *(p_value(curve[place]) for curve in curves.values()))
            for place in range(len(next(iter(curves.values()))))
        ),
    )
