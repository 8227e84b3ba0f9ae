"""What a paper prints beside what was computed here."""

from __future__ import annotations

import polars as pl
import pytest

from cranfield.view.charts.plot import Points, Polyline
from cranfield.view.charts.printed_plots import printed_plot

ROWS = pl.DataFrame(
    {
        "metric": ["P", "AP", "RR"],
        "kNN": [0.4, 0.5, 0.6],
        "kNN_printed": [0.41, None, 0.55],
        "p": [0.01, 0.5, 0.9],
        "p_printed": [0.02, 0.4, 0.8],
        "users": [6040, 6040, 6040],
        "users_printed": [6040, 6040, 6040],
    }
)


def test_each_printed_figure_has_a_row_with_ours_and_theirs() -> None:
    plot = printed_plot(ROWS, "name", "Title")
    assert plot is not None
    [panel] = plot.panels
    assert panel.y.labels == (
        "P, kNN",
        "RR, kNN",
    )  # p and users are not drawn
    theirs, ours = panel.marks
    assert isinstance(theirs, Points)
    assert isinstance(ours, Points)
    assert (list(theirs.x), list(ours.x)) == ([0.41, 0.55], [0.4, 0.6])
    assert plot.rows[0] == ("P, kNN", "0.4000", "0.4100")


def test_many_figures_are_points_beside_the_line_of_the_same() -> None:
    count = 31
    rows = pl.DataFrame({"ours": [k / count for k in range(count)], "ours_printed": [0.5] * count})
    plot = printed_plot(rows, "name", "Title")
    assert plot is not None
    line, points = plot.panels[0].marks
    assert isinstance(line, Polyline)
    assert list(line.x) == list(line.y) == [0.0, 30 / 31]
    assert isinstance(points, Points)
    assert list(points.x) == [0.5] * count


def test_figures_of_the_authors_are_not_called_ours() -> None:
    rows = pl.DataFrame({"metric": ["P"], "published": [0.5], "published_printed": [0.6]})
    plot = printed_plot(rows, "name", "DP")
    assert plot is not None
    assert (plot.title, plot.headings) == (
        "DP: published and printed", ("figure", "published", "printed")
    )  # fmt: skip
    assert plot.rows == (("P", "0.5000", "0.6000"),)
    assert [mark.name for mark in plot.panels[0].marks if isinstance(mark, Points)] == [
        "printed", "published",
    ]  # fmt: skip


def test_a_title_says_once_what_is_beside_what() -> None:
    titles = ["Title", "Values, ours and as printed"]
    plots = [printed_plot(ROWS, "name", title) for title in titles]
    found = [plot.title for plot in plots if plot is not None]
    assert found == ["Title: ours and printed", "Values, ours and as printed"]


@pytest.mark.parametrize(
    "rows",
    [pl.DataFrame({"ours": [0.5]}), ROWS.clear(), ROWS.with_columns(kNN_printed=float("nan"))],
)
def test_nothing_printed_is_nothing_to_draw(rows: pl.DataFrame) -> None:
    assert printed_plot(rows, "name", "Title") is None
