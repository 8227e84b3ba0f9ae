"""Sections of one evaluated design: every figure is that of summary and comparison."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.topics import DroppedUsers, UserCounts
from cranfield.scoring.aggregations import Median
from cranfield.scoring.summary import Summary, SummaryChoice, summarise
from cranfield.significance.comparison import Comparison, compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.pair import Pair
from cranfield.significance.paired_tests import StudentT
from cranfield.view.charts.run_plots import run_plots
from cranfield.view.numbers import p_value
from cranfield.view.page.run_sections import run_sections
from cranfield.view.report_content import EvaluationContent
from cranfield.view.tables.comparisons import beaten_marks, marks
from cranfield.view.tables.users import users_line
from page_reader import PageReader, read_page
from report_cases import SYSTEMS, made_evaluation
from suites import tries

CONTENT = made_evaluation()
METRICS = {"nDCG@10, gain = rating": "nDCG@10", "P@10": "P@10"}
"""Metrics by what a reader sees."""


def sections_of(content: EvaluationContent) -> dict[str, PageReader]:
    return {section.name: read_page(section.render()) for section in run_sections(content)}


@cache
def shown() -> dict[str, PageReader]:
    return sections_of(CONTENT)


def with_rows(**changes: Any) -> EvaluationContent:
    """The content with every row of its summary changed."""
    rows = tuple(replace(row, **changes) for row in CONTENT.summary.rows)
    return replace(CONTENT, summary=Summary(rows, CONTENT.summary.choice))


def pair_of(made: Comparison, metric: str, *systems: str) -> Pair:
    """The pair of two systems, whichever is first."""
    return next(
        pair
        for pair in made.pairs
        if pair.metric == metric and {pair.first, pair.second} == set(systems)
    )


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def test_sections_go_from_the_summary_to_coverage() -> None:
    assert list(shown()) == ["summary", "comparisons", "users", "p-value-curves", "coverages"]


def test_one_system_has_no_comparisons() -> None:
    assert list(sections_of(made_evaluation(("only",)))) == ["summary", "users", "coverages"]


def test_two_systems_have_no_p_value_curve() -> None:
    assert "p-value-curves" not in sections_of(made_evaluation(SYSTEMS[:2]))


def test_without_facts_of_lists_there_is_no_coverage() -> None:
    assert "coverages" not in sections_of(with_rows(user_coverage=nan))


def test_the_summary_has_a_row_per_system_best_first_with_its_mark() -> None:
    headings, *rows = shown()["summary"].rows("What each system reached, best by nDCG@10")
    assert headings == [
        "", "system", "nDCG@10, gain = rating", "P@10", "covered", "Coverage@10", "unjudged",
        "tied",
    ]  # fmt: skip
    assert [row[1] for row in rows] == list(CONTENT.systems)
    letters = dict(zip(CONTENT.scores.systems, marks(3), strict=True))
    assert [row[0] for row in rows] == [letters[system] for system in CONTENT.systems]


def test_values_carry_the_marks_of_the_systems_that_they_beat() -> None:
    assert CONTENT.comparison is not None
    _, *rows = shown()["summary"].rows("What each system reached")
    for row in rows:
        for metric, cell in zip(CONTENT.metrics, row[2:4], strict=True):
            value = CONTENT.summary.row(row[1], metric).value
            assert cell == f"{value:.4f}{beaten_marks(CONTENT.comparison, metric, row[1])}"


def test_facts_of_lists_are_shares_in_per_cent() -> None:
    _, *rows = shown()["summary"].rows("What each system reached")
    last = next(row for row in rows if row[1] == "Popularity")
    assert last[4:] == ["90.0\u202f%", "77.0\u202f%", "62.0\u202f%", "0.0\u202f%"]


def test_all_figures_are_those_of_the_summary() -> None:
    headings, *rows = shown()["summary"].rows("All figures of the summary")
    assert len(rows) == len(CONTENT.summary.rows)
    for cells in rows:
        figures = dict(zip(headings, cells, strict=True))
        row = CONTENT.summary.row(figures["system"], METRICS[figures["metric"]])
        assert figures["value"] == f"{row.value:.4f}"
        assert figures["covered users only"] == f"{row.forgiving:.4f}"
        assert figures["full average"] == f"{row.full:.4f}"
        assert figures["95 % interval"] == f"{row.low:.4f} to {row.high:.4f}"
        assert figures["users"] == str(row.users)
        assert figures["topics evaluated"] == f"{row.evaluated} of {row.topics}"
        assert figures["undefined"] == str(row.undefined)
        assert figures["random ranking"] == figures["adjusted for chance"] == "–"


def test_chance_has_three_digits_once_adjusted() -> None:
    headings, first, *_ = sections_of(with_rows(random=0.0125, adjusted=-0.25))["summary"].rows(
        "All figures of the summary"
    )
    figures = dict(zip(headings, first, strict=True))
    assert figures["random ranking"] == "0.0125"
    assert figures["adjusted for chance"] == "−0.250"


def test_the_interval_of_a_mean_is_not_shown_for_a_median() -> None:
    scores = CONTENT.scores
    content = EvaluationContent(
        scores=scores, summary=summarise(scores, SummaryChoice(aggregation=Median()))
    )
    headings, *rows = sections_of(content)["summary"].rows("All figures of the summary")
    assert {row[headings.index("95 % interval")] for row in rows} == {"–"}


def test_how_to_read_the_summary_stands_below_it() -> None:
    text = shown()["summary"].elements[0].text
    assert "120 of 120 topics were evaluated. Popularity has no list for 12 topics." in text
    assert (
        "Bold marks the best value. A raised mark: significantly above that system (paired" in text
    )
    alone = sections_of(made_evaluation(("only",)))["summary"].elements[0].text
    assert "mark" not in alone.replace("This table in LaTeX", "")


def test_the_summary_can_be_taken_as_latex() -> None:
    latex = next(each.text for each in shown()["summary"].all("pre"))
    assert r"\begin{tabular}{llll}" in latex
    assert "$^{" in latex
    assert r"\textbf{" in latex
    for row in CONTENT.summary.rows:
        assert f"{row.value:.4f}" in latex


def test_values_beyond_accuracy_are_those_of_the_lists() -> None:
    lists = {"ALS": {"Gini@10": 0.25, "EPC@10": nan}, "Popularity": {"Gini@10": 0.5, "EPC@10": 0.1}}
    page = sections_of(replace(CONTENT, lists=lists))["summary"]
    headings, *rows = page.rows("What the lists are like beyond accuracy")
    assert headings == ["system", "Gini@10", "EPC@10"]
    latex = page.all("pre")[0].text
    assert r"& Gini@10 & EPC@10 \\" in latex
    assert latex.count("0.2500") == 1
    assert sorted(rows) == [["ALS", "0.2500", "–"], ["Popularity", "0.5000", "0.1000"]]
    assert shown()["summary"].rows("What the lists are like beyond accuracy") == []


def test_pairs_are_those_of_the_comparison() -> None:
    assert CONTENT.comparison is not None
    _, *rows = shown()["comparisons"].rows("Every pair of systems by every metric")
    assert len(rows) == len(CONTENT.comparison.pairs)
    for cells in rows:
        first, second = cells[0].split(" > ")
        pair = pair_of(CONTENT.comparison, METRICS[cells[1]], first, second)
        assert pair.better == first
        assert number(cells[2]) == pytest.approx(abs(pair.difference), abs=5e-5)
        assert cells[4] == p_value(pair.adjusted)
        assert cells[5] == ("significant" if pair.significant else "may be chance")
        users = (pair.wins, pair.losses) if pair.first == first else (pair.losses, pair.wins)
        assert cells[7] == f"{users[0]} / {pair.ties} / {users[1]}"


def test_pairs_with_a_baseline_come_last() -> None:
    _, *rows = shown()["comparisons"].rows("Every pair of systems by every metric")
    assert ["Popularity" in row[0] for row in rows] == [False, True, True] * 2


def test_who_enters_stands_above_every_table_and_warns_if_many_are_dropped() -> None:
    few = UserCounts(95, 950, (DroppedUsers("no training rating", 5, 50),))
    many = UserCounts(109, 2953, (DroppedUsers("no training rating", 192, 17048),))
    for users, warns in ((few, False), (many, True)):
        made = sections_of(replace(CONTENT, users=users))
        for name in ("summary", "comparisons"):
            first = next(each for each in made[name].elements if each.name == "p")
            assert first.text == users_line(users)
            assert ("warning" in first.attributes.values()) is warns


def test_equal_systems_have_no_direction() -> None:
    scores = replace(CONTENT.scores, values=np.full_like(CONTENT.scores.values, 0.5))
    scores = replace(scores, covered=np.ones_like(scores.covered))
    choice = ComparisonChoice(test=StudentT())
    content = replace(
        CONTENT, scores=scores, summary=summarise(scores), comparison=compare(scores, choice)
    )
    _, *rows = sections_of(content)["comparisons"].rows("Every pair of systems")
    assert {row[0].split()[1] for row in rows} == {"="}
    assert {row[5] for row in rows} == {"may be chance"}


def test_the_test_and_its_correction_are_named() -> None:
    text = shown()["comparisons"].elements[0].text
    assert "paired t test over users, Holm correction over the pairs of each metric." in text
    assert "A difference is significant if p < 0.05." in text
    assert "fitted models and items are taken as fixed." in text
    headings, *_ = shown()["comparisons"].rows("Every pair of systems by every metric")
    assert [heading for heading in headings if heading.startswith("p ")] == ["p (Holm)"]
    assert CONTENT.comparison is not None
    choice = replace(CONTENT.comparison.choice, family="all")
    content = replace(CONTENT, comparison=replace(CONTENT.comparison, choice=choice))
    assert "over the pairs of all metrics" in sections_of(content)["comparisons"].elements[0].text


@pytest.mark.parametrize(("systems", "more"), [(4, ""), (5, "2 more pairs")])
def test_of_more_than_eighteen_pairs_the_rest_is_read_on_demand(systems: int, more: str) -> None:
    # by two metrics, 4 systems make 12 pairs and 5 make 20
    names = tuple(f"s{place}" for place in range(systems))
    page = sections_of(made_evaluation(names))["comparisons"]
    _, *first = page.rows("Every pair of systems by every metric")
    assert len(first) == min(18, systems * (systems - 1))
    titles = [each.text for each in page.all("summary")]
    assert (more in titles) is bool(more)
    assert len(page.rows("The other pairs")) == (3 if more else 0)


def test_notes_of_the_comparison_stand_with_the_pairs_only() -> None:
    assert CONTENT.comparison is not None
    content = replace(
        CONTENT,
        comparison=replace(CONTENT.comparison, notes=("few users.",)),
        notes=("few users.", "simulated data."),
    )
    made = sections_of(content)
    assert [each.text for each in made["summary"].all("li")] == ["simulated data."]
    assert [each.text for each in made["comparisons"].all("li")] == ["few users."]


def test_full_coverage_is_said_instead_of_drawn() -> None:
    page = sections_of(with_rows(user_coverage=1.0, coverage=1.0))["coverages"]
    assert "Every system has a full list for every user." in page.elements[0].text
    assert not page.all("figure")
    for part in ({"user_coverage": 0.9, "coverage": 1.0}, {"user_coverage": 1.0, "coverage": 0.9}):
        assert sections_of(with_rows(**part))["coverages"].all("figure")


def test_every_chart_is_in_a_section() -> None:
    drawn = sorted(plot.name for plot in run_plots(CONTENT))
    figures = [each.attributes["id"] for page in shown().values() for each in page.all("figure")]
    assert sorted(figures) == drawn


@settings(deadline=None, max_examples=tries(15))
@given(st.lists(st.text(max_size=8), min_size=2, max_size=3, unique=True))
def test_any_names_stay_text(names: list[str]) -> None:
    content = made_evaluation(tuple(names), users=12)
    tags = {each.name for page in shown().values() for each in page.elements}
    for page in sections_of(content).values():
        assert {each.name for each in page.elements} <= tags
