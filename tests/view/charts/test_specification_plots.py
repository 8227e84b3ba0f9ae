"""The specification curve: designs by effect, and what each of them answers."""

from __future__ import annotations

from math import nan

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.pair_outcomes import count, pair_outcomes
from cranfield.view.charts.plot import QUIET, Heat, Mark, Points, Rule
from cranfield.view.charts.specification_plots import answer_of, shown_answers, specification_plot
from design_cases import crossed, designs_of
from suites import tries

FOUR = crossed({"cutoff": [5, 10], "gain": ["binary", "rating"]})
LEADS = [0.3, -0.2, 0.1, 0.0]


def duel(leads: list[float], p_values: object = 0.001, **others: object) -> Designs:
    return designs_of(FOUR, [[0.5 + lead, 0.5] for lead in leads], p_values, **others)


def points_of(marks: tuple[Mark, ...]) -> dict[str, Points]:
    return {mark.name: mark for mark in marks if isinstance(mark, Points)}


def test_designs_stand_by_their_effect_in_the_colour_of_the_winner() -> None:
    upper = specification_plot(duel(LEADS), ("A", "B")).panels[0]
    found = points_of(upper.marks)
    assert {name: (list(mark.x), list(mark.y)) for name, mark in found.items()} == {
        "no difference established (1)": ([2], [0.0]),
        "A ahead (2)": ([3, 4], pytest.approx([0.1, 0.3])),
        "B ahead (1)": ([1], pytest.approx([-0.2])),
    }
    assert found["no difference established (1)"].hue == QUIET


def test_turning_the_pair_mirrors_the_curve() -> None:
    one, two = (specification_plot(duel(LEADS), pair) for pair in (("A", "B"), ("B", "A")))
    effects = [
        [float(row[1].replace("−", "-")) for row in plot.rows] for plot in (one, two)
    ]  # fmt: skip
    assert effects[0] == [-effect for effect in reversed(effects[1])]
    assert one.title == "Specification curve: A and B in 4 designs"
    assert two.title == "Specification curve: B and A in 4 designs"


def test_what_may_be_chance_is_quiet() -> None:
    upper = specification_plot(duel(LEADS, 0.5), ("A", "B")).panels[0]
    assert list(points_of(upper.marks)) == ["no difference established (4)"]


def test_the_base_design_is_a_line_at_its_place() -> None:
    based = specification_plot(duel(LEADS, base=1), ("A", "B")).panels[0]
    [rule] = [mark for mark in based.marks if isinstance(mark, Rule) and mark.name]
    assert (rule.at, rule.along, rule.name) == (1.0, "x", "the base design")
    free = specification_plot(duel(LEADS), ("A", "B")).panels[0]
    assert not [mark for mark in free.marks if isinstance(mark, Rule) and mark.name]


def test_both_panels_show_the_same_designs_under_each_other() -> None:
    upper, lower = specification_plot(duel(LEADS), ("A", "B")).panels
    assert (upper.x.low, upper.x.high) == (lower.x.low, lower.x.high) == (0.5, 4.5)
    [heat] = lower.marks
    assert isinstance(heat, Heat)
    assert (heat.start, heat.width) == (0.5, 1.0)
    assert lower.x.title == "4 designs, from the lowest effect to the highest"


def test_the_dashboard_has_a_row_per_answer_under_the_name_of_its_decision() -> None:
    lower = specification_plot(duel(LEADS), ("A", "B")).panels[1]
    assert lower.y.labels == ("cutoff", "5", "10", "gain", "binary", "rating")
    assert lower.y.headings == {0, 3}
    [heat] = lower.marks
    assert isinstance(heat, Heat)
    assert all(np.isnan(heat.cells[row]).all() for row in lower.y.headings)
    # from the lowest effect: designs 2, 4, 3, 1, that is cut-offs 5, 10, 10, 5
    assert [list(heat.cells[row]) for row in (1, 2)] == [[1, 0, 0, 1], [0, 1, 1, 0]]
    assert [list(heat.cells[row]) for row in (4, 5)] == [[0, 0, 1, 1], [1, 1, 0, 0]]


def test_a_decision_that_does_not_apply_says_so() -> None:
    table = pl.DataFrame({"gain": ["binary", None]})
    [factor] = factors_of(table)
    assert shown_answers(factor) == [0, -1]
    assert [answer_of(factor, code) for code in (0, -1)] == ["binary", "does not apply"]


def test_truth_values_are_spelled_as_in_a_definition() -> None:
    [factor] = factors_of(pl.DataFrame({"normalised": [True, False]}))
    assert [answer_of(factor, code) for code in (0, 1)] == ["true", "false"]


def test_of_very_many_answers_the_first_are_shown() -> None:
    [factor] = factors_of(pl.DataFrame({"seed": list(range(40))}))
    assert shown_answers(factor) == list(range(12))


def test_rows_tell_effect_difference_p_and_answers() -> None:
    plot = specification_plot(duel(LEADS, np.array([[0.5], [0.00001], [nan], [1.0]])), ("A", "B"))
    assert plot.headings == ("place", "effect", "difference", "p", "cutoff", "gain")
    assert plot.rows[0] == ("1", "−0.200", "−0.2000", "<0.0001", "5", "rating")
    assert plot.rows[2] == ("3", "+0.100", "+0.1000", "–", "10", "binary")
    assert plot.rows_note == ""


def test_of_very_many_designs_rows_are_spread_evenly() -> None:
    table = pl.DataFrame({"seed": list(range(601))})
    designs = designs_of(table, [[0.5 + place / 1000, 0.5] for place in range(601)])
    plot = specification_plot(designs, ("A", "B"))
    places = [int(row[0].replace(",", "")) for row in plot.rows]
    assert (places[0], places[-1], len(places)) == (1, 601, 60)
    assert set(np.diff(places)) <= {10, 11}
    assert plot.rows_note == "60 of 601 designs, evenly along the curve."
    assert all(mark.small for mark in points_of(plot.panels[0].marks).values())


def test_few_designs_have_large_points() -> None:
    upper = specification_plot(duel(LEADS), ("A", "B")).panels[0]
    assert not any(mark.small for mark in points_of(upper.marks).values())


universes = st.lists(
    st.tuples(st.sampled_from([-0.2, 0.0, 0.1, nan]), st.sampled_from([0.01, 0.6, nan])),
    min_size=1,
    max_size=12,
)


@settings(deadline=None, max_examples=tries(40))
@given(universes)
def test_the_words_count_what_the_findings_count(rows: list[tuple[float, float]]) -> None:
    table = pl.DataFrame({"seed": list(range(len(rows)))})
    designs = designs_of(
        table, [[0.5 + lead, 0.5] for lead, _ in rows], np.array([[p] for _, p in rows])
    )
    found = count(pair_outcomes(designs, "AB"))
    plot = specification_plot(designs, ("A", "B"))
    designs_in_words = "1 design" if len(rows) == 1 else f"{len(rows)} designs"
    assert plot.description == (
        f"A scores more in {found.wins} of {designs_in_words} ({found.established_wins} "
        f"established), B in {found.losses} ({found.established_losses} established)."
    )
    drawn = sum(len(mark.x) for mark in points_of(plot.panels[0].marks).values())
    assert drawn == len(plot.rows) == len(rows) - found.undefined
