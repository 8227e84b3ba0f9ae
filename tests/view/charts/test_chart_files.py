"""Charts of assessments as one file: a panel for each, in the format of the file's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.base.errors import BadParameter, TooFew
from cranfield.validity.assessment import Chart, HeatMap, Line
from cranfield.view.charts.files import chart_format, draw, write_charts

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
