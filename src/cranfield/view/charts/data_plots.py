"""Plots of data: which ratings occur, how they are concentrated, and how they are split."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import counted
from cranfield.collection.split import Split
from cranfield.collection.statistics.spread import Spread
from cranfield.collection.statistics.statistics import Statistics
from cranfield.view.charts.plot import (
    Axis,
    Bars,
    Columns,
    Plot,
    PlotPanel,
    Polyline,
    rows_high,
)
from cranfield.view.numbers import share

_POINTS = 100
"""Points of a curve that are drawn."""
_COLUMNS = 20
"""Columns of a histogram of ranks, at most."""


def rating_plot(statistics: Statistics) -> Plot:
    """How often each rating occurs."""
    found = statistics.histogram
    heights = found.counts.tolist()
    if found.values is not None:
        names = tuple(f"{value:g}" for value in found.values)
        bars = Bars(y=list(range(len(names))), start=[0.0] * len(names), end=heights)
        panel = PlotPanel(
            x=Axis(title="ratings", low=0.0, whole=True),
            y=Axis(labels=names),
            marks=(bars,),
            height=rows_high(len(names)),
        )
    else:
        assert found.edges is not None
        ends = found.edges.tolist()
        names = tuple(f"{low:g} to {high:g}" for low, high in pairwise(ends))
        panel = PlotPanel(
            x=Axis(title="rating"),
            y=Axis(title="ratings", low=0.0, whole=True),
            marks=(Columns(edges=ends, heights=heights),),
        )
    most = names[int(np.argmax(found.counts))]
    return Plot(
        name="ratings",
        title="How often each rating occurs",
        description=f"Of {counted(statistics.ratings, 'rating')}, most are {most}; "
        f"{share(statistics.positive)} are {statistics.relevance:g} or more.",
        panels=(panel,),
        headings=("rating", "ratings"),
        rows=tuple((name, f"{n:,}") for name, n in zip(names, heights, strict=True)),
    )


def concentration_plot(spreads: Mapping[str, Spread], counted_as: str = "ratings") -> Plot:
    """The share of all ratings that the most active users, or most popular items, have."""
    marks = tuple(
        Polyline(x=x, y=y, name=f"{name} (Gini {spread.gini:.2f})", hue=hue, dots=False)
        for hue, (name, spread) in enumerate(spreads.items())
        for x, y in (_curve(spread),)
    )
    tenths = {name: _held(spread, 0.1) for name, spread in spreads.items()}
    return Plot(
        name="concentration",
        title=f"How {counted_as} are concentrated",
        description="; ".join(
            f"a tenth of the {name} has {share(held)} of all {counted_as}"
            for name, held in tenths.items()
        ).capitalize()
        + ".",
        panels=(
            PlotPanel(
                x=Axis(title="share, those with most first", low=0.0, high=1.0, percent=True),
                y=Axis(title=f"share of {counted_as}", low=0.0, high=1.0, percent=True),
                marks=marks,
            ),
        ),
        headings=("", "Gini", f"{counted_as} of the first tenth"),
        rows=tuple(
            (name, f"{spread.gini:.3f}", share(tenths[name])) for name, spread in spreads.items()
        ),
    )


def _curve(spread: Spread) -> tuple[list[float], list[float]]:
    curve = spread.concentration
    size = len(curve.x)
    places = np.unique(np.linspace(0, size - 1, min(size, _POINTS)).round().astype(np.int64))
    return [0.0, *(curve.x[places] / size).tolist()], [0.0, *curve.y[places].tolist()]


def _held(spread: Spread, part: float) -> float:
    """The share of all that the first part of them has."""
    curve = spread.concentration
    return float(curve.y[max(int(part * len(curve.y)), 1) - 1])


def parts_plot(split: Split) -> Plot:
    """How many ratings each part of each fold has."""
    sizes = split.sizes
    names, places = list(sizes[0]), list(range(len(sizes)))
    ends = np.cumsum([list(each.values()) for each in sizes], axis=1)
    marks = tuple(
        Bars(
            y=places,
            start=(ends[:, at - 1] if at else np.zeros(len(sizes))).tolist(),
            end=ends[:, at].tolist(),
            name=name,
            hue=at,
        )
        for at, name in enumerate(names)
    )
    shares = ", ".join(f"{name} {share(sizes[0][name] / max(ends[0, -1], 1))}" for name in names)
    return Plot(
        name="parts",
        title="Ratings in each part",
        description=f"Of the first fold: {shares}.",
        panels=(
            PlotPanel(
                x=Axis(title="ratings", low=0.0, whole=True),
                y=Axis(labels=tuple(f"fold {place + 1}" for place in places)),
                marks=marks,
                height=rows_high(len(places)),
            ),
        ),
        headings=("fold", *names),
        rows=tuple(
            (str(n), *(f"{size:,}" for size in each.values()))
            for n, each in enumerate(sizes, start=1)
        ),
    )


def rank_plot(ranks: npt.NDArray[np.integer]) -> Plot:
    """At which ranks judged items are, those that are in a list."""
    found = ranks[ranks > 0]
    deepest = int(found.max(initial=1))
    width = -(-deepest // _COLUMNS)  # as many ranks in each column
    edges = np.arange(0.5, deepest + width + 0.5, width)
    heights = np.histogram(found, edges)[0].tolist()
    return Plot(
        name="ranks",
        title="Ranks of judged items",
        description=f"{len(found):,} of {counted(len(ranks), 'judged item')} are in a list.",
        panels=(
            PlotPanel(
                x=Axis(title="rank", low=0.5),
                y=Axis(title="judged items", low=0.0, whole=True),
                marks=(Columns(edges=edges.tolist(), heights=heights),),
            ),
        ),
        headings=("ranks up to", "judged items"),
        rows=tuple((f"{e:g}", f"{n:,}") for e, n in zip(edges[1:] - 0.5, heights, strict=True)),
    )
