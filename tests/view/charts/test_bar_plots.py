"""Bars in groups: every figure once, groups and series in their order."""

from __future__ import annotations

import polars as pl
import pytest

from cranfield.view.charts.bar_plots import grouped_bars
from cranfield.view.charts.plot import Bars, legend
from cranfield.view.charts.svg import svg

ROWS = pl.DataFrame(
    {
        "protocol": ["1R", "1R", "AR", "AR"],
        "value": [0.1, 0.2, None, 0.4],
        "system": ["Popularity", "kNN", "Popularity", "kNN"],
    }
)
PLOT = grouped_bars(ROWS, "fig", "P@10", "protocol", "P@10 (1R: at most 0.1)")


def test_each_series_has_a_bar_in_each_group_that_has_a_value() -> None:
    popular, near = PLOT.panels[0].marks
    assert isinstance(popular, Bars)
    assert isinstance(near, Bars)
    assert (popular.name, list(popular.end)) == ("Popularity", [0.1])
    assert (near.name, list(near.end)) == ("kNN", [0.2, 0.4])
    assert list(near.start) == [0.0, 0.0]
    assert PLOT.panels[0].y.labels == ("1R", "AR")
    assert [name for name, _ in legend(PLOT)] == ["Popularity", "kNN"]


def test_bars_of_a_group_stand_side_by_side_around_its_place() -> None:
    popular, near = (mark for mark in PLOT.panels[0].marks if isinstance(mark, Bars))
    assert popular.y[0] == pytest.approx(-0.2)
    assert near.y == pytest.approx([0.2, 1.2])
    assert popular.y[0] + popular.thickness / 2 < near.y[0] - near.thickness / 2


def test_the_figures_stand_in_a_table_too() -> None:
    assert PLOT.headings == ("protocol", "Popularity", "kNN")
    assert PLOT.rows == (("1R", "0.1000", "0.2000"), ("AR", "–", "0.4000"))
    assert PLOT.description.startswith("P@10 (1R: at most 0.1) by protocol, a bar for each of")


def test_numbers_name_groups_as_well() -> None:
    rows = pl.DataFrame({"t": [100, 200], "value": [0.1, 0.2], "system": ["a", "a"]})
    plot = grouped_bars(rows, "fig", "Sizes", "t", "P")
    assert plot.panels[0].y.labels == ("100", "200")
    assert len(plot.rows) == 2


def test_they_can_be_drawn_on_a_page() -> None:
    drawn = str(svg(PLOT, 700))
    assert drawn.count("<rect") >= 3
