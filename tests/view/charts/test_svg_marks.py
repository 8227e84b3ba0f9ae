"""Marks as SVG: everything stands within its frame, and where its value is."""

from __future__ import annotations

import re
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.view.charts.plot import (
    AHEAD,
    BEHIND,
    HUES,
    QUIET,
    Bars,
    Columns,
    Heat,
    Mark,
    Points,
    Polyline,
    Rule,
)
from cranfield.view.charts.scale import AxisScale
from cranfield.view.charts.svg_marks import Frame, draw_mark, hue_class, sample
from page_reader import read_page
from suites import tries

FRAME = Frame(AxisScale(0, 10, 100, 200), AxisScale(0, 10, 80, 20), 100, 200, 20, 80)
"""x = 0 … 10 on 100 … 200, y = 0 … 10 on 80 … 20."""
VALUE = st.floats(0, 10) | st.sampled_from([nan, inf, -inf])
PLACES = st.lists(st.tuples(VALUE, VALUE), max_size=6)


def numbers(markup: str) -> list[float]:
    return [
        float(each)
        for each in re.findall(r"-?\d+\.?\d*", "".join(re.findall(r'[dxy]="([^"]*)"', markup)))
    ]


@settings(deadline=None, max_examples=tries(60))
@given(PLACES)
def test_nothing_undefined_is_drawn_and_nothing_leaves_the_frame(
    places: list[tuple[float, float]],
) -> None:
    x, y = [place[0] for place in places], [place[1] for place in places]
    for mark in (Polyline(x=x, y=y), Points(x=x, y=y), Points(x=x, y=y, shape="ring")):
        page = read_page(draw_mark(mark, FRAME))
        shown = [each.attributes for each in page.all("circle")]
        known = [each for each in places if abs(each[0]) != inf and abs(each[1]) != inf]
        assert len(shown) == sum(a == a and b == b for a, b in known)
        assert all(100 <= float(each["cx"]) <= 200 for each in shown)
        assert all(20 <= float(each["cy"]) <= 80 for each in shown)
        assert "nan" not in draw_mark(mark, FRAME)
        assert "inf" not in draw_mark(mark, FRAME).replace("interval", "")


def test_a_bar_covers_what_it_spans_whichever_end_comes_first() -> None:
    for start, end in ((2.0, 7.0), (7.0, 2.0)):
        [box] = read_page(draw_mark(Bars(y=[5], start=[start], end=[end], thickness=2), FRAME)).all(
            "rect"
        )
        found = {key: float(box.attributes[key]) for key in ("x", "y", "width", "height")}
        # x: 100 + 10·2 to 100 + 10·7; y: 80 − 6·5 = 50, of height 6·2
        assert found == {"x": 120, "y": 44, "width": 50, "height": 12}


def test_a_bar_of_no_length_can_still_be_seen() -> None:
    [box] = read_page(draw_mark(Bars(y=[5], start=[3], end=[3]), FRAME)).all("rect")
    assert float(box.attributes["width"]) == 1


def test_columns_stand_on_the_floor() -> None:
    found = read_page(draw_mark(Columns(edges=[0, 5, 10], heights=[4, 0]), FRAME)).all("rect")
    [box] = found
    assert float(box.attributes["y"]) + float(box.attributes["height"]) == 80
    assert float(box.attributes["height"]) == 24


def test_a_gap_divides_a_line_and_an_interval_needs_both_ends() -> None:
    made = draw_mark(Polyline(x=[0, 1, 2, 3], y=[1, nan, 1, 1], dots=False), FRAME)
    assert made.count("M") == 2
    points = Points(x=[1, 2], y=[1, 2], low=[0, nan], high=[2, 3])
    assert draw_mark(points, FRAME).count("H") == 1


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1.0, "s0 fill l8"),
        (0.5, "s0 fill l4"),
        (0.01, "s0 fill l1"),
        (-1.0, "behind fill l8"),
    ],
)
def test_a_cell_is_as_full_as_its_share(value: float, kind: str) -> None:
    [path] = read_page(draw_mark(Heat(cells=[[value, 0.0, nan]], start=0), FRAME)).all("path")
    assert path.attributes["class"] == kind


def test_rules_cross_the_whole_panel() -> None:
    assert 'd="M150.0 20.0V80.0"' in draw_mark(Rule(at=5), FRAME)
    assert 'd="M100.0 50.0H200.0"' in draw_mark(Rule(at=5, along="y"), FRAME)


def test_each_hue_has_its_class() -> None:
    found = [hue_class(Polyline(x=[], y=[], hue=hue)) for hue in (0, HUES, QUIET, AHEAD, BEHIND)]
    assert found == ["s0", "s0", "quiet", "ahead", "behind"]
    assert hue_class(Rule(at=0)) == "rule"


@pytest.mark.parametrize(
    "mark",
    [
        Polyline(x=[], y=[]), Polyline(x=[], y=[], dashed=True), Points(x=[], y=[]), Rule(at=0),
        Points(x=[], y=[], shape="bar"), Points(x=[], y=[], shape="ring"),
        Bars(y=[], start=[], end=[], faint=True), Columns(edges=[], heights=[]),
        Heat(cells=[]),
    ],
)  # fmt: skip
def test_the_legend_shows_something_of_every_mark(mark: Mark) -> None:
    made = read_page(sample(mark, 10, 20))
    assert made.elements[0].name in ("path", "circle", "rect")
    assert numbers(sample(mark, 10, 20)) or made.all("circle")
