"""Round numbers to read an axis by, and where values are on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.view.charts.plot import Axis, PlotPanel, Polyline
from cranfield.view.charts.scale import AxisScale, scale_of, tick_text, ticks


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 12))
def test_ticks_lie_within_the_scale_and_are_about_as_many_as_asked(
    low: float, width: float, count: int
) -> None:
    found = ticks(AxisScale(low, low + width, 0, 100), count)
    slack = 1e-6 * max(abs(low), width)
    assert all(low - slack <= tick <= low + width + slack for tick in found)
    assert len(found) <= count + 1
    assert found == sorted(set(found))


def test_a_whole_axis_has_no_halves() -> None:
    assert ticks(AxisScale(0.8, 3.2, 0, 100), 8, whole=True) == [1.0, 2.0, 3.0]


def test_named_rows_are_at_equal_distances() -> None:
    scale = scale_of(PlotPanel(y=Axis(labels=("a", "b"))), "y", 0.0, 100.0)
    assert [scale(0), scale(1)] == [25.0, 75.0]


def test_a_reversed_axis_puts_the_lowest_last() -> None:
    panel = PlotPanel(x=Axis(low=0.0, high=4.0, reverse=True))
    assert scale_of(panel, "x", 0.0, 100.0)(1.0) == 75.0


def test_what_is_measured_gets_air_and_what_is_given_does_not() -> None:
    panel = PlotPanel(x=Axis(low=0.0), marks=(Polyline(x=[0, 10], y=[1, 1]),))
    scale = scale_of(panel, "x", 0.0, 100.0)
    assert scale.low == 0.0
    assert scale.high == pytest.approx(10 + 0.03 * 10)


def test_ticks_have_the_digits_that_tell_them_apart() -> None:
    assert [tick_text(tick, [-0.5, 0.0, 0.5]) for tick in (-0.5, 0.0, 0.5)] == ["−0.5", "0", "0.5"]
    assert tick_text(0.25, [0.0, 0.25], percent=True) == "25 %"
    assert tick_text(2000, [0, 1000, 2000]) == "2,000"
    assert tick_text(0.00002, [0.0, 0.00002]) == "2e−05"
