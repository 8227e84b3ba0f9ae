"""The plot of tuning: the best value found by so many trials."""

from __future__ import annotations

from math import isfinite

from cranfield.view.charts.plot import Axis, Plot, PlotPanel, Polyline
from cranfield.view.numbers import fixed
from cranfield.view.tables.tuning import TuningContent

_MOST = 8
"""Curves that can be told apart."""


def tuning_plot(content: TuningContent) -> Plot | None:
    """The best validation value by the number of trials; None where nobody tried several."""
    drawn = [each for each in content.systems if len(each.curve) > 1][:_MOST]
    if not drawn:
        return None
    names = [f"{each.name}, {each.where}" if content.has_places else each.name for each in drawn]
    marks = tuple(
        Polyline(
            x=[count for count, _ in each.curve],
            y=[value for _, value in each.curve],
            name=name,
            hue=hue,
        )
        for hue, (name, each) in enumerate(zip(names, drawn, strict=True))
    )
    best = max((each for each in drawn if isfinite(each.best)), key=lambda each: each.best)
    return Plot(
        name="tuning-curves",
        title=f"Best {content.metric} on validation ratings, by the number of trials",
        description=f"Trial 1 is the defaults. {best.name} reaches {fixed(best.best)}.",
        panels=(PlotPanel(x=Axis(title="trials", low=1.0, whole=True), y=Axis(), marks=marks),),
        headings=("system", "trials", content.metric),
        rows=tuple(
            (name, f"{count:,}", fixed(value))
            for name, each in zip(names, drawn, strict=True)
            for count, value in each.curve
        ),
    )
