"""Tendency: how far each system recommends what is popular, and whether that is liked more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from cranfield.collection.statistics.statistics import Statistics
from cranfield.validity.assessment import Assessment, Chart, Line

MEASURES = ("MeanPopularity", "Gini", "PopularityCorrelation")
"""The run metrics that tell a tendency, in the order of the table."""
_WORDS = {
    "mean_popularity": "mean popularity",
    "gini_of_exposure": "Gini of exposure",
    "correlation_with_popularity": "correlation with popularity",
}
_NAMES = tuple(_WORDS)


def tendency(
    lists: Mapping[str, Sequence[float]], statistics: Statistics, cutoff: int, targets: str
) -> Assessment:
    """How far the lists of each system favour popular items, and whether users like these."""
    rows = [
        {"system": system, **dict(zip(_NAMES, values, strict=True))}
        for system, values in lists.items()
    ]
    table = pl.DataFrame(rows).sort(_NAMES[0], descending=True, nulls_last=True)
    curve = statistics.positive_ratio
    tenth = max(len(curve.y) // 10, 1)
    head, tail = float(np.mean(curve.y[:tenth])), float(np.mean(curve.y[-tenth:]))
    means = dict(zip(table["system"], table[_NAMES[0]], strict=True))
    listed = ", ".join(f"{system} {mean:.0f}" for system, mean in means.items())
    return Assessment(
        criterion="bias: who recommends what is popular",
        reading=f"Mean number of training ratings of the recommended items: {listed}. Of "
        f"the ratings of the most popular tenth of the items, {head:.0%} are positive, of "
        f"those of the least popular tenth {tail:.0%}.".replace("%", " %"),
        tables={"recommended_items": table},
        decisions={"targets": targets, "cutoff": cutoff},
        details={"positive_ratio": pl.DataFrame({"rank": curve.x, "positive_ratio": curve.y})},
        words={**_WORDS, "recommended_items": f"top {cutoff} of all systems"},
        charts=(
            Chart(
                "Positive ratings by popularity",
                "item popularity rank",
                "share of ratings that are positive",
                (Line("positive ratio", tuple(curve.x.tolist()), tuple(curve.y.tolist())),),
            ),
        ),
    )
