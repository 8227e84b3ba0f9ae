"""Charts as files for papers, drawn from the same definition as the page's."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import BadParameter, MissingLibrary
from cranfield.view.charts.files import colour, draw_plot, plain, write_plots
from cranfield.view.charts.plot import (
    AHEAD,
    HUES,
    QUIET,
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
from cranfield.view.page.report import charts_of, write_chart_files
from report_cases import HOSTILE, made_report
from suites import spread

PLOT = Plot(
    name="p",
    title="costs $5",
    description="d.",
    panels=(
        PlotPanel(
            y=Axis(labels=("a", "b")),
            marks=(Points(x=[1, 2], y=[0, 1], low=[0.5, 1.5], high=[2, 3], name="v"),),
        ),
        PlotPanel(x=Axis(reverse=True), marks=(Polyline(x=[100, 50], y=[1.0, 0.5], name="$w"),)),
    ),
)


def test_a_figure_has_the_panels_and_values_of_the_plot() -> None:
    pytest.importorskip("matplotlib")
    above, below = draw_plot(PLOT).axes
    assert above.collections[-1].get_offsets().tolist() == [[1, 0], [2, 1]]
    assert above.yaxis_inverted()  # named rows are read from the top
    assert [label.get_text() for label in above.get_yticklabels()] == ["a", "b"]
    assert list(below.lines[0].get_ydata()) == [1.0, 0.5]
    assert below.xaxis_inverted()


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "start"), spread([("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")], every=3)
)
def test_every_chart_is_written_in_every_format(tmp_path: Path, kind: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    content = made_report(study=False)
    written = write_chart_files(content, tmp_path / "charts", (kind,))
    assert [path.suffix for path in written] == [f".{kind}"] * len(charts_of(content))
    assert all(path.read_bytes().startswith(start) for path in written)


def test_charts_of_a_study_can_all_be_drawn() -> None:
    pytest.importorskip("matplotlib")
    charts = charts_of(made_report(HOSTILE))
    assert {"specification-curve", "importance", "ranks-1", "values-1"} <= set(charts)
    for plot in charts.values():
        draw_plot(plot).canvas.draw()


@pytest.mark.long
def test_the_same_charts_give_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for kind in ("svg", "png", "pdf"):
        one, two = (write_plots({"p": PLOT}, tmp_path / n, [kind])[0].read_bytes() for n in "ab")
        assert one == two


def test_a_format_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="one of svg, png, pdf"):
        write_plots({"p": PLOT}, tmp_path, ["gif"])


def test_without_matplotlib_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "cranfield.view.charts.figure", raising=False)
    with pytest.raises(MissingLibrary, match="pip install matplotlib"):
        draw_plot(PLOT)


pytest.importorskip("matplotlib")

NO_NAMES = Axis()


def drawn(*marks: Mark, x: Axis = NO_NAMES, y: Axis = NO_NAMES) -> tuple[Any, Any]:
    """The figure of some marks, and its only axes."""
    panel = PlotPanel(x=x, y=y, marks=marks)
    figure = draw_plot(Plot(name="p", title="t", description="d", panels=(panel,)))
    [on] = figure.axes
    return figure, on


def names_in(figure: Any) -> list[str]:
    return [text.get_text() for each in figure.legends for text in each.get_texts()]


def test_every_name_is_in_the_legend_whatever_it_starts_with() -> None:
    figure, _ = drawn(
        Polyline(x=[0, 1], y=[0, 1], name="_hidden"),
        Points(x=[0], y=[0], name="$x$"),
        Bars(y=[0], start=[0], end=[1], name="a\nb"),
        Rule(at=0.5, name="rule"),
    )
    assert sorted(names_in(figure)) == [" _hidden", r"\$x\$", "a�b", "rule"]


def test_a_name_of_dollars_is_no_formula(tmp_path: Path) -> None:
    assert plain("$\\frac$") == r"\$\frac\$"
    plot = Plot(
        name="p", title="$\\frac$", description="d",
        panels=(PlotPanel(marks=(Polyline(x=[0, 1], y=[0, 1], name="$\\nothing{$"),)),),
    )  # fmt: skip
    [path] = write_plots({"p": plot}, tmp_path, ("svg",))
    assert "$\\frac$" in path.read_text()


def test_letters_that_the_font_lacks_are_no_news(tmp_path: Path) -> None:
    plot = Plot(name="p", title="日本", description="d", panels=(PlotPanel(),))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [path] = write_plots({"p": plot}, tmp_path, ("png",))
    assert path.read_bytes().startswith(b"\x89PNG")


def test_bars_reach_from_their_start_to_their_end() -> None:
    _, on = drawn(Bars(y=[0, 1], start=[0.25, 0.5], end=[1.0, 0.75]))
    boxes = [patch.get_bbox() for patch in on.patches]
    assert [(box.x0, box.x1) for box in boxes] == [(0.25, 1.0), (0.5, 0.75)]


def test_columns_stand_between_their_edges() -> None:
    _, on = drawn(Columns(edges=[0, 1, 3], heights=[2, 4]))
    boxes = [patch.get_bbox() for patch in on.patches]
    assert [(box.x0, box.x1, box.y1) for box in boxes] == [(0, 1, 2), (1, 3, 4)]


def test_a_rule_stands_at_its_value() -> None:
    _, on = drawn(Rule(at=0.25), Rule(at=0.5, along="y"))
    assert list(on.lines[0].get_xdata()) == [0.25, 0.25]
    assert list(on.lines[1].get_ydata()) == [0.5, 0.5]


def test_the_name_of_a_direct_line_stands_at_its_end() -> None:
    figure, on = drawn(Polyline(x=[0, 2], y=[1, 3], name="a", direct=True))
    [note] = on.texts
    assert (note.get_text(), note.xy) == ("a", (2, 3))
    assert names_in(figure) == []


def test_intervals_are_drawn_around_their_points() -> None:
    _, on = drawn(Points(x=[1, 2], y=[0, 1], low=[0.5, 1.5], high=[1.5, 2.5]))
    lines = on.collections[0].get_segments()
    assert [line.tolist() for line in lines] == [[[0.5, 0], [1.5, 0]], [[1.5, 1], [2.5, 1]]]


def test_cells_show_their_text_in_a_colour_that_can_be_read() -> None:
    heat = Heat(cells=[[1.0, 0.1], [-0.9, 0.0]], shown=[["1.0", "0.1"], ["−0.9", "0.0"]])
    _, on = drawn(heat, x=Axis(labels=("a", "b")), y=Axis(labels=("c", "d")))
    assert [(each.get_text(), each.get_color()) for each in on.texts] == [
        ("1.0", "white"), ("0.1", "black"), ("−0.9", "white"), ("0.0", "black"),
    ]  # fmt: skip
    assert [each.get_position() for each in on.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_colours_repeat_after_the_last_and_meanings_have_their_own() -> None:
    assert colour(0) == colour(HUES) == colour(AHEAD)
    assert len({colour(hue) for hue in range(HUES)}) == HUES
    assert colour(QUIET) not in {colour(hue) for hue in range(HUES)}
