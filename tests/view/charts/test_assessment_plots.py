"""Charts of assessments as plots, under names that files and addresses can have."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from math import nan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, MissingLibrary, TooFew
from cranfield.validity.assessment import Chart, HeatMap, Line
from cranfield.view.charts.assessment_plots import (
    MOST_FIGURES,
    as_plot,
    assessment_plots,
    chart_format,
    draw,
    write_charts,
)
from cranfield.view.charts.plot import Heat, Polyline
from report_cases import made_assessment
from suites import tries

TITLES = ("popular-items, arithmetic mean", "Robustness of all")


@settings(deadline=None, max_examples=tries(60))
@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=3))
def test_names_of_charts_are_fit_for_files_and_addresses(criteria: list[str]) -> None:
    made = [replace(made_assessment(), criterion=criterion) for criterion in criteria]
    names = [plot.name for plots in assessment_plots([*made, made[0]]) for plot in plots]
    assert len(set(names)) == len(names) == 2 * (len(made) + 1)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_a_chart_is_named_by_criterion_and_title() -> None:
    charts = [Chart(title, "x", "y", (Line("a", (1.0,), (1.0,)),)) for title in TITLES]
    made = replace(made_assessment(), criterion="robustness", charts=tuple(charts))
    assert [[plot.name for plot in plots] for plots in assessment_plots([made, made])] == [
        ["robustness-popular-items-arithmetic-mean", "robustness-of-all"],
        ["robustness-popular-items-arithmetic-mean-2", "robustness-of-all-2"],
    ]


def test_a_curve_is_a_line_and_its_points_are_reported() -> None:
    made = as_plot(Chart("T", "x", "y", (Line("a", (1.0, 2.0), (0.5, -0.25)),)), "n")
    [line] = made.panels[0].marks
    assert isinstance(line, Polyline)
    assert (list(line.x), list(line.y), line.name) == ([1.0, 2.0], [0.5, -0.25], "a")
    assert made.rows == (("a", "1", "0.500"), ("a", "2", "−0.250"))
    assert made.panels[0].x.whole
    assert made.description == "y by x, a line for each of a."
    assert not made.panels[0].x.reverse


def test_places_between_whole_numbers_are_told_apart() -> None:
    made = as_plot(Chart("T", "x", "y", (Line("a", (1.0, 2.5), (0.5, 0.75)),)), "n")
    assert made.rows == (("a", "1.000", "0.500"), ("a", "2.500", "0.750"))
    assert not made.panels[0].x.whole


def test_shares_of_the_test_set_go_down_from_the_whole() -> None:
    made = as_plot(Chart("T", "% of the test set", "τ", (Line("a", (100, 1), (1, 0)),)), "n")
    assert made.panels[0].x.reverse


def test_of_very_many_points_the_first_are_reported() -> None:
    points = tuple(float(n) for n in range(100))
    made = as_plot(Chart("T", "x", "y", (Line("a", points, points),)), "n")
    assert len(made.rows) == 60
    assert made.rows_note == "The first 60 of 100 points."


@pytest.mark.parametrize(("columns", "shown"), [(2, True), (MOST_FIGURES + 1, False)])
def test_a_heat_map_has_figures_where_they_can_be_read(columns: int, shown: bool) -> None:
    names = tuple(f"m{n}" for n in range(columns))
    values = ((0.5,) * (columns - 1) + (nan,),)
    made = as_plot(HeatMap("T", ("r",), names, values), "n")
    [heat] = made.panels[0].marks
    assert isinstance(heat, Heat)
    assert bool(heat.shown) is shown
    assert made.rows[0] == ("r", *["0.50"] * (columns - 1), "–")
    assert made.description.startswith("Values from 0.50 to 0.50,")


CURVE = Chart("T $1", "k", "τ", (Line("_a", (1.0, 2.0), (0.5, 0.25)), Line("b", (1.0,), (0.1,))))
HEAT = HeatMap("H", ("r",), ("c", "d"), ((1.0, -0.5),))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.svg", "svg"), ("A.PNG", "png"), ("a.b.pdf", "pdf"), ("x/y.html", "html")],
)
def test_the_format_is_that_of_the_name(name: str, kind: str) -> None:
    assert chart_format(name) == kind


@pytest.mark.parametrize("name", ["a", "a.gif", ".svg", "svg"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(BadParameter, match="a file that ends in svg, html, png or pdf"):
        chart_format(name)


def test_every_chart_has_a_panel_with_its_values() -> None:
    pytest.importorskip("matplotlib")
    curve, heat, other, empty = draw([CURVE, HEAT, CURVE]).axes
    assert [list(line.get_ydata()) for line in curve.lines] == [[0.5, 0.25], [0.1]]
    assert curve.get_title() == r"T \$1"
    assert [text.get_text() for text in curve.get_legend().get_texts()] == [" _a", "b"]
    assert [text.get_text() for text in heat.texts] == ["1.00", "−0.50"]
    assert other.get_xlabel() == "k"
    assert not empty.axison


def test_a_page_holds_the_picture_and_says_what_it_shows(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.html"
    write_charts([HEAT], path, "html", "<b> & c")
    page = path.read_text(encoding="utf-8")
    assert "<title>&lt;b&gt; &amp; c</title>" in page
    assert "<p>&lt;b&gt; &amp; c</p>" in page
    assert page.count("<svg") == page.count("</svg>") == 1
    assert "<?xml" not in page


def test_nothing_to_draw_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TooFew, match="curves"):
        write_charts([], tmp_path / "a.svg", "svg")
    assert list(tmp_path.iterdir()) == []


CHART = Chart("ratings, $5", "% of the test set", "τ", (Line("P@5", (100, 50), (1.0, 0.5)),))
FLAT = Chart("curve", "pair", "p-value", (Line("RR", (1, 2), (0.9, 0.1)),))


def test_a_figure_has_a_panel_per_chart_and_a_line_per_metric() -> None:
    pytest.importorskip("matplotlib")
    figure = draw([CHART, FLAT, FLAT])
    panels = figure.axes
    assert [panel.axison for panel in panels] == [True, True, True, False]
    assert list(panels[0].lines[0].get_xdata()) == [100, 50]
    assert list(panels[0].lines[0].get_ydata()) == [1.0, 0.5]
    assert panels[0].xaxis_inverted()  # the full test set stands first
    assert not panels[1].xaxis_inverted()
    assert panels[1].get_legend().get_texts()[0].get_text() == "RR"


def test_a_heat_map_has_a_cell_per_pair_and_its_figure() -> None:
    pytest.importorskip("matplotlib")
    rows = ((1.0, -0.25), (float("nan"), 1.0))
    panel = draw([HeatMap("τ", ("P", "$"), ("P", "$"), rows)]).axes[0]
    shown = panel.images[0].get_array()
    assert shown.tolist() == [[1.0, -0.25], [None, 1.0]]  # what is undefined is masked
    assert [text.get_text() for text in panel.texts] == ["1.00", "−0.25", "–", "1.00"]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["P", r"\$"]


def test_a_large_heat_map_has_room_for_its_labels_and_no_figures() -> None:
    pytest.importorskip("matplotlib")
    names = tuple(f"m{number}" for number in range(45))
    figure = draw([HeatMap("τ", names, names, ((0.5,) * 45,) * 45)])
    assert not figure.axes[0].texts
    assert figure.get_size_inches().min() > 45 * 0.2


def test_without_matplotlib_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "cranfield.view.charts.figure", raising=False)
    with pytest.raises(MissingLibrary, match="pip install matplotlib"):
        draw([CHART])
