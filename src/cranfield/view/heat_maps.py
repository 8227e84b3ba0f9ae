"""Heat maps: a matrix of agreements as colours, with its figures while they can be read."""

from __future__ import annotations

from math import isnan
from typing import Any

from cranfield.validity.assessment import HeatMap

MOST_FIGURES = 24
"""Columns up to which each cell shows its figure."""
_PALE = 0.6
"""Agreements up to which a cell is so pale that black can be read on it."""


def side_of(chart: HeatMap) -> float:
    """The inches that a side of the picture needs for its labels not to overlap."""
    return 2.2 + 0.26 * max(len(chart.rows), len(chart.columns))


def plain(text: str) -> str:
    """Text in which nothing is read as a formula."""
    return text.replace("$", r"\$")


def draw_heat_map(panel: Any, chart: HeatMap) -> None:
    """Draw a matrix: blue for agreement, red for its opposite, grey where it is undefined."""
    panel.set_facecolor("lightgrey")  # seen through cells without a value
    image = panel.imshow(chart.values, cmap="RdBu", vmin=-1, vmax=1)
    names = [[*map(plain, given)] for given in (chart.columns, chart.rows)]
    panel.set_xticks(range(len(chart.columns)), names[0], rotation=90, fontsize="x-small")
    panel.set_yticks(range(len(chart.rows)), names[1], fontsize="x-small")
    panel.set_title(chart.title)
    panel.figure.colorbar(image, ax=panel, shrink=0.8)
    if len(chart.columns) <= MOST_FIGURES:
        _write_figures(panel, chart)


def _write_figures(panel: Any, chart: HeatMap) -> None:
    size = min(9.0, 80 / len(chart.columns))
    for row, values in enumerate(chart.values):
        for column, value in enumerate(values):
            text = "–" if isnan(value) else f"{value:.2f}"
            colour = "white" if abs(value) > _PALE else "black"
            panel.text(column, row, text, ha="center", va="center", color=colour, fontsize=size)
