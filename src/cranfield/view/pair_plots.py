"""Plots of pairs of systems: their differences, and the p-values of all of them."""

from __future__ import annotations

from cranfield.significance.comparison import Pair
from cranfield.view.numbers import p_value, signed
from cranfield.view.plot import (
    AHEAD,
    BEHIND,
    QUIET,
    Axis,
    Line,
    Panel,
    Plot,
    Points,
    Rule,
    rows_high,
)
from cranfield.view.report_content import Cell

_PAIRS = 30
"""Pairs of one metric that a chart shows: those that differ most."""


def pair_plots(cell: Cell) -> list[Plot]:
    """For every metric, the difference of every pair with its interval."""
    if cell.comparison is None:
        return []
    return [_pairs(cell, metric) for metric in cell.comparison.metrics]


def _pairs(cell: Cell, metric: str) -> Plot:
    assert cell.comparison is not None
    pairs = [pair for pair in cell.comparison.pairs if pair.metric == metric]
    chosen = (
        sorted(pairs, key=lambda pair: -abs(pair.effect))[:_PAIRS] if len(pairs) > _PAIRS else pairs
    )
    groups = {
        (AHEAD, "significant, first ahead"): [
            p for p in chosen if p.significant and p.difference > 0
        ],
        (BEHIND, "significant, second ahead"): [
            p for p in chosen if p.significant and p.difference <= 0
        ],
        (QUIET, "may be chance"): [p for p in chosen if not p.significant],
    }
    marks = [_forest(found, chosen, *key) for key, found in groups.items() if found]
    labels = tuple(f"{pair.first} − {pair.second}" for pair in chosen)
    certain = sum(pair.significant for pair in pairs)
    return Plot(
        name=f"pairs-{cell.comparison.metrics.index(metric) + 1}",
        title=f"{metric}: differences between systems",
        description=f"{certain} of {len(pairs)} pairs differ significantly by {metric}. "
        "Lines are 95 % intervals of the difference.",
        panels=(
            Panel(
                y=Axis(labels=labels), marks=(Rule(at=0.0), *marks), height=rows_high(len(chosen))
            ),
        ),
        headings=("pair", "difference", "95 % interval", "adjusted p"),
        rows=tuple(
            (
                label,
                signed(p.difference),
                f"{signed(p.low)} to {signed(p.high)}",
                p_value(p.adjusted),
            )
            for label, p in zip(labels, chosen, strict=True)
        ),
        rows_note="" if len(chosen) == len(pairs) else f"The {_PAIRS} pairs that differ most.",
    )


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


def p_value_plot(cell: Cell) -> Plot | None:
    """The p-values of all pairs, largest first, a curve per metric."""
    comparison = cell.comparison
    if comparison is None or len(cell.systems) < 3:
        return None
    curves = {
        metric: sorted((p.p_value for p in comparison.pairs if p.metric == metric), reverse=True)
        for metric in comparison.metrics
    }
    marks = [
        Line(x=list(range(1, len(curve) + 1)), y=curve, name=metric, hue=number)
        for number, (metric, curve) in enumerate(curves.items())
    ]
    alpha = comparison.choice.alpha
    below = {metric: sum(p < alpha for p in curve) for metric, curve in curves.items()}
    return Plot(
        name="p-values",
        title="p-values of all pairs, largest first",
        description="A metric whose curve lies lower tells more pairs apart. Below α: "
        + "; ".join(f"{m} {n} of {len(curves[m])}" for m, n in below.items())
        + " (before correction).",
        panels=(
            Panel(
                x=Axis(title="pairs"),
                y=Axis(title="p-value", low=0.0, high=1.0),
                marks=(Rule(at=alpha, along="y", name=f"α = {alpha:g}"), *marks),
            ),
        ),
        headings=("pair, by p-value", *curves),
        rows=tuple(
            (str(place + 1), *(p_value(curve[place]) for curve in curves.values()))
            for place in range(len(next(iter(curves.values()))))
        ),
    )
