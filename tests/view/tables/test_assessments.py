from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
import pytest

from cranfield.base.errors import BadParameter, MissingLibrary, TooFew
from cranfield.validity.assessment import Assessment, Chart, HeatMap, Line
from cranfield.view.charts.assessment_plots import chart_format, draw, write_charts
from cranfield.view.tables.assessments import assessment_text

CHART = Chart("ratings, $5", "% of the test set", "τ", (Line("P@5", (100, 50), (1.0, 0.5)),))
FLAT = Chart("curve", "pair", "p-value", (Line("RR", (1, 2), (0.9, 0.1)),))


def test_tables_come_first_then_the_reading_then_notes() -> None:
    table = pl.DataFrame({"metric": ["P", "[RR]"], "DP": [0.51234, float("nan")], "n": [3, None]})
    made = Assessment("any", "P is best.", {"power": table}, {}, notes=("few pairs.",))
    lines = assessment_text(made).splitlines()
    assert lines[0] == "power"
    assert lines[1].split() == ["metric", "DP", "n"]
    assert lines[3].split() == ["P", "0.512", "3"]
    assert lines[4].split() == ["[RR]", "–", "–"]
    assert lines[-2:] == ["P is best.", "note: few pairs."]


def test_long_tables_end_with_what_is_not_shown() -> None:
    table = pl.DataFrame({"metric": [str(n) for n in range(45)]})
    text = assessment_text(Assessment("any", "So.", {"long": table}, {}))
    assert "… and 5 more, all in the JSON (--json)" in text


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


def test_a_file_name_tells_the_format() -> None:
    assert chart_format("a/b.SVG") == "svg"
    with pytest.raises(BadParameter, match="ends in svg, html, png or pdf"):
        chart_format("a.docx")


def test_a_page_escapes_its_title(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_charts([CHART], tmp_path / "c.html", "html", "a < b")
    text = (tmp_path / "c.html").read_text("utf-8")
    assert "<title>a &lt; b</title>" in text
    assert "ratings, $5" in text


def test_no_charts_are_no_picture(tmp_path: Path) -> None:
    with pytest.raises(TooFew):
        write_charts([], tmp_path / "c.svg", "svg")


def test_without_matplotlib_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingLibrary, match="pip install matplotlib"):
        draw([CHART])
