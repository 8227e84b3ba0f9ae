"""Bars in groups: a value of every series in every group."""

from __future__ import annotations

from math import nan

import polars as pl

from cranfield.view.charts.plot import Axis, Bars, Plot, PlotPanel, rows_high
from cranfield.view.numbers import fixed

_FILLED = 0.8
"""The share of a group's height that its bars take."""


def grouped_bars(rows: pl.DataFrame, name: str, title: str, groups: str, values: str) -> Plot:
    """A bar for each row of group, value and series, which are its first columns.

    Groups and series are drawn in the order in which they come; ``groups`` and ``values``
    are titles. What is missing has no bar.
    """
    group, value, series = rows.columns[:3]
    places = list(dict.fromkeys(rows[group].cast(str)))
    names = list(dict.fromkeys(rows[series].cast(str)))
    known = {(str(g), str(s)): v for g, v, s in rows.select(group, value, series).iter_rows()}
    thickness = _FILLED / max(len(names), 1)
    marks = []
    for number, each in enumerate(names):
        found = [(at, known.get((place, each))) for at, place in enumerate(places)]
        shown = [(at, float(height)) for at, height in found if height is not None]
        shift = (number - (len(names) - 1) / 2) * thickness
        marks.append(
            Bars(
                y=[at + shift for at, _ in shown],
                start=[0.0] * len(shown),
                end=[height for _, height in shown],
                name=each,
                hue=number,
                thickness=0.9 * thickness,
            )
        )
    figures = [[fixed(_number(known.get((g, s)))) for s in names] for g in places]
    return Plot(
        name=name,
        title=title,
        description=f"{values} by {groups}, a bar for each of {', '.join(names)}.",
        panels=(
            PlotPanel(
                x=Axis(title=values),
                y=Axis(title=groups, labels=tuple(places)),
                marks=tuple(marks),
                height=0.6 * rows_high(len(places) * max(len(names), 1)),
            ),
        ),
        headings=(groups, *names),
        rows=tuple((place, *row) for place, row in zip(places, figures, strict=True)),
    )


def _number(value: float | None) -> float:
    return nan if value is None else float(value)
