"""Plots over data sets: a forest of differences, mean ranks, and what data sets are like."""

from __future__ import annotations

from math import isfinite

from cranfield.base.errors import counted
from cranfield.validity.data_sets.associations import TRAITS, Association
from cranfield.validity.data_sets.findings import FindingsOverData
from cranfield.validity.data_sets.pair_effects import DataSetEffect, PairEffects
from cranfield.validity.data_sets.rank_differences import RankDifferences
from cranfield.view.charts.plot import (
    QUIET,
    Axis,
    Bars,
    Plot,
    PlotPanel,
    Points,
    Rule,
    rows_high,
)
from cranfield.view.numbers import interval, p_value, signed

_ALL = "over data sets"


def data_set_plots(found: FindingsOverData) -> list[Plot]:
    """The forest of the pair by every metric, the ranks of all systems, and the traits."""
    pair = {found.pair.first, found.pair.second}
    ours = [each for each in found.pairs if {each.first, each.second} == pair]
    forests = [_forest(each, number) for number, each in enumerate(ours, start=1)]
    ranks = [_ranks(metric, each, n) for n, (metric, each) in enumerate(found.ranks.items(), 1)]
    traits = [] if len(found.pair.effects) < 3 else [_traits(found)]
    return [*forests, *ranks, *traits]


def _forest(pair: PairEffects, number: int) -> Plot:
    """The difference on every data set with its interval, and the one over all below."""
    labels = [each.data_set for each in pair.effects]
    sure = [each for each in pair.effects if each.significant]
    unsure = [each for each in pair.effects if not each.significant]
    groups = ((sure, 0, "significant"), (unsure, QUIET, "may be chance"))
    marks = [_points(some, labels, hue, name) for some, hue, name in groups if some]
    rows = [
        (e.data_set, signed(e.difference), interval(e.low, e.high, signed), p_value(e.p_value))
        for e in pair.effects
    ]
    over, many = pair.combined, counted(len(pair.effects), "data set")
    if over is not None:
        marks.append(
            Points(x=[over.estimate], y=[len(labels)], low=[over.low], high=[over.high],
                   name=_ALL, hue=1)
        )  # fmt: skip
        ends = interval(over.low, over.high, signed)
        rows.append((_ALL, signed(over.estimate), ends, p_value(over.p_value)))
        labels.append(_ALL)
    return Plot(
        name=f"forest-{number}",
        title=f"{pair.metric}: {pair.first} − {pair.second} on {many}",
        description=f"{pair.first} scores more on {len(pair.ahead)}, {pair.second} on "
        f"{len(pair.behind)}. Lines are 95 % intervals; the one over data sets is Hartung and "
        "Knapp’s, for data sets that need not have the same difference.",
        panels=(
            PlotPanel(
                y=Axis(labels=tuple(labels)),
                marks=(Rule(at=0.0), *marks),
                height=rows_high(len(labels)),
            ),
        ),
        headings=("data set", "difference", "95 % interval", "p"),
        rows=tuple(rows),
    )  # fmt: skip


def _points(some: list[DataSetEffect], labels: list[str], hue: int, name: str) -> Points:
    return Points(
        x=[each.difference for each in some],
        y=[labels.index(each.data_set) for each in some],
        low=[each.low for each in some],
        high=[each.high for each in some],
        name=name,
        hue=hue,
        shape="ring" if hue == QUIET else "dot",
    )


def _ranks(metric: str, found: RankDifferences, number: int) -> Plot:
    """Mean ranks, best on top; systems whose bars overlap do not differ."""
    order = sorted(range(len(found.systems)), key=lambda at: found.mean_ranks[at])
    means = [found.mean_ranks[at] for at in order]
    half, places = found.critical / 2, list(range(len(order)))
    return Plot(
        name=f"ranks-{number}",
        title=f"{metric}: mean ranks over {counted(found.data_sets, 'data set')}",
        description="1 is the best. Two systems differ at the level "
        f"{found.alpha:g} if their bars, Nemenyi’s critical difference wide, do not overlap. "
        f"Friedman’s test that none differ: p = {p_value(found.p_value)}.",
        panels=(
            PlotPanel(
                x=Axis(title="mean rank"),
                y=Axis(labels=tuple(found.systems[at] for at in order)),
                marks=(
                    Bars(y=places, start=[m - half for m in means], end=[m + half for m in means],
                         hue=QUIET, thickness=0.3, faint=True),
                    Points(x=means, y=places, hue=0),
                ),
                height=rows_high(len(order)),
            ),
        ),
        headings=("system", "mean rank"),
        rows=tuple((found.systems[at], f"{found.mean_ranks[at]:.2f}") for at in order),
    )  # fmt: skip


def _traits(found: FindingsOverData) -> Plot:
    """How strongly each trait of data sets goes with the difference."""
    known = [each for each in found.associations if isfinite(each.tau)]
    pair = found.pair
    return Plot(
        name="traits",
        title=f"What is associated with {pair.first} − {pair.second} by {pair.metric}",
        description=f"Kendall’s τ of the difference with traits of {len(pair.effects)} data sets: "
        "a description of these data sets, not an explanation.",
        panels=(
            PlotPanel(
                x=Axis(title="Kendall’s τ", low=-1.0, high=1.0),
                y=Axis(labels=tuple(TRAITS[each.trait] for each in known)),
                marks=(
                    Rule(at=0.0),
                    Points(x=[each.tau for each in known], y=list(range(len(known))), hue=0),
                ),
                height=rows_high(len(known)),
            ),
        ),
        headings=("trait", "τ", *(each.data_set for each in pair.effects)),
        rows=tuple(trait_row(each) for each in known),
    )


def trait_row(each: Association) -> tuple[str, ...]:
    """A trait in words, its τ, and its value on every data set."""
    tau = signed(each.tau) if isfinite(each.tau) else "–"
    return (
        TRAITS[each.trait],
        tau,
        *(f"{value:.4g}" if abs(value) < 1 else f"{value:,.0f}" for value in each.values),
    )
