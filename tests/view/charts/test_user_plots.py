"""Plots of users: quantiles and differences are those of the scores, whoever is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.scoring.coverage import Coverage
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import StudentT
from cranfield.view.charts.plot import Bars, Columns, Mark, Plot, Points, Rule
from cranfield.view.charts.user_plots import difference_plot, distribution_plots, user_scores
from cranfield.view.report_content import EvaluationContent
from score_cases import N, U, scores_of
from suites import tries

Row = Sequence[float | None]


def content_of(
    coverage: Coverage = "full", users: Sequence[int] | None = None, **systems: Row
) -> EvaluationContent:
    scores = scores_of(systems, users=users)
    choice = ComparisonChoice(test=StudentT(), coverage="full")
    return EvaluationContent(
        scores=scores,
        summary=summarise(scores, SummaryChoice(coverage=coverage)),
        comparison=compare(scores, choice) if len(systems) > 1 else None,
    )


def named(plot: Plot, name: str) -> Mark:
    return next(mark for panel in plot.panels for mark in panel.marks if mark.name == name)


def test_strips_are_quantiles_over_users() -> None:
    [plot] = distribution_plots(content_of(a=[0.0, 0.25, 0.5, 0.75, 1.0]))
    outer, inner = named(plot, "90 % of users"), named(plot, "half of users")
    assert isinstance(outer, Bars)
    assert isinstance(inner, Bars)
    assert (inner.start[0], inner.end[0]) == (0.25, 0.75)
    assert (outer.start[0], outer.end[0]) == pytest.approx((0.05, 0.95))
    assert plot.rows == (
        ("a", "5", "0.050", "0.250", "0.500", "0.750", "0.950", "0.500"),
    )  # fmt: skip


def test_median_and_mean_are_told_apart() -> None:
    [plot] = distribution_plots(content_of(a=[0.0, 0.0, 0.9]))
    median, mean = named(plot, "median user"), named(plot, "mean")
    assert isinstance(median, Points)
    assert isinstance(mean, Points)
    assert list(median.x) == [0.0]
    assert list(mean.x) == [pytest.approx(0.9 / 3)]
    assert (median.shape, mean.shape) == ("bar", "ring")


def test_the_topics_of_a_user_are_averaged_first() -> None:
    content = content_of(users=[0, 0, 1], a=[0.2, 0.4, 0.9])
    assert user_scores(content, "a", "P@10").tolist() == pytest.approx([(0.2 + 0.4) / 2, 0.9])


@pytest.mark.parametrize(
    ("coverage", "expected"), [("full", [0.5, 0.0, 0.7]), ("forgiving", [0.5, 0.7])]
)
def test_uncovered_users_enter_as_in_the_summary(coverage: Coverage, expected: list[float]) -> None:
    content = content_of(coverage, a=[0.5, N, 0.7], b=[0.1, 0.2, 0.3])
    assert user_scores(content, "a", "P@10").tolist() == expected


def test_undefined_scores_are_not_drawn() -> None:
    content = content_of(a=[0.5, U, 0.7])
    assert user_scores(content, "a", "P@10").tolist() == [0.5, 0.7]


def test_a_system_without_scores_is_said_to_have_none() -> None:
    scores = scores_of({"a": [0.5, 0.7], "b": [U, U]})
    [plot] = distribution_plots(EvaluationContent(scores=scores, summary=summarise(scores)))
    assert plot.description.endswith("b: no user has a score.")
    assert plot.rows[1] == ("b", "0", "–", "–", "–", "–", "–", "–")


def test_half_of_the_users_are_between_the_ends_that_are_said() -> None:
    [plot] = distribution_plots(content_of(a=[0.0, 0.25, 0.5, 0.75, 1.0]))
    assert plot.description == "a: half of the users score between 0.250 and 0.750."


def test_one_system_has_no_differences() -> None:
    assert difference_plot(content_of(a=[0.5, 0.7])) is None


def test_wins_losses_and_ties_are_counted() -> None:
    plot = difference_plot(content_of(a=[0.9, 0.8, 0.5, 0.2], b=[0.1, 0.4, 0.5, 0.3]))
    assert plot is not None
    assert plot.description == "a scores more for 2 users, b for 1; both score the same for 1."
    assert plot.rows[-1] == ("0", "0", "1", "both the same")


def test_the_better_system_comes_first() -> None:
    plot = difference_plot(content_of(worse=[0.1, 0.2], better=[0.8, 0.7]))
    assert plot is not None
    assert plot.panels[0].x.title == "better minus worse"


def test_the_mean_difference_is_marked() -> None:
    plot = difference_plot(content_of(a=[0.9, 0.5], b=[0.1, 0.4]))
    assert plot is not None
    [rule] = [mark for mark in plot.panels[0].marks if isinstance(mark, Rule)]
    assert rule.at == pytest.approx((0.8 + 0.1) / 2)
    assert rule.name == "mean of users +0.4500"


def test_equal_systems_have_an_empty_histogram() -> None:
    plot = difference_plot(content_of(a=[0.5, 0.25, 0.75], b=[0.5, 0.25, 0.75]))
    assert plot is not None
    columns = [mark for mark in plot.panels[0].marks if isinstance(mark, Columns)]
    assert [sum(column.heights) for column in columns] == [0, 0]
    assert plot.rows == (("0", "0", "3", "both the same"),)


SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=2, max_size=30)


@settings(deadline=None, max_examples=tries(40))
@given(SCORES, st.randoms(use_true_random=False))
def test_every_user_is_in_one_column_or_tied(first: list[float], random: object) -> None:
    second = list(first)
    random.shuffle(second)  # type: ignore[attr-defined]
    plot = difference_plot(content_of(a=first, b=second))
    assert plot is not None
    columns = [mark for mark in plot.panels[0].marks if isinstance(mark, Columns)]
    drawn = sum(sum(column.heights) for column in columns)
    assert drawn + int(plot.rows[-1][2]) == len(first)
    assert min(columns[0].edges) == max(columns[1].edges) == 0.0
    assert max(columns[0].edges) == -min(columns[1].edges)


@settings(deadline=None, max_examples=tries(40))
@given(SCORES)
def test_quantiles_ascend_and_hold_the_median(scores: list[float]) -> None:
    [plot] = distribution_plots(content_of(a=scores))
    quantiles = [float(cell) for cell in plot.rows[0][2:7]]
    assert quantiles == sorted(quantiles)
    assert quantiles[2] == pytest.approx(float(np.median(scores)), abs=5e-4)


@settings(deadline=None, max_examples=tries(30))
@given(SCORES, st.floats(0.1, 0.9))
def test_the_order_of_users_changes_nothing(scores: list[float], share: float) -> None:
    assume(len(set(scores)) > 1)
    place = int(share * len(scores))
    turned = scores[place:] + scores[:place]
    one, two = (distribution_plots(content_of(a=each))[0] for each in (scores, turned))
    assert one.rows == two.rows
