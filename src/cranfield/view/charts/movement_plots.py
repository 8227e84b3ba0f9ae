"""Plots of how systems change places over the designs of a study."""

from __future__ import annotations

from math import nan

import numpy as np

from cranfield.base.errors import counted
from cranfield.validity.study.designs import Designs, Factor, factors_of
from cranfield.validity.study.rank_movement import RankMovement
from cranfield.view.charts.plot import (
    HUES,
    QUIET,
    Axis,
    Bars,
    Columns,
    Plot,
    PlotPanel,
    Points,
    Polyline,
    rows_high,
)
from cranfield.view.charts.specification_plots import answer_of, shown_answers
from cranfield.view.numbers import fixed


def flow_plots(designs: Designs, decisions: tuple[str, ...]) -> list[Plot]:
    """How the mean rank of each system moves over the answers of the given decisions."""
    factors = {factor.name: factor for factor in factors_of(designs.decisions)}
    return [
        _flow(designs, factors[name], number)
        for number, name in enumerate(decisions, start=1)
        if len(factors[name].answers) > 1
    ]


def _flow(designs: Designs, factor: Factor, number: int) -> Plot:
    codes = [code for code in shown_answers(factor) if code >= 0]
    labels = tuple(answer_of(factor, code) for code in codes)
    ranks = np.array([designs.ranks[factor.codes == code].mean(axis=0) for code in codes])
    marks = tuple(
        Polyline(
            x=list(range(len(codes))),
            y=ranks[:, place].tolist(),
            name=system,
            hue=place,
            dashed=place >= HUES,
            direct=True,
        )
        for place, system in enumerate(designs.systems)
    )
    most = int(np.argmax(np.ptp(ranks, axis=0)))
    low, high = (fixed(float(end), 1) for end in (ranks[:, most].min(), ranks[:, most].max()))
    moved = f"{designs.systems[most]} moves most, between {low} and {high}"
    last = len(designs.systems) + 0.2
    rank = Axis(title="mean rank, 1 the best", low=0.8, high=last, reverse=True, whole=True)
    high_enough = max(170.0, 24.0 * len(designs.systems))
    return Plot(
        name=f"ranks-{number}",
        title=f"Ranks by {factor.name}",
        description=f"{moved if low != high else 'No system changes its mean rank'}.",
        panels=(PlotPanel(x=Axis(labels=labels), y=rank, marks=marks, height=high_enough),),
        headings=(factor.name, *designs.systems),
        rows=tuple(
            (label, *(fixed(value, 2) for value in row))
            for label, row in zip(labels, ranks.tolist(), strict=True)
        ),
    )


def rank_plot(movement: RankMovement) -> Plot:
    """Between which ranks each system moves over all designs."""
    found = movement.systems
    places = list(range(len(found)))
    best, lower, median, upper, worst, reference = (
        [nan if (value := getattr(row, name)) is None else value for row in found]
        for name in ("best", "lower_quartile", "median", "upper_quartile", "worst", "reference")
    )
    said = "the base design" if movement.reference == "base" else "mean rank"
    marks = (
        Bars(y=places, start=best, end=worst, name="all designs", hue=QUIET, thickness=0.14),
        Bars(y=places, start=lower, end=upper, name="half of designs", thickness=0.5, faint=True),
        Points(x=median, y=places, name="median rank", shape="bar"),
        Points(x=reference, y=places, name=said, shape="ring"),
    )
    ranges = [
        f"{row.system} ranks from {low:g} to {high:g}"
        if low <= high
        else f"{row.system} has no rank"
        for row, low, high in zip(found[:8], best, worst, strict=False)
    ]
    across = Axis(title="rank, 1 the best", low=0.8, high=len(found) + 0.2, whole=True)
    down = Axis(labels=tuple(row.system for row in found))
    return Plot(
        name="rank-ranges",
        title="Ranks of each system over all designs",
        description="; ".join(ranges) + ".",
        panels=(PlotPanel(x=across, y=down, marks=marks, height=rows_high(len(found))),),
        headings=("system", said, "best", "25 %", "median", "75 %", "worst", "times first"),
        rows=tuple(
            (row.system, *(fixed(x, 1) for x in ranks), f"{row.first:,}")
            for row, *ranks in zip(found, reference, best, lower, median, upper, worst, strict=True)
        ),
    )


def tau_plot(movement: RankMovement) -> Plot:
    """How well the order of each design agrees with the reference order."""
    known = movement.taus[~np.isnan(movement.taus)]
    edges = np.linspace(-1, 1, 21)
    heights = np.histogram(known, edges)[0]
    said = "the base design" if movement.reference == "base" else "the order by mean rank"
    return Plot(
        name="agreement",
        title=f"Agreement of each design’s order with {said}",
        description=f"Kendall’s τ of {counted(len(known), 'design')}: the median is "
        f"{fixed(movement.median_tau, 2)}, the lowest "
        f"{fixed(movement.lowest_tau, 2)}.",
        panels=(
            PlotPanel(
                x=Axis(title="Kendall’s τ", low=-1.0, high=1.0),
                y=Axis(title="designs", low=0.0, whole=True),
                marks=(Columns(edges=edges.tolist(), heights=heights.tolist()),),
                height=170,
            ),
        ),
        headings=("τ from", "to", "designs"),
        rows=tuple(
            (fixed(low, 1), fixed(high, 1), f"{found:,}")
            for low, high, found in zip(
                edges.tolist(), edges.tolist()[1:], heights.tolist(), strict=False
            )
            if found
        ),
    )
