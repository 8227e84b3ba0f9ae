"""The specification curve: all designs by effect, and below it what each one answers."""

from __future__ import annotations

from itertools import pairwise
from math import nan

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import counted
from cranfield.scoring.scores import Flags
from cranfield.validity.study.designs import Designs, Factor, factors_of
from cranfield.validity.study.pair_outcomes import PairOutcomes, pair_outcomes, specification_curve
from cranfield.view.charts.plot import (
    QUIET,
    Axis,
    Heat,
    Mark,
    Plot,
    PlotPanel,
    Points,
    Rule,
    hues_of,
)
from cranfield.view.numbers import answer, p_value, signed

_SLICES = 120
"""Columns of the dashboard: with more designs, each column is a slice of the curve."""
_ANSWERS = 12
"""Answers of one decision that the dashboard and the flow show."""
_MANY = 150
"""Designs from which their points are small."""
_READABLE = 60
"""Rows of a table that stands in for a chart of very many designs."""


def specification_plot(
    designs: Designs, pair: tuple[str, str], name: str = "specification-curve"
) -> Plot:
    """All designs from the lowest effect to the highest, and below it what each one answers."""
    found = pair_outcomes(designs, pair)
    curve = specification_curve(found).filter(pl.col("effect").is_not_null())
    order = curve["design"].to_numpy()
    said = _curve_in_words(found)
    rows, note = _curve_rows(curve, designs)
    upper = PlotPanel(
        x=Axis(low=0.5, high=max(len(order), 1) + 0.5, bare=True),
        y=Axis(title=f"standardised difference, {found.first} minus {found.second}"),
        marks=_curve_marks(found, curve),
        height=230,
    )
    return Plot(
        name=name,
        title=f"Specification curve: {found.first} and {found.second} in "
        f"{counted(len(order), 'design')}",
        description=said,
        panels=(upper, _dashboard(designs, order)),
        headings=("place", "effect", "difference", "p", *designs.factors),
        rows=rows,
        rows_note=note,
    )


def _curve_in_words(found: PairOutcomes) -> str:
    ahead, behind = (int((found.established == who).sum()) for who in (1, -1))
    wins, losses = (int((found.winners == who).sum()) for who in (1, -1))
    return (
        f"{found.first} scores more in {wins:,} of {counted(len(found.winners), 'design')} "
        f"({ahead:,} established), {found.second} in {losses:,} ({behind:,} established)."
    )


def _curve_marks(found: PairOutcomes, curve: pl.DataFrame) -> tuple[Mark, ...]:
    who = found.established[curve["design"].to_numpy()]
    places, effects = curve["place"].to_numpy(), curve["effect"].to_numpy()
    ahead, behind = hues_of(found.designs.systems, found.first, found.second)
    groups = (
        (QUIET, 0, "no difference established"),
        (ahead, 1, f"{found.first} ahead"),
        (behind, -1, f"{found.second} ahead"),
    )
    marks: list[Mark] = [Rule(at=0.0, along="y")]
    for hue, sign, name in groups:
        mine = who == sign
        if mine.any():
            label = f"{name} ({int(mine.sum()):,})"
            x, y = places[mine].tolist(), effects[mine].tolist()
            marks.append(Points(x=x, y=y, name=label, hue=hue, small=len(places) > _MANY))
    base = curve.filter(pl.col("base"))
    if len(base):
        marks.append(Rule(at=float(base["place"][0]), name="the base design"))
    return tuple(marks)


def _dashboard(designs: Designs, order: npt.NDArray[np.integer]) -> PlotPanel:
    """For every answer, how many designs of each slice of the curve give it."""
    slices = min(_SLICES, max(len(order), 1))
    labels: list[str] = []
    headings, cells = set(), []
    width = len(order) / slices if len(order) else 1.0
    for factor in factors_of(designs.decisions):
        headings.add(len(labels))
        labels.append(factor.name)
        cells.append([nan] * slices)
        codes = shown_answers(factor)
        labels += [answer_of(factor, code) for code in codes]
        cells += _fullest([_shares(factor.codes[order] == code, slices) for code in codes])
    return PlotPanel(
        x=Axis(title=f"{counted(len(order), 'design')}, from the lowest effect to the highest",
               low=0.5, high=max(len(order), 1) + 0.5),
        y=Axis(labels=tuple(labels), headings=frozenset(headings)),
        marks=(Heat(cells=cells, start=0.5, width=width, hue=QUIET),),
        height=18.0 * len(labels),
    )  # fmt: skip


def _fullest(rows: list[list[float]]) -> list[list[float]]:
    """Shares relative to the highest one of a decision, so that few of many can be seen."""
    shares = np.array(rows)
    most = np.nanmax(shares, initial=0.0)
    return (shares / most).tolist() if most > 0 else rows


def shown_answers(factor: Factor) -> list[int]:
    """The codes of the answers that are shown; −1 where some designs have none."""
    codes = list(range(len(factor.answers)))[:_ANSWERS]
    return codes if factor.applies.all() else [*codes, -1]


def answer_of(factor: Factor, code: int) -> str:
    """An answer as it is read."""
    given = None if code < 0 else factor.answers[code]
    return str(given).lower() if isinstance(given, bool) else answer(given)


def _shares(given: Flags, slices: int) -> list[float]:
    """The share of each slice of the designs that gives an answer."""
    if not len(given):
        return [nan] * slices
    ends = np.linspace(0, len(given), slices + 1).round().astype(int)
    return [float(np.mean(given[start:end])) for start, end in pairwise(ends)]


def _curve_rows(curve: pl.DataFrame, designs: Designs) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Designs evenly along the curve, and a note on how many there are."""
    places = np.linspace(0, len(curve) - 1, min(_READABLE, len(curve))).round().astype(int)
    rows = tuple(
        (
            f"{row['place']:,}",
            signed(row["effect"], 3),
            signed(row["difference"]),
            p_value(row["p_value"]),
            *(answer(given) for given in designs.decisions.row(row["design"])),
        )
        for row in curve[places.tolist()].iter_rows(named=True)
    )
    if len(rows) == len(curve):
        return rows, ""
    return rows, f"{len(rows)} of {len(curve):,} designs, evenly along the curve."
