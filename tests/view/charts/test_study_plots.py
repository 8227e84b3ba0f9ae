"""Plots of a study show the numbers of its designs."""

from __future__ import annotations

from math import nan

import numpy as np
import polars as pl
import pytest

from cranfield.validity.study.findings import conclude
from cranfield.validity.study.pair_outcomes import count, pair_outcomes
from cranfield.validity.study.uncertainty import BasicInterval, Uncertainty
from cranfield.view.charts.movement_plots import flow_plots, rank_plot, tau_plot
from cranfield.view.charts.plot import Bars, Columns, Heat, Points, Polyline, Rule
from cranfield.view.charts.specification_plots import specification_plot
from cranfield.view.charts.study_plots import importance_plot, p_curve_plot, tally_plot
from design_cases import designs_of
from report_cases import made_designs

DESIGNS = made_designs()
FOUND = conclude(DESIGNS)
PAIR = FOUND.pair.first, FOUND.pair.second


def test_the_curve_shows_every_design_from_the_lowest_effect() -> None:
    plot = specification_plot(DESIGNS, PAIR)
    points = [mark for mark in plot.panels[0].marks if isinstance(mark, Points)]
    shown = sorted((x, y) for mark in points for x, y in zip(mark.x, mark.y, strict=True))
    assert [x for x, _ in shown] == list(range(1, len(DESIGNS) + 1))
    assert [y for _, y in shown] == sorted(DESIGNS.effects[:, 0].tolist())


def test_the_curve_is_coloured_by_whose_win_is_established() -> None:
    points = {
        mark.name: len(mark.x)
        for mark in specification_plot(DESIGNS, PAIR).panels[0].marks
        if isinstance(mark, Points)
    }
    pair = FOUND.pair
    assert points[f"{pair.first} ahead ({pair.established_wins})"] == pair.established_wins
    assert sum(points.values()) == len(DESIGNS)


def test_the_base_design_is_marked_at_its_place() -> None:
    rules = [
        mark for mark in specification_plot(DESIGNS, PAIR).panels[0].marks
        if isinstance(mark, Rule) and mark.along == "x"
    ]  # fmt: skip
    effects = DESIGNS.effects[:, 0]
    assert [rule.at for rule in rules] == [1 + int((effects < effects[0]).sum())]


def test_the_dashboard_tells_the_answers_of_every_design() -> None:
    panel = specification_plot(DESIGNS, PAIR).panels[1]
    [heat] = panel.marks
    assert isinstance(heat, Heat)
    cells = dict(zip(panel.y.labels, heat.cells, strict=True))
    order = np.argsort(DESIGNS.effects[:, 0], kind="stable")
    for answer in ("full", "condensed"):
        given = (DESIGNS.decisions["targets"] == answer).to_numpy()[order]
        assert list(cells[answer]) == given.astype(float).tolist()
    without = DESIGNS.decisions["gain"].is_null().to_numpy()[order]
    assert list(cells["does not apply"]) == without.astype(float).tolist()
    assert [panel.y.labels[place] for place in sorted(panel.y.headings)] == list(DESIGNS.factors)


def test_a_slice_of_very_many_designs_shows_a_share() -> None:
    many = made_designs(
        answers={
            "split.test_share": tuple(np.linspace(0.1, 0.9, 300).tolist()),
            "targets": ("full", "condensed"),
        },
        leave_out=0,
    )
    plot = specification_plot(many, PAIR)
    [heat] = plot.panels[1].marks
    assert isinstance(heat, Heat)
    assert {len(row) for row in heat.cells} == {120}
    full, condensed = heat.cells[-2:]
    assert np.array(full) + np.array(condensed) == pytest.approx(np.ones(120))
    assert len(plot.rows) == 60
    assert plot.rows_note.startswith("60 of 600 designs")


def test_the_tally_adds_up_to_all_designs() -> None:
    bars = [
        mark
        for mark in tally_plot(FOUND.pair, DESIGNS.systems).panels[0].marks
        if isinstance(mark, Bars)
    ]
    assert bars[0].start == [0]
    assert [bar.start[0] for bar in bars[1:]] == [bar.end[0] for bar in bars[:-1]]
    assert bars[-1].end == [len(DESIGNS)]


def test_importance_shows_the_share_of_every_decision() -> None:
    plot = importance_plot(FOUND.importance)
    [bars] = plot.panels[0].marks
    assert isinstance(bars, Bars)
    assert list(bars.end) == [row.share for row in FOUND.importance.decisions]
    assert plot.rows[0][0] == "targets"  # which the made-up designs hang on


def test_flows_are_mean_ranks_by_answer() -> None:
    [plot] = flow_plots(DESIGNS, ("targets",))
    first = plot.panels[0].marks[0]
    assert isinstance(first, Polyline)
    means = [
        DESIGNS.ranks[(DESIGNS.decisions["targets"] == answer).to_numpy(), 0].mean()
        for answer in ("full", "condensed")
    ]
    assert list(first.y) == means
    assert plot.panels[0].y.reverse  # the best stands on top


def test_ranks_and_agreement_are_those_of_the_movement() -> None:
    ranks = rank_plot(FOUND.movement)
    assert [row[0] for row in ranks.rows] == [row.system for row in FOUND.movement.systems]
    [columns] = tau_plot(FOUND.movement).panels[0].marks
    assert isinstance(columns, Columns)
    assert sum(columns.heights) == len(DESIGNS)


def test_p_values_of_designs_descend() -> None:
    lines = [
        mark for mark in p_curve_plot(DESIGNS, FOUND.pair).panels[0].marks
        if isinstance(mark, Polyline) and not mark.dashed
    ]  # fmt: skip
    assert len(lines) == 3
    assert list(lines[0].y) == sorted(DESIGNS.p_values[:, 0].tolist(), reverse=True)


def test_importance_is_shown_with_its_intervals() -> None:
    known = Uncertainty(
        resamples=99, left_out=0, wins=BasicInterval(0, 1), losses=BasicInterval(0, 1),
        median_tau=BasicInterval(0, 1), flips={},
        shares={row.decision: BasicInterval(0.125, 0.25) for row in FOUND.importance.decisions},
    )  # fmt: skip
    plot = importance_plot(FOUND.importance, known)
    [_, spans] = plot.panels[0].marks
    assert isinstance(spans, Bars)
    assert (set(spans.start), set(spans.end), spans.name) == ({0.125}, {0.25}, "95 % interval")
    assert {row[3] for row in plot.rows} == {"12.5\u202f% to 25.0\u202f%"}


def test_importance_counts_the_pairs_of_designs_that_differ_in_one_decision() -> None:
    rows = {row[0]: row for row in importance_plot(FOUND.importance).rows}
    for found in FOUND.importance.decisions:
        flips = found.flips
        assert flips is not None
        assert rows[found.decision][1] == str(found.answers)
        assert [int(cell) for cell in rows[found.decision][6:]] == [
            flips.compared, flips.flipped, flips.reversed,
        ]  # fmt: skip


def test_an_outcome_without_a_winner_has_no_flips_to_count() -> None:
    plot = importance_plot(FOUND.movement.importance)
    assert {row[6:] for row in plot.rows} == {("", "", "")}
    assert plot.title == "Which decisions explain the τ with the reference order"


def test_nothing_to_explain_is_a_chart_without_bars() -> None:
    alone = conclude(designs_of(pl.DataFrame({"cutoff": [5]}), [[0.5, 0.4]]))
    plot = importance_plot(alone.importance)
    assert plot.description.startswith("cutoff explains most, 0.0")
    assert plot.description.endswith("varies over 1 design.")


@pytest.mark.parametrize(
    ("leads", "outcomes"),
    [
        ([0.1, 0.2, -0.1], ["A ahead (2)", "B ahead (1)"]),
        ([0.0, 0.0, nan], ["equal or undefined (3)"]),
        ([-0.1, -0.1, -0.1], ["B ahead (3)"]),
    ],
)
def test_the_tally_names_only_outcomes_that_occur(leads: list[float], outcomes: list[str]) -> None:
    table = pl.DataFrame({"cutoff": [5, 10, 20]})
    designs = designs_of(table, [[0.5 + lead, 0.5] for lead in leads])
    plot = tally_plot(count(pair_outcomes(designs, "AB")), designs.systems)
    assert [mark.name for mark in plot.panels[0].marks] == outcomes
    assert [row[0] for row in plot.rows] == [
        "A ahead", "A ahead, not established", "equal or undefined",
        "B ahead, not established", "B ahead",
    ]  # fmt: skip
    assert sum(int(row[1]) for row in plot.rows) == 3


def test_wins_that_are_not_established_are_faint() -> None:
    designs = designs_of(pl.DataFrame({"cutoff": [5, 10]}), [[0.5, 0.4]] * 2, [[0.01], [0.6]])
    bars = tally_plot(count(pair_outcomes(designs, "AB")), designs.systems).panels[0].marks
    assert [(bar.name, bar.faint) for bar in bars if isinstance(bar, Bars)] == [
        ("A ahead (1)", False), ("A ahead, not established (1)", True),
    ]  # fmt: skip


def test_the_pair_of_interest_leads_the_p_values_then_the_least_certain() -> None:
    p_values = np.array([[0.01, 0.6, 0.3], [0.02, 0.7, 0.01]])
    designs = designs_of(pl.DataFrame({"cutoff": [5, 10]}), [[3, 2, 1]] * 2, p_values)
    plot = p_curve_plot(designs, count(pair_outcomes(designs, "AB")))
    assert [row[:3] for row in plot.rows] == [
        ("A − B", "2", "100.0\u202f%"), ("A − C", "2", "0.0\u202f%"), ("B − C", "2", "50.0\u202f%"),
    ]  # fmt: skip
    assert [row[3] for row in plot.rows] == ["0.0150", "0.6500", "0.1550"]
    assert (plot.panels[0].x.low, plot.panels[0].x.high) == (0.0, 1.0)


def test_of_very_many_pairs_six_have_their_p_values_drawn() -> None:
    systems = [[float(8 - place) for place in range(8)]]
    designs = designs_of(pl.DataFrame({"cutoff": [5]}), systems, 0.5)
    plot = p_curve_plot(designs, count(pair_outcomes(designs, "AB")))
    assert len(plot.rows) == 6
    assert plot.description.count(";") == 2  # three of them are named


def test_pairs_that_were_never_tested_have_no_curve() -> None:
    designs = designs_of(pl.DataFrame({"cutoff": [5]}), [[3, 2, 1]], [[0.5, nan, nan]])
    plot = p_curve_plot(designs, count(pair_outcomes(designs, "AB")))
    assert [row[0] for row in plot.rows] == ["A − B"]
