"""Pairs and users as charts: the numbers of the comparison, whichever way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.scoring.summary import summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import StudentT
from cranfield.view.charts.pair_plots import p_value_plot, pair_plots
from cranfield.view.charts.plot import Columns, Points, Polyline
from cranfield.view.charts.user_plots import difference_plot, distribution_plots, user_scores
from cranfield.view.report_content import EvaluationContent
from cranfield.view.tables.comparisons import marks
from score_cases import N, U, scores_of

A, B, C = [0.9, 0.8, 0.7, 0.9], [0.5, 0.5, 0.4, 0.8], [0.5, 0.9, 0.4, 0.9]


def cell_of(**systems: list[float | None]) -> EvaluationContent:
    scores = scores_of(systems)
    made = compare(scores, ComparisonChoice(test=StudentT())) if len(systems) > 1 else None
    return EvaluationContent(scores=scores, summary=summarise(scores), comparison=made)


THREE = cell_of(b=[*B], a=[*A], c=[*C])


def test_the_better_system_stands_first_and_the_largest_difference_on_top() -> None:
    [plot] = pair_plots(THREE)
    assert plot.rows[0][:2] == ("a − b", f"{(0.4 + 0.3 + 0.3 + 0.1) / 4:+.4f}")
    assert [row[0] for row in plot.rows] == ["a − b", "a − c", "c − b"]
    assert plot.panels[0].y.labels == tuple(row[0] for row in plot.rows)


def test_turned_round_a_pair_is_the_same() -> None:
    [one], [other] = pair_plots(cell_of(a=[*A], b=[*B])), pair_plots(cell_of(b=[*B], a=[*A]))
    assert one.rows == other.rows
    ours, theirs = (
        next(mark for mark in plot.panels[0].marks if isinstance(mark, Points))
        for plot in (one, other)
    )
    assert np.allclose([*ours.low, *ours.high], [*theirs.low, *theirs.high])


def test_significant_pairs_are_counted_in_good_english() -> None:
    [plot] = pair_plots(THREE)
    sure = sum(pair.significant for pair in THREE.comparison.pairs)  # type: ignore[union-attr]
    assert plot.description.startswith(f"{sure} of 3 pairs differ")
    [alone] = pair_plots(cell_of(a=[*A], b=[*B]))
    assert alone.description.startswith(("1 of 1 pair differs", "0 of 1 pair differ "))


def test_p_values_descend_and_are_those_of_the_pairs() -> None:
    plot = p_value_plot(THREE)
    assert plot is not None
    line = next(mark for mark in plot.panels[0].marks if isinstance(mark, Polyline))
    found = sorted((pair.p_value for pair in THREE.comparison.pairs), reverse=True)  # type: ignore[union-attr]
    assert list(line.y) == found
    assert p_value_plot(cell_of(a=[*A], b=[*B])) is None


def test_users_are_counted_by_who_scores_more_for_them() -> None:
    plot = difference_plot(THREE)
    assert plot is not None
    # a minus c: +0.4, −0.1, +0.3, 0
    assert plot.title.endswith("a minus c, user by user")
    assert plot.description == ("a scores more for 2 users, c for 1; both score the same for 1.")
    columns = [mark for mark in plot.panels[0].marks if isinstance(mark, Columns)]
    assert [sum(column.heights) for column in columns] == [2, 1]


def test_strips_are_over_those_who_enter() -> None:
    made = cell_of(a=[0.2, 0.4, U, 0.6], b=[0.1, N, 0.3, 0.2])
    assert user_scores(made, "a", "P@10").tolist() == [0.2, 0.4, 0.6]
    assert user_scores(made, "b", "P@10").tolist() == [0.1, 0.0, 0.3, 0.2]
    [plot] = distribution_plots(made)
    row = dict(zip(plot.headings, plot.rows[0], strict=True))
    assert (row["system"], row["users"], row["median"], row["mean"]) == ("a", "3", "0.400", "0.400")


def test_a_system_without_scores_has_a_strip_without_numbers() -> None:
    [plot] = distribution_plots(cell_of(only=[U, U]))
    assert plot.description == "only: no user has a score."
    assert plot.rows == (("only", "0", *["–"] * 6),)


@pytest.mark.parametrize("count", [1, 25, 26, 100])
def test_every_system_has_a_mark_of_its_own(count: int) -> None:
    assert len(set(marks(count))) == count
    assert marks(count)[0] == ("a" if count <= 25 else "1")


def test_a_cell_orders_systems_by_their_values_and_the_undefined_last() -> None:
    made = cell_of(b=[*B], a=[*A])
    assert made.systems == ("a", "b")
    rows = tuple(replace(row, value=U) if row.system == "a" else row for row in made.summary.rows)
    assert replace(made, summary=replace(made.summary, rows=rows)).systems == ("b", "a")
