"""Plots as SVG: every value at its place, every chart with words for it."""

from __future__ import annotations

import re
from itertools import pairwise
from math import nan

from cranfield.view.charts.plot import (
    Axis,
    Bars,
    Columns,
    Heat,
    Mark,
    Plot,
    PlotPanel,
    Points,
    Polyline,
    Rule,
)
from cranfield.view.charts.svg import shortened, svg, text_width
from page_reader import PageReader, read_page
from report_cases import HOSTILE


def drawn(*marks: Mark, x: Axis | None = None, y: Axis | None = None, **of_plot: str) -> PageReader:
    panel = PlotPanel(
        x=x or Axis(low=0, high=10), y=y or Axis(low=0, high=10), marks=marks, height=100
    )
    words = {"name": "p", "title": "the title", "description": "the description", **of_plot}
    return read_page(svg(Plot(**words, panels=(panel,)), 400))  # type: ignore[arg-type]


def places(page: PageReader) -> list[tuple[float, float]]:
    return [
        (float(circle.attributes["cx"]), float(circle.attributes["cy"]))
        for circle in page.all("circle")
    ]


def test_a_chart_has_a_title_and_a_description() -> None:
    page = drawn()
    [picture] = page.all("svg")
    assert picture.attributes["role"] == "img"
    titled = {e.attributes["id"]: e.text for e in page.elements if "id" in e.attributes}
    assert titled[picture.attributes["aria-labelledby"]] == "the title"
    assert titled[picture.attributes["aria-describedby"]] == "the description"


def test_points_stand_where_their_values_are() -> None:
    found = places(drawn(Points(x=[0, 5, 10], y=[0, 10, 5])))
    (left, low), (middle, high), (right, half) = found
    assert abs(middle - (left + right) / 2) < 0.11
    assert low - high == 100  # the height of the panel: up is more
    assert abs(half - (low + high) / 2) < 0.11


def test_named_rows_are_read_from_the_top() -> None:
    page = drawn(Points(x=[1, 1], y=[0, 1]), y=Axis(labels=("first", "second")))
    (_, first), (_, second) = places(page)
    assert first < second
    assert [e.text for e in page.all("text") if e.attributes["class"] == "tick end"] == [
        "first",
        "second",
    ]


def test_undefined_values_are_not_drawn() -> None:
    page = drawn(
        Points(x=[1, nan], y=[1, 1], low=[0, nan], high=[2, nan]),
        Polyline(x=[1, nan, 3], y=[1, 2, 3]),
    )
    assert len(page.all("circle")) == 1 + 2
    assert "nan" not in str([e.attributes for e in page.elements])


def test_a_gap_in_a_line_stays_a_gap() -> None:
    page = drawn(Polyline(x=[1, 2, 3, 4, 5], y=[1, 1, nan, 2, 2], dots=False))
    [line] = [e for e in page.all("path") if e.attributes["class"] == "stroke"]
    assert line.attributes["d"].count("M") == 2


def test_very_many_points_are_one_element() -> None:
    page = drawn(Points(x=[n / 100 for n in range(1000)], y=[5.0] * 1000))
    assert not page.all("circle")
    [specks] = [e for e in page.all("path") if e.attributes["class"] == "specks"]
    assert specks.attributes["d"].count("M") > 300


def test_bars_are_as_long_as_their_values() -> None:
    page = drawn(Bars(y=[0, 1], start=[0, 5], end=[10, 10]), y=Axis(labels=("a", "b")))
    whole, half = (float(bar.attributes["width"]) for bar in page.all("rect"))
    assert abs(whole - 2 * half) < 0.21


def test_columns_are_as_high_as_their_counts() -> None:
    page = drawn(Columns(edges=[0, 5, 10], heights=[10, 0]))
    [only] = page.all("rect")
    assert only.attributes["height"] == "100"


def test_cells_are_fuller_where_shares_are_higher_and_their_text_stays_readable() -> None:
    labels = Axis(labels=("a", "b"))
    heat = Heat(cells=[[1.0, 0.1], [nan, -0.6]], shown=[["1", "0.1"], ["", "−0.6"]], hue=2)
    page = drawn(heat, x=labels, y=labels)
    levels = [e.attributes["class"] for e in page.all("path") if "fill" in e.attributes["class"]]
    assert levels == ["behind fill l2", "s2 fill l1", "s2 fill l4"]  # half, for the text
    assert "−0.6" in [e.text for e in page.all("text")]
    bare = drawn(Heat(cells=[[1.0, 0.1]]), x=labels, y=Axis(labels=("a",)))
    assert [e.attributes["class"] for e in bare.all("path")][-2:] == ["s0 fill l1", "s0 fill l8"]


def test_figures_in_cells_have_the_colour_of_text_and_no_line_through_them() -> None:
    labels = Axis(labels=("a",))
    page = drawn(Heat(cells=[[0.5]], shown=[["0.5"]]), x=labels, y=labels)
    assert not [path for path in page.all("path") if path.attributes["class"] == "grid"]
    assert {group.attributes.get("class") for group in page.all("g")} == {"axes", None}
    bare = drawn(Heat(cells=[[0.5]]), x=labels, y=labels)
    assert [path for path in bare.all("path") if path.attributes["class"] == "grid"]


def test_a_named_rule_is_dashed_and_in_the_legend() -> None:
    page = drawn(Rule(at=5.0, name="chance"), Polyline(x=[0, 1], y=[0, 1], name="s", hue=9))
    legend = [e for e in page.elements if e.attributes.get("class") == "legend"]
    assert [e.text for e in legend] == ["chances"]
    assert any(e.attributes.get("class") == "s1" for e in page.all("g"))  # hues repeat after 8


def test_hostile_names_stay_text() -> None:
    page = drawn(
        Points(x=[1], y=[0], name=HOSTILE[2]),
        y=Axis(labels=HOSTILE),
        title=HOSTILE[0],
        description=HOSTILE[1],
    )
    assert {e.name for e in page.elements} <= {
        "svg",
        "title",
        "desc",
        "g",
        "text",
        "path",
        "circle",
    }
    assert not any(key.startswith("on") for e in page.elements for key in e.attributes)


def test_long_names_are_cut_in_the_middle_and_told_in_full() -> None:
    long = "item-neighbourhood with a hundred neighbours and shrinkage 25"
    page = drawn(Points(x=[1], y=[0]), y=Axis(labels=(long,)))
    [label] = [e for e in page.all("text") if "…" in e.text]
    assert label.text.startswith("item-neighb")
    assert long in label.text  # its own title
    assert text_width(shortened(long, 120)) <= 120


def test_the_broadest_usual_font_has_room() -> None:
    in_deja_vu_sans = {
        "RatedTogether − DampedMean": 180.8,
        "Popularity − DampedMean": 154.7,
        "SVD − RatedTogether": 124.7,
        "DampedMean": 80.1,
    }
    assert all(text_width(text) + 6 >= width for text, width in in_deja_vu_sans.items())


def test_labels_that_do_not_fit_side_by_side_are_slanted() -> None:
    labels = tuple(f"a rather long answer {n}" for n in range(6))
    page = drawn(Polyline(x=[0, 1], y=[0, 1]), x=Axis(labels=labels))
    turned = [
        e for e in page.all("text") if re.match(r"rotate\(-38", e.attributes.get("transform", ""))
    ]
    assert len(turned) == 6


def test_a_cell_without_room_has_no_text() -> None:
    labels = Axis(labels=tuple(f"m{n}" for n in range(20)))
    heat = Heat(cells=[[0.5] * 20], shown=[["0.50"] * 20])
    page = drawn(heat, x=labels, y=Axis(labels=("a",)))
    assert not [e for e in page.all("text") if e.text == "0.50"]


def test_the_names_of_lines_stand_at_their_ends_and_apart() -> None:
    lines = [Polyline(x=[0, 10], y=[5, y], name=f"n{y}", hue=y, direct=True) for y in (5, 6, 5)]
    page = drawn(*lines)
    names = [e for e in page.all("text") if e.attributes["class"] == "name"]
    assert sorted(e.text for e in names) == ["n5", "n5", "n6"]
    places = [float(e.attributes["y"]) for e in names]
    assert all(below - above >= 13 for above, below in pairwise(places))
    assert not [e for e in page.elements if e.attributes.get("class") == "legend"]
