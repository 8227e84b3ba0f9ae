"""Charts as files for papers, drawn from the same definition as the page's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cranfield.base.errors import BadParameter, MissingLibrary
from cranfield.view.charts.files import draw_plot, write_plots
from cranfield.view.charts.plot import Axis, Plot, PlotPanel, Points, Polyline
from cranfield.view.page.report import charts_of, write_chart_files
from report_cases import HOSTILE, made_report

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


def test_every_chart_is_written_in_every_format(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    content = made_report(study=False)
    written = write_chart_files(content, tmp_path / "charts", ("svg", "png", "pdf"))
    starts = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    assert len(written) == 3 * len(charts_of(content))
    assert all(path.read_bytes().startswith(starts[path.suffix]) for path in written)


def test_charts_of_a_study_can_all_be_drawn() -> None:
    pytest.importorskip("matplotlib")
    charts = charts_of(made_report(HOSTILE))
    assert {"specification-curve", "importance", "ranks-1", "values-1"} <= set(charts)
    for plot in charts.values():
        draw_plot(plot).canvas.draw()


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
    with pytest.raises(MissingLibrary, match="pip install matplotlib"):
        draw_plot(PLOT)
