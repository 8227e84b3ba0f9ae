"""What a picture shows, whoever draws it."""

from __future__ import annotations

from math import nan

import pytest

from cranfield.view.charts.plot import (
    AHEAD,
    BEHIND,
    Axis,
    Bars,
    Columns,
    Heat,
    Plot,
    PlotPanel,
    Points,
    Polyline,
    Rule,
    extent,
    hues_of,
    legend,
    padded_extent,
)


def test_a_panel_spans_all_that_it_shows() -> None:
    marks = (
        Polyline(x=[1, nan, 3], y=[0.5, nan, 0.7]),
        Points(x=[2], y=[0.6], low=[-1], high=[5]),
        Rule(at=7.0, along="x"),
        Rule(at=0.9, along="y"),
    )
    assert extent(PlotPanel(marks=marks), "x") == (-1, 7.0)
    assert extent(PlotPanel(marks=marks), "y") == (0.5, 0.9)


def test_columns_stand_on_zero_and_bars_have_a_thickness() -> None:
    assert extent(PlotPanel(marks=(Columns(edges=[1, 2, 3], heights=[4, 6]),)), "y") == (0.0, 6)
    bars = Bars(y=[0, 1], start=[0, 0], end=[3, 2], thickness=0.5)
    assert extent(PlotPanel(marks=(bars,)), "y") == (-0.25, 1.25)


def test_a_heat_map_covers_its_cells() -> None:
    heat = Heat(cells=[[0.1, 0.2], [0.3, nan]], start=0.5, width=2.0)
    assert extent(PlotPanel(marks=(heat,)), "x") == (0.5, 4.5)
    assert extent(PlotPanel(marks=(heat,)), "y") == (-0.5, 1.5)


def test_an_extent_is_never_empty() -> None:
    assert extent(PlotPanel(), "x") == (0.0, 1.0)
    assert extent(PlotPanel(marks=(Polyline(x=[3, 3], y=[1, 1]),)), "x") == (2.5, 3.5)


def test_values_that_are_all_zero_have_nothing_below_them() -> None:
    zeros = PlotPanel(marks=(Polyline(x=[1, 2], y=[0, 0]), Polyline(x=[1, 2], y=[0, 0])))
    assert extent(zeros, "y") == (0.0, 0.5)
    assert extent(PlotPanel(marks=(Polyline(x=[1, 2], y=[-1, -1]),)), "y") == (-1.5, -0.5)


def test_air_is_added_only_where_the_axis_sets_no_end() -> None:
    marks = (Polyline(x=[0, 10], y=[1, 1]),)
    assert padded_extent(PlotPanel(marks=marks), "x") == pytest.approx((-0.3, 10.3))
    assert padded_extent(PlotPanel(x=Axis(low=0.0), marks=marks), "x") == pytest.approx((0.0, 10.3))
    assert padded_extent(PlotPanel(x=Axis(high=20.0), marks=marks), "x") == pytest.approx(
        (-0.6, 20.0)
    )
    assert padded_extent(PlotPanel(x=Axis(labels=("a", "b")), marks=marks), "x") == (-0.5, 1.5)


def test_a_legend_names_each_series_once() -> None:
    upper = PlotPanel(
        marks=(Polyline(x=[1], y=[1], name="a"), Rule(at=0.0), Polyline(x=[1], y=[1], name="b"))
    )
    lower = PlotPanel(marks=(Polyline(x=[1], y=[1], name="a", hue=3),))
    plot = Plot(name="p", title="t", description="d", panels=(upper, lower))
    assert [name for name, _ in legend(plot)] == ["a", "b"]


def test_two_systems_never_look_the_same() -> None:
    systems = [f"s{number}" for number in range(10)]
    assert hues_of(systems, "s2", "s0") == (2, 0)
    assert hues_of(systems, "s1", "s9") == (AHEAD, BEHIND)
