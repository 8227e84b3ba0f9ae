"""Plots of a study: who wins how often, what decisions explain, p-values of all designs."""

from __future__ import annotations

import numpy as np

from cranfield.base.errors import counted
from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.importance import DecisionImportance, Importance
from cranfield.validity.study.pair_outcomes import PairCounts
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
    """In how many designs each of two systems wins, and significantly so."""
    ahead, behind = hues_of(systems, pair.first, pair.second)
    narrow = pair.wins - pair.significant_wins, pair.losses - pair.significant_losses
    parts = (
        (f"{pair.first} significantly ahead", pair.significant_wins, ahead, False),
        (f"{pair.first} ahead, may be chance", narrow[0], ahead, True),
        ("equal or undefined", pair.ties + pair.undefined, QUIET, False),
        (f"{pair.second} ahead, may be chance", narrow[1], behind, True),
        (f"{pair.second} significantly ahead", pair.significant_losses, behind, False),
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
        f"{pair.second} in {pair.losses:,}.",
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


def importance_plot(importance: Importance) -> Plot:
    """How much of the variation of the outcome each decision explains."""
    found = importance.decisions
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
                marks=(bars,),
                height=28.0 * max(len(found), 2),
            ),
        ),
        headings=(
            "decision", "answers", "share", "alone (η²)", "unique",
            "pairs of designs that differ in it alone", "winner changes", "changes significantly",
        ),
        rows=tuple(map(_importance_row, found)),
    )  # fmt: skip


def _importance_row(row: DecisionImportance) -> tuple[str, ...]:
    flips = row.flips
    counts = ("", "", "")
    if flips is not None:
        counts = (f"{flips.compared:,}", f"{flips.flipped:,}", f"{flips.reversed:,}")
    shares = map(share, (row.share, row.alone, row.unique))
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
        title="p-values over all designs, largest first",
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
