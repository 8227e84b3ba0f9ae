"""What a random ranking would get: one row where it is the same for all, else beside each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.summary import Summary, summarise
from cranfield.view.tables.paper import PaperTable
from cranfield.view.tables.summaries import counts_line, summary_table
from score_cases import U, scores_of
from suites import tries


def summary_latex(summary: Summary, **more: Any) -> str:
    return PaperTable(summary=summary, **more).latex()


def summary_of(**systems: Sequence[float]) -> Summary:
    return summarise(scores_of(systems))


TWO = summary_of(good=[0.5, 0.75], bad=[0.25, 0.5])
REASON = "no training ratings and no catalogue: what a random ranking would score is not known"


def with_random(summary: Summary, *random: float, estimated: bool = False) -> Summary:
    """The same summary, with what a random ranking would get in place of each system."""
    rows = [
        replace(row, random=value, random_estimated=estimated)
        for row, value in zip(summary.rows, random, strict=True)
    ]
    return replace(summary, rows=tuple(rows))


def test_a_random_ranking_is_one_row_where_it_is_the_same_for_all() -> None:
    made = with_random(TWO, 0.0125, 0.0125)
    *_, last = summary_table(made).splitlines()
    assert last.split() == ["a", "random", "ranking", "0.0125"]
    assert summary_latex(made).splitlines()[-5:-3] == [
        r"\midrule", r"a random ranking & 0.0125 \\",
    ]  # fmt: skip
    assert "bracket" not in counts_line(made) + summary_latex(made)


def test_a_random_ranking_stands_beside_each_value_where_it_differs() -> None:
    made = with_random(TWO, 0.0125, 0.25)
    shown = summary_table(made)
    assert [line.split()[:3] for line in shown.splitlines()[2:]] == [
        ["good", "0.6250*", "(0.0125)"],
        ["bad", "0.3750", "(0.2500)"],
    ]
    assert "In brackets: what a random ranking would get in place of that system." in counts_line(
        made
    )
    latex = summary_latex(made)
    assert r"good & \textbf{0.6250} (0.0125) \\" in latex
    assert r"bad & 0.3750 (0.2500) \\" in latex
    assert "bold. In brackets: what a random ranking would get" in latex
    assert "a random ranking &" not in latex


def test_one_metric_that_differs_puts_all_metrics_beside() -> None:
    rows = [
        replace(row, metric=metric, random=random)
        for metric, randoms in {"P@10": (0.01, 0.01), "AP": (0.1, 0.2)}.items()
        for row, random in zip(TWO.rows, randoms, strict=True)
    ]
    lines = summary_table(replace(TWO, rows=tuple(rows))).splitlines()
    assert lines[2].split()[1:5] == ["0.6250*", "(0.0100)", "0.6250*", "(0.1000)"]
    assert lines[3].split()[1:5] == ["0.3750", "(0.0100)", "0.3750", "(0.2000)"]
    assert len(lines) == 4


def test_random_rankings_that_differ_beyond_the_digits_shown_are_one_row() -> None:
    assert "a random ranking" in summary_table(with_random(TWO, 0.1, 0.1 + 1e-12))


def test_a_system_without_a_value_does_not_make_random_rankings_differ() -> None:
    made = with_random(summary_of(a=[0.5, 0.5], b=[U, U]), 0.125, U)
    assert summary_table(made).splitlines()[-1].split()[-1] == "0.1250"


def test_estimates_of_a_random_ranking_are_marked_and_the_mark_is_explained() -> None:
    same = with_random(TWO, 0.0125, 0.0125, estimated=True)
    assert summary_table(same).splitlines()[-1].split()[-1] == "~0.0125"
    assert counts_line(same).endswith(" ~ marks an estimate.")
    assert r"a random ranking & $\sim$0.0125 \\" in summary_latex(same)
    apart = with_random(TWO, 0.0125, 0.25, estimated=True)
    assert "0.6250* (~0.0125)" in summary_table(apart)
    assert r"0.3750 ($\sim$0.2500)" in summary_latex(apart)
    assert "~" not in counts_line(with_random(TWO, 0.0125, 0.0125))


def test_an_unknown_random_ranking_is_a_dash_with_the_reason_below() -> None:
    *_, last = summary_table(TWO, unknown_random=REASON).splitlines()
    assert last.split() == ["a", "random", "ranking", "–"]
    sentence = "No training ratings and no catalogue: what a random ranking would score is"
    assert sentence in counts_line(TWO, unknown_random=REASON)
    latex = summary_latex(TWO, unknown_random=REASON).splitlines()
    assert r"a random ranking & -- \\" in latex
    assert sentence in latex[3]


def test_without_a_reason_an_unknown_random_ranking_is_not_shown() -> None:
    shown = summary_table(TWO) + summary_latex(TWO) + counts_line(TWO)
    assert "random" not in shown


def test_the_reason_is_not_given_where_a_random_ranking_is_known() -> None:
    made = with_random(TWO, 0.0125, 0.0125)
    assert counts_line(made, unknown_random=REASON) == counts_line(made)
    assert summary_table(made, unknown_random=REASON) == summary_table(made)


@settings(deadline=None, max_examples=tries(40))
@given(
    values=st.lists(st.sampled_from([0.1, 0.2, U]), min_size=1, max_size=5),
    width=st.sampled_from([None, 80]),
)
def test_every_known_random_ranking_is_shown(values: list[float], width: int | None) -> None:
    made = summary_of(**{f"s{place}": [0.5, 0.75] for place in range(len(values))})
    shown = summary_table(with_random(made, *values), width=width)
    known = {f"{value:.4f}" for value in values if not isnan(value)}
    assert all(text in shown for text in known)
    assert ("(" in shown) is (len(known) > 1 or 0 < sum(map(isnan, values)) < len(values))


def test_where_random_rankings_differ_metrics_are_rows_too() -> None:
    made = with_random(TWO, 0.0125, 0.25)
    turned = summary_table(made, width=50).splitlines()
    assert turned[2].split() == ["P@10", "0.6250*", "(0.0125)", "0.3750", "(0.2500)"]
    assert all(len(line) <= 50 for line in turned)
