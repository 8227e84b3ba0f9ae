"""Plots of one evaluated design show the numbers of its scores, summary and comparison."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.scoring.aggregations import Median
from cranfield.scoring.summary import Summary
from cranfield.view.charts.pair_plots import p_value_plot, pair_plots
from cranfield.view.charts.plot import Bars, Columns, Plot, Points, Polyline, Rule
from cranfield.view.charts.run_plots import coverage_plot, run_plots, value_plots
from cranfield.view.charts.user_plots import difference_plot, distribution_plots
from cranfield.view.report_content import EvaluationContent
from report_cases import SYSTEMS, made_evaluation

CONTENT = made_evaluation()
ALONE = made_evaluation(("only",))


def marks(plot: Plot, kind: type) -> list[object]:
    return [mark for panel in plot.panels for mark in panel.marks if isinstance(mark, kind)]


def test_systems_are_ordered_by_the_first_metric() -> None:
    values = [CONTENT.summary.row(system, "nDCG@10").value for system in CONTENT.systems]
    assert values == sorted(values, reverse=True)
    assert set(CONTENT.systems) == set(SYSTEMS)


def test_every_metric_shows_the_values_and_intervals_of_the_summary() -> None:
    plots = value_plots(CONTENT)
    assert [plot.title for plot in plots] == [
        "nDCG@10, gain = rating: what each system reached", "P@10: what each system reached",
    ]  # fmt: skip
    [points] = marks(plots[0], Points)
    assert isinstance(points, Points)
    rows = [CONTENT.summary.row(system, "nDCG@10") for system in CONTENT.systems]
    assert list(points.x) == [row.value for row in rows]
    assert list(points.low) == [row.low for row in rows]
    assert plots[0].rows[0][:2] == (rows[0].system, f"{rows[0].value:.4f}")


def test_a_random_ranking_is_a_line_where_it_is_known() -> None:
    assert not marks(value_plots(CONTENT)[0], Rule)
    rows = tuple(replace(row, random=0.01) for row in CONTENT.summary.rows)
    known = replace(CONTENT, summary=Summary(rows, CONTENT.summary.choice))
    [rule] = marks(value_plots(known)[0], Rule)
    assert isinstance(rule, Rule)
    assert rule.at == 0.01


def test_random_rankings_that_differ_by_system_are_points() -> None:
    of_system = dict(zip(CONTENT.systems, (0.01, 0.02, 0.03), strict=True))
    rows = tuple(replace(row, random=of_system[row.system]) for row in CONTENT.summary.rows)
    plot = value_plots(replace(CONTENT, summary=Summary(rows, CONTENT.summary.choice)))[0]
    assert not marks(plot, Rule)
    random = marks(plot, Points)[0]
    assert isinstance(random, Points)
    assert (random.name, list(random.x)) == ("a random ranking", [0.01, 0.02, 0.03])
    assert "a random ranking would get 0.0100 to 0.0300" in plot.description


def test_an_interval_that_is_not_about_the_value_is_not_shown() -> None:
    choice = replace(CONTENT.summary.choice, aggregation=Median())
    known = replace(CONTENT, summary=Summary(CONTENT.summary.rows, choice))
    plot = value_plots(known)[0]
    [points] = marks(plot, Points)
    assert isinstance(points, Points)
    assert np.isnan(points.low).all()
    assert "interval" not in plot.description + points.name
    assert [row[2] for row in plot.rows] == ["–"] * 3


def test_strips_show_the_quantiles_of_users() -> None:
    plot = distribution_plots(CONTENT)[0]
    scores = CONTENT.scores.of(CONTENT.systems[0], "nDCG@10")
    outer, inner = marks(plot, Bars)
    assert isinstance(outer, Bars)
    assert isinstance(inner, Bars)
    ends = (outer.start[0], inner.start[0], inner.end[0], outer.end[0])
    assert ends == pytest.approx(np.quantile(scores, [0.05, 0.25, 0.75, 0.95]))


def test_users_without_a_list_count_as_the_summary_counts_them() -> None:
    last = CONTENT.systems.index("Popularity")
    shown = distribution_plots(CONTENT)[0].rows[last]
    assert shown[-1] == f"{CONTENT.summary.row('Popularity', 'nDCG@10').mean:.3f}"


def test_differences_count_every_user_once() -> None:
    plot = difference_plot(CONTENT)
    assert plot is not None
    assert CONTENT.comparison is not None
    pair = next(
        p for p in CONTENT.comparison.pairs
        if p.metric == "nDCG@10" and {p.first, p.second} == set(CONTENT.systems[:2])
    )  # fmt: skip
    above, below = marks(plot, Columns)
    assert isinstance(above, Columns)
    assert isinstance(below, Columns)
    assert {sum(above.heights), sum(below.heights)} == {pair.wins, pair.losses}
    assert above.edges[0] == 0.0 == below.edges[-1]
    assert int(plot.rows[-1][2]) == pair.ties


def test_pairs_are_grouped_by_what_may_be_concluded() -> None:
    plot = pair_plots(CONTENT)[0]
    assert CONTENT.comparison is not None
    pairs = [pair for pair in CONTENT.comparison.pairs if pair.metric == "nDCG@10"]
    shown = {
        x: mark.name for mark in marks(plot, Points) if isinstance(mark, Points) for x in mark.x
    }
    for pair in pairs:
        assert (shown[abs(pair.difference)] == "may be chance") == (not pair.significant)


def test_the_system_that_scores_more_comes_first() -> None:
    turned = made_evaluation(SYSTEMS[::-1], seed=7)
    for row in pair_plots(turned)[0].rows:
        assert row[1].startswith("+")
    assert turned.comparison is not None
    for pair in turned.comparison.pairs:
        if pair.metric == "nDCG@10":
            ordered = (
                (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
            )
            low, high = sorted((abs(pair.low), abs(pair.high)))
            shown = {row[0]: row[2] for row in pair_plots(turned)[0].rows}[" − ".join(ordered)]
            assert f"{high:.4f}" in shown
            assert f"{low:.4f}" in shown


def test_of_very_many_pairs_those_that_differ_most_are_shown() -> None:
    many = made_evaluation(tuple(f"s{n}" for n in range(10)), users=30)
    plot = pair_plots(many)[0]
    assert len(plot.rows) == 30
    assert plot.rows_note == "The 30 pairs that differ most."


def test_p_value_curves_descend_and_need_three_systems() -> None:
    plot = p_value_plot(CONTENT)
    assert plot is not None
    lines = [mark for mark in marks(plot, Polyline) if isinstance(mark, Polyline)]
    assert [line.name for line in lines] == ["nDCG@10, gain = rating", "P@10"]
    assert all(list(line.y) == sorted(line.y, reverse=True) for line in lines)
    assert p_value_plot(made_evaluation(SYSTEMS[:2])) is None


def test_coverage_is_shown_where_it_is_known() -> None:
    plot = coverage_plot(CONTENT)
    assert plot is not None
    assert plot.rows[-1][:3] == ("Popularity", "90.0\u202f%", "77.0\u202f%")
    for full in (float("nan"), 1.0):
        rows = tuple(
            replace(row, user_coverage=full, coverage=full) for row in CONTENT.summary.rows
        )
        assert (
            coverage_plot(replace(CONTENT, summary=Summary(rows, CONTENT.summary.choice))) is None
        )


@pytest.mark.parametrize("content", [CONTENT, ALONE])
def test_charts_have_names_of_their_own_and_words(content: EvaluationContent) -> None:
    plots = run_plots(content)
    assert len({plot.name for plot in plots}) == len(plots)
    assert all(plot.description.endswith(".") and plot.rows for plot in plots)


def test_one_system_has_no_pairs() -> None:
    assert pair_plots(ALONE) == []
    assert difference_plot(ALONE) is None


def test_without_any_value_nobody_is_the_highest() -> None:
    rows = tuple(replace(row, value=float("nan")) for row in CONTENT.summary.rows)
    plot = value_plots(replace(CONTENT, summary=Summary(rows, CONTENT.summary.choice)))[0]
    assert plot.description.startswith("No system has a value")


def test_coverage_has_two_bars_side_by_side_for_each_system() -> None:
    plot = coverage_plot(CONTENT)
    assert plot is not None
    users, filled = marks(plot, Bars)
    assert isinstance(users, Bars)
    assert isinstance(filled, Bars)
    assert list(users.y) == [-0.2, 0.8, 1.8]
    assert list(filled.y) == pytest.approx([0.2, 1.2, 2.2])
    assert (users.name, filled.name) == ("users with a list", "Coverage@10")
    assert list(users.start) == list(filled.start) == [0.0] * 3
    assert list(users.end) == [
        CONTENT.summary.row(system, "nDCG@10").user_coverage for system in CONTENT.systems
    ]


@pytest.mark.parametrize("field", ["user_coverage", "coverage"])
def test_one_system_that_lacks_something_is_enough_for_a_chart(field: str) -> None:
    whole = {"user_coverage": 1.0, "coverage": 1.0}
    rows = [replace(row, **whole) for row in CONTENT.summary.rows]  # type: ignore[arg-type]
    rows[0] = replace(rows[0], **{field: 0.5})  # type: ignore[arg-type]
    content = replace(CONTENT, summary=Summary(tuple(rows), CONTENT.summary.choice))
    assert coverage_plot(content) is not None
