"""Summaries as tables: every figure is that of the summary, counts are reported in good English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import pytest

from cranfield.scoring.aggregations import GeometricMean, Median
from cranfield.scoring.summary import Summary, SummaryChoice, summarise
from cranfield.view.tables.paper import PaperTable
from cranfield.view.tables.summaries import (
    counts_line,
    forgiving_table,
    interval_of,
    is_best,
    lists_table,
    summary_table,
)
from score_cases import N, U, scores_of

Scores = Sequence[float | None]


def summary_latex(summary: Summary, **more: Any) -> str:
    return PaperTable(summary=summary, **more).latex()


def summary_of(undefined: str = "left-out", **systems: Scores) -> Summary:
    choice = SummaryChoice(undefined=undefined)  # type: ignore[arg-type]
    return summarise(scores_of(systems), choice)


TWO = summary_of(good=[0.5, 0.75], bad=[0.25, 0.5])


@pytest.mark.parametrize(
    ("scores", "undefined", "said"),
    [
        ([0.5, 0.5], "left-out", "2 of 2 topics were evaluated."),
        ([0.5], "left-out", "1 of 1 topic was evaluated."),
        (
            [0.5, U],
            "left-out",
            "1 of 2 topics was evaluated; 1 has no relevant item and was excluded.",
        ),
        (
            [0.5, U, U],
            "zero",
            "3 of 3 topics were evaluated; 2 have no relevant item and scored 0.",
        ),
        (
            [0.5, U, 0.1],
            "zero",
            "3 of 3 topics were evaluated; 1 has no relevant item and scored 0.",
        ),
        ([0.5, N, 0.1], "left-out", "3 of 3 topics were evaluated. only has no list for 1 topic."),
        ([U, U], "left-out", "P@10 is undefined for every topic."),
    ],
)
def test_counts_are_reported(scores: Scores, undefined: str, said: str) -> None:
    assert counts_line(summary_of(undefined, only=scores)) == said


def test_the_best_value_is_marked_where_there_is_a_choice() -> None:
    lines = summary_table(TWO).splitlines()
    assert lines[2].split()[:2] == ["good", "0.6250*"]
    assert lines[3].split()[:2] == ["bad", "0.3750"]
    assert counts_line(TWO).endswith(" * marks the best value.")
    assert "*" not in summary_table(TWO, unmarked=["P@10"])
    alone = summary_of(only=[0.5, 0.25])
    assert "*" not in summary_table(alone) + counts_line(alone)


def test_equals_to_the_digits_shown_are_both_the_best() -> None:
    close = summary_of(a=[0.5, 0.5], b=[0.5, 0.50001], c=[0.5, 0.4])
    assert [is_best(close, system, "P@10") for system in "abc"] == [True, True, False]


def test_a_system_without_a_value_is_no_rival() -> None:
    made = summary_of(a=[0.5, 0.5], b=[U, U])
    assert not is_best(made, "a", "P@10")
    assert summary_table(made).splitlines()[3].split()[:2] == ["b", "–"]
    assert r"b & -- \\" in summary_latex(made)


def test_latex_has_the_same_values_with_the_best_in_bold() -> None:
    lines = summary_latex(TWO, lists={"good": {"Gini": 0.5}, "bad": {"Gini": U}}).splitlines()
    assert lines[5] == r"\begin{tabular}{lrr}"
    assert lines[7] == r" & P@10 & Gini \\"
    assert lines[9:11] == [
        r"good & \textbf{0.6250} & 0.5000 \\",
        r"bad & 0.3750 & -- \\",
    ]


def test_names_in_latex_are_text() -> None:
    made = summary_of("zero", **{"50 % of $A_1$ & {B}": [0.5], "\\x~^": [0.25]})
    assert r"50 \% of \$A\_1\$ \& \{B\} & " in summary_latex(made)
    assert r"\textbackslash{}x\textasciitilde{}\textasciicircum{} & " in summary_latex(made)


def test_where_columns_do_not_fit_metrics_are_rows() -> None:
    wide = summary_table(TWO)
    width = max(map(len, wide.splitlines()))
    assert summary_table(TWO, width=width) == wide
    turned = summary_table(TWO, width=width - 1).splitlines()
    assert turned[0].split() == ["good", "bad"]
    assert turned[2].split() == ["P@10", "0.6250*", "0.3750"]


def covering(summary: Summary) -> Summary:
    """The same, with the share of users who have a list."""
    rows = [replace(row, user_coverage=row.covered / row.topics) for row in summary.rows]
    return replace(summary, rows=tuple(rows))


def test_both_averages_are_shown_of_those_who_lack_users() -> None:
    made = covering(summary_of(full=[0.5, 0.5, 0.5], some=[0.3, N, 0.6]))
    [row] = forgiving_table(made).splitlines()[2:]
    assert row.split() == ["some", "P@10", f"{0.9 / 3:.4f}", f"{0.9 / 2:.4f}", "66.7%"]
    assert forgiving_table(TWO) == ""
    nobody = covering(summary_of(none=[N, N]))
    assert forgiving_table(nobody).splitlines()[2].split() == [
        "none", "P@10", "0.0000", "–", "0.0%",
    ]  # fmt: skip


def test_lists_have_a_table_only_if_something_is_known_of_them() -> None:
    assert lists_table({}) == lists_table({"a": {}}) == ""
    assert lists_table({"a": {"Gini": 0.25, "EPC": U}}).splitlines()[2].split() == [
        "a", "0.2500", "–",
    ]  # fmt: skip
    named = lists_table({"a": {"EFD@5": 0.25}}, label=lambda _: "Novelty@5")
    assert named.splitlines()[0].split() == ["system", "Novelty@5"]


@pytest.mark.parametrize("aggregation", [Median(), GeometricMean()])
def test_the_interval_of_a_mean_is_not_that_of_another_average(aggregation: object) -> None:
    row = TWO.rows[0]
    assert interval_of(TWO, row) == (row.low, row.high)
    assert row.low <= row.value <= row.high
    choice = replace(TWO.choice, aggregation=aggregation)  # type: ignore[arg-type]
    low, high = interval_of(replace(TWO, choice=choice), row)
    assert isnan(low)
    assert isnan(high)


def test_counts_that_differ_by_metric_are_told_for_each() -> None:
    counts = {"P@1": (3, 0), "P@5": (2, 1), "AP": (1, 2), "RR": (1, 2)}
    [row] = summary_of(only=[0.5, 0.5, 0.5]).rows
    rows = tuple(
        replace(row, metric=metric, evaluated=evaluated, undefined=undefined)
        for metric, (evaluated, undefined) in counts.items()
    )
    assert counts_line(replace(TWO, rows=rows)) == (
        "P@1: 3 of 3 topics were evaluated. "
        "P@5: 2 of 3 topics were evaluated; 1 has no relevant item and was excluded. "
        "AP, RR: 1 of 3 topics was evaluated; 2 have no relevant item and were excluded."
    )


def test_a_metric_without_any_value_does_not_count_as_a_lack_of_relevant_items() -> None:
    [row] = summary_of(only=[0.5, 0.5, 0.5]).rows
    unknown = replace(row, metric="AUC", evaluated=0, undefined=3)
    assert counts_line(replace(TWO, rows=(row, unknown))) == (
        "P@10: 3 of 3 topics were evaluated. AUC is undefined for every topic."
    )
    two = (row, unknown, replace(unknown, metric="AP"))
    assert counts_line(replace(TWO, rows=two)).endswith("AUC, AP are undefined for every topic.")


def test_the_system_that_lacks_most_lists_is_named() -> None:
    made = summary_of(full=[0.5] * 4, some=[0.5, N, 0.5, 0.5], few=[N, N, N, 0.5])
    assert " few has no list for 3 topics." in counts_line(made)


def test_hostile_names_cannot_steer_the_terminal() -> None:
    made = summary_of("left-out", **{"\x1b[2J": [N, 0.5]})
    assert "\x1b" not in counts_line(made) + summary_table(made)


def test_facts_of_lists_have_columns_of_their_own() -> None:
    facts = {"depth": 7, "user_coverage": 0.5, "coverage": 0.25, "unjudged": 1.0, "tied": 0.125}
    rows = tuple(replace(row, **facts) for row in TWO.rows)  # type: ignore[arg-type]
    headings, _, good, *_ = summary_table(replace(TWO, rows=rows)).splitlines()
    assert headings.split()[2:] == ["covered", "Coverage@7", "unjudged", "tied"]
    assert good.split()[2:] == ["50.0%", "25.0%", "100.0%", "12.5%"]
    assert summary_table(TWO).splitlines()[0].split()[3] == "Coverage"


def test_a_system_without_values_beyond_accuracy_stays_in_the_latex_table() -> None:
    latex = summary_latex(TWO, lists={"good": {"Gini": 0.5}})
    assert r"good & \textbf{0.6250} & 0.5000 \\" in latex
    assert r"bad & 0.3750 & -- \\" in latex


def test_values_beyond_accuracy_alone_make_a_latex_table() -> None:
    latex = summary_latex(replace(TWO, rows=()), lists={"a": {"Gini": 0.5}, "b": {"Gini": 0.25}})
    assert latex.splitlines()[7:11] == [
        r" & Gini \\", r"\midrule", r"a & 0.5000 \\", r"b & 0.2500 \\",
    ]  # fmt: skip
