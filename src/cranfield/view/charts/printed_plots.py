"""What a paper prints beside what was computed here."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import polars as pl
import polars.selectors as cs

from cranfield.view.charts.plot import Axis, Plot, PlotPanel, Points, Polyline, rows_high
from cranfield.view.numbers import any_value

_PRINTED = "_printed"
_MOST = 100.0
"""Numbers of users, items and ratings are no measurements, and would hide the others."""
_ROWS = 30
"""Figures up to which each has a row of its own."""
_NOT_DRAWN = ("p",)
"""P-values are on a scale of their own."""
_OURS, _PUBLISHED, _THEIRS = "ours", "published", "printed"
_SAID = "as printed"
"""What a title has that says already what is beside what."""

Pair = tuple[str, float, float]
"""The name of a figure, ours, and the printed one."""


def printed_plot(rows: pl.DataFrame, name: str, title: str) -> Plot | None:
    """Our figures beside the printed ones, which columns ``X`` and ``X_printed`` hold.

    A column ``published`` has figures that the authors published in place of ours. Few figures
    have a row each, many are points over the printed ones. None without printed figures.
    """
    pairs = list(_pairs(rows))
    if not pairs:
        return None
    whose = _PUBLISHED if _PUBLISHED in rows.columns else _OURS
    panel = _in_rows(pairs, whose) if len(pairs) <= _ROWS else _as_points(pairs, whose)
    return Plot(
        name=name,
        title=title if _SAID in title else f"{title}: {whose} and printed",
        description=f"{len(pairs)} figures, {whose} and as printed.",
        panels=(panel,),
        headings=("figure", whose, _THEIRS),
        rows=tuple((text, any_value(one, 4), any_value(two, 4)) for text, one, two in pairs),
    )


def _pairs(rows: pl.DataFrame) -> Iterator[Pair]:
    words = rows.select(cs.string()).columns
    for column in rows.columns:
        if f"{column}{_PRINTED}" not in rows.columns or column in _NOT_DRAWN:
            continue
        for row in rows.iter_rows(named=True):
            ours, printed = row[column], row[f"{column}{_PRINTED}"]
            known = ours is not None and printed is not None and isfinite(ours + printed)
            if known and abs(printed) <= _MOST:
                named = [str(row[word]) for word in words] + [column] * (
                    column not in (_OURS, _PUBLISHED)
                )
                yield ", ".join(named), float(ours), float(printed)


def _in_rows(pairs: list[Pair], whose: str) -> PlotPanel:
    names, ours, printed = zip(*pairs, strict=True)
    places = [float(place) for place in range(len(pairs))]
    return PlotPanel(
        y=Axis(labels=tuple(names)),
        marks=(
            Points(x=printed, y=places, name=_THEIRS, hue=1, shape="ring"),
            Points(x=ours, y=places, name=whose),
        ),
        height=rows_high(len(pairs)),
    )


def _as_points(pairs: list[Pair], whose: str) -> PlotPanel:
    _, ours, printed = zip(*pairs, strict=True)
    ends = [min(*ours, *printed), max(*ours, *printed)]
    return PlotPanel(
        x=Axis(title=_THEIRS),
        y=Axis(title=whose),
        marks=(
            Polyline(x=ends, y=ends, name="the same", hue=-1, dots=False, dashed=True),
            Points(x=printed, y=ours, name=whose),
        ),
    )
