"""Plots of a study: who wins how often, what decisions explain, p-values of all designs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.base.errors import counted
from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.importance import DecisionImportance, Importance
from cranfield.validity.study.pair_outcomes import PairCounts
from cranfield.validity.study.uncertainty import BasicInterval, Uncertainty
from cranfield.view.charts.plot import (
    QUIET,
    Axis,
    Bars,
    Mark,
    Plot,
    PlotPanel,
    Polyline,
    Rule,
    hues_of,
)
from cranfield.view.numbers import p_value, share

_PAIRS = 6
"""Pairs whose p-values are drawn."""
_NAMED = 3
"""Pairs that the description names."""
_STEPS = 300
"""Points of a curve that are drawn."""


def _p_curves(designs: Designs, wanted: set[str]) -> dict[str, Floats]:
    """The sorted p-values of pairs: the one wanted, then those that are seldom significant."""
    found = []
    for number, (one, two) in enumerate(designs.pairs):
        names = designs.systems[one], designs.systems[two]
        known = designs.p_values[:, number]
        curve = np.sort(known[~np.isnan(known)])[::-1]
        if len(curve):
            other = set(names) != wanted
            found.append((other, float((curve < designs.alpha).mean()), number, names, curve))
    found.sort(key=lambda each: each[:3])
    return {f"{names[0]} − {names[1]}": curve for *_, names, curve in found[:_PAIRS]}


def tally_plot(pair: PairCounts, systems: tuple[str, ...]) -> Plot:
    """In how many designs each of two systems wins, established or not."""
    ahead, behind = hues_of(systems, pair.first, pair.second)
    narrow = pair.wins - pair.established_wins, pair.losses - pair.established_losses
    parts = (
        (f"{pair.first} ahead", pair.established_wins, ahead, False),
        (f"{pair.first} ahead, not established", narrow[0], ahead, True),
        ("equal or undefined", pair.ties + pair.undefined, QUIET, False),
        (f"{pair.second} ahead, not established", narrow[1], behind, True),
        (f"{pair.second} ahead", pair.established_losses, behind, False),
    )
    ends = np.cumsum([number for _, number, _, _ in parts]).tolist()
    marks = tuple(
        Bars(
            y=[0.0], start=[end - number], end=[end], name=f"{name} ({number:,})", hue=hue,
            thickness=0.9, faint=faint,
        )
        for (name, number, hue, faint), end in zip(parts, ends, strict=True)
        if number
    )  # fmt: skip
    return Plot(
        name="tally",
        title=f"{pair.first} and {pair.second} in {counted(pair.designs, 'design')}",
        description=f"{pair.first} scores more in {counted(pair.wins, 'design')}, "
        f"{pair.second} in {pair.losses:,}; allowing for all designs, this is established in "
        f"{pair.established_wins:,} and {pair.established_losses:,}.",
        panels=(
            PlotPanel(
                x=Axis(title="designs", low=0.0, high=float(max(pair.designs, 1)), whole=True),
                y=Axis(labels=("",)),
                marks=marks,
                height=44,
            ),
        ),
        headings=("outcome", "designs", "share"),
        rows=tuple(
            (name, f"{number:,}", share(number / max(pair.designs, 1)))
            for name, number, _, _ in parts
        ),
    )


def importance_plot(importance: Importance, uncertainty: Uncertainty | None = None) -> Plot:
    """How much of the variation of the outcome each decision explains, with its interval."""
    found = importance.decisions
    intervals = {} if uncertainty is None else uncertainty.shares
    known = [
        (place, intervals[row.decision])
        for place, row in enumerate(found)
        if row.decision in intervals and not np.isnan(intervals[row.decision].low)
    ]
    said = f"{found[0].decision} explains most, {share(found[0].share)}. " if found else ""
    bars = Bars(
        y=list(range(len(found))),
        start=[0.0] * len(found),
        end=[row.share for row in found],
        thickness=0.55,
    )
    return Plot(
        name="importance",
        title=f"Which decisions explain the {importance.outcome}",
        description=f"{said}All decisions together explain {share(importance.explained)} of how "
        f"the {importance.outcome} varies over {counted(importance.designs, 'design')}.",
        panels=(
            PlotPanel(
                x=Axis(title="share of variation explained", low=0.0, percent=True),
                y=Axis(labels=tuple(row.decision for row in found)),
                marks=(bars, _spans(known)) if known else (bars,),
                height=28.0 * max(len(found), 2),
            ),
        ),
        headings=(
            "decision", "answers", "share", "95 % interval", "alone (η²)", "unique",
            "pairs of designs that differ in it alone", "winner changes", "both established",
        ),
        rows=tuple(_importance_row(row, intervals.get(row.decision)) for row in found),
    )  # fmt: skip


def _spans(known: Sequence[tuple[int, BasicInterval]]) -> Bars:
    """The intervals of shares, each at its place."""
    return Bars(
        y=[float(place) for place, _ in known],
        start=[interval.low for _, interval in known],
        end=[interval.high for _, interval in known],
        name="95 % interval",
        hue=QUIET,
        thickness=0.14,
    )


def _importance_row(row: DecisionImportance, interval: BasicInterval | None) -> tuple[str, ...]:
    flips = row.flips
    counts = ("", "", "")
    if flips is not None:
        counts = (f"{flips.compared:,}", f"{flips.flipped:,}", f"{flips.reversed:,}")
    known = interval is not None and not np.isnan(interval.low)
    span = f"{share(interval.low)} to {share(interval.high)}" if interval and known else ""
    shares = (share(row.share), span, share(row.alone), share(row.unique))
    return (row.decision, str(row.answers), *shares, *counts)


def p_curve_plot(designs: Designs, pair: PairCounts) -> Plot:
    """The p-values of a pair over all designs, largest first, with those of chance.

    Other pairs are shown too, the least certain first.
    """
    curves = _p_curves(designs, {pair.first, pair.second})
    chance = Polyline(
        x=[0.0, 1.0],
        y=[1.0, 0.0],
        name="no difference anywhere",
        hue=QUIET,
        dots=False,
        dashed=True,
    )
    marks: list[Mark] = [Rule(at=designs.alpha, along="y", name=f"α = {designs.alpha:g}"), chance]
    for number, (name, curve) in enumerate(curves.items()):
        places = np.linspace(0, len(curve) - 1, min(len(curve), _STEPS)).round().astype(int)
        x, y = ((places + 0.5) / len(curve)).tolist(), curve[places].tolist()
        marks.append(Polyline(x=x, y=y, name=name, hue=number, dots=False))
    below = {name: share(float((curve < designs.alpha).mean())) for name, curve in curves.items()}
    named = "; ".join(f"{name} {part}" for name, part in list(below.items())[:_NAMED])
    return Plot(
        name="p-values-of-designs",
        title="p-values of designs, each tested by itself, largest first",
        description=f"Designs below α: {named}.",
        panels=(
            PlotPanel(
                x=Axis(title="share of designs", low=0.0, high=1.0, percent=True),
                y=Axis(title="p-value", low=0.0, high=1.0),
                marks=tuple(marks),
            ),
        ),
        headings=("pair", "designs", "below α", "median p"),
        rows=tuple(
            (name, f"{len(curve):,}", below[name], p_value(float(np.median(curve))))
            for name, curve in curves.items()
        ),
    )
