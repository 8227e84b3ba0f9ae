"""Spread: how unequally ratings fall on users, items and values, and curves of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_MOST_POINTS = 100
"""Points of a curve in JSON; the arrays themselves are not thinned."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Points to draw, x ascending."""

    x: Floats
    y: Floats

    def to_dict(self) -> dict[str, list[float]]:
        """At most 100 points, the first and the last among them."""
        kept = np.unique(np.linspace(0, len(self.x) - 1, _MOST_POINTS).round().astype(np.int64))
        return {"x": self.x[kept].tolist(), "y": self.y[kept].tolist()}


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many ratings have each value or, where values are many, lie between edges.

    With ``edges``, bar b counts values from ``edges[b]`` up to but not including
    ``edges[b + 1]``; the last bar includes its upper edge.
    """

    counts: Counts
    values: Floats | None = None
    edges: Floats | None = None

    def to_dict(self) -> dict[str, list[float]]:
        """The bars, as plain numbers."""
        places = {"values": self.values, "edges": self.edges}
        shown = {name: ends.tolist() for name, ends in places.items() if ends is not None}
        return {**shown, "counts": self.counts.tolist()}


@dataclass(frozen=True, eq=False)
class Spread:
    """How ratings are spread over users, or over items; only those with a rating count."""

    counts: Counts
    """Ratings of each, ascending; all at least 1."""

    @cached_property
    def gini(self) -> float:
        r"""How unequal the counts are: 0 if all are equal, near 1 if one has all.

            Σ_k (2k − n − 1) c_k ÷ (n Σ c),  c_1 ≤ … ≤ c_n

        >>> Spread(np.array([1, 3])).gini
        0.25
        """
        n = len(self.counts)
        weights = 2 * np.arange(1, n + 1) - n - 1
        return float(weights @ self.counts) / (n * float(self.counts.sum()))

    @cached_property
    def quartiles(self) -> tuple[float, float, float]:
        """The counts below which a quarter, half and three quarters lie (interpolated)."""
        low, median, high = np.quantile(self.counts, [0.25, 0.5, 0.75]).tolist()
        return low, median, high

    @cached_property
    def at_most(self) -> Curve:
        """The share of users (items) with at most x ratings (canamares2020 Fig. 1)."""
        distinct, times = np.unique(self.counts, return_counts=True)
        shares = np.cumsum(times) / len(self.counts)
        return Curve(distinct.astype(np.float64), shares)

    @cached_property
    def concentration(self) -> Curve:
        """The share of all ratings that the x first have, by decreasing count.

        bellogin2017 Fig. 5, left (all ratings) and right (give positive ratings only).
        """
        ranks = np.arange(1, len(self.counts) + 1, dtype=np.float64)
        return Curve(ranks, np.cumsum(self.counts[::-1]) / self.counts.sum())

    def to_dict(self) -> dict[str, Any]:
        """Five numbers, the mean and the curves."""
        low, median, high = self.quartiles
        return {
            "min": int(self.counts[0]),
            "lower_quartile": low,
            "median": median,
            "mean": float(self.counts.mean()),
            "upper_quartile": high,
            "max": int(self.counts[-1]),
            "at_most": self.at_most.to_dict(),
            "concentration": self.concentration.to_dict(),
        }


def spread_of(counts: Counts) -> Spread | None:
    """The spread of those counts that are not 0, if there are any."""
    known = counts[counts > 0]
    return Spread(np.sort(known)) if len(known) else None
