"""How systems change places: figures of the movement, and designs that have none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from cranfield.validity.study.designs import Designs
from cranfield.validity.study.pair_outcomes import count, pair_outcomes
from cranfield.validity.study.rank_movement import rank_movement
from cranfield.view.charts.movement_plots import flow_plots, rank_plot, tau_plot
from cranfield.view.charts.plot import Bars, Columns, Polyline
from cranfield.view.charts.specification_plots import specification_plot
from cranfield.view.charts.study_plots import p_curve_plot, tally_plot

NAMES = ("a", "b", "c")


def designs_of(values: list[list[float]], base: int | None = 0) -> Designs:
    """Designs by one decision x, whose values are given; effects are the differences."""
    found = np.array(values)
    gaps = np.stack(
        [found[:, 0] - found[:, 1], found[:, 0] - found[:, 2], found[:, 1] - found[:, 2]]
    )
    p_values = np.where(np.isnan(gaps.T), np.nan, 0.01)
    decisions = pl.DataFrame(
        {"x": [f"x{n % 2}" for n in range(len(values))], "n": range(len(values))}
    )
    return Designs(
        decisions=decisions, systems=NAMES, values=found, effects=gaps.T, p_values=p_values,
        users=np.full(len(values), 5), base=base, alpha=0.05,
    )  # fmt: skip


STEADY = designs_of([[3, 2, 1], [2, 3, 1], [3, 2, 1], [3, 2, 1]])
NOTHING = designs_of([[np.nan] * 3] * 2, base=None)
ONE = designs_of([[3, 2, 1]])


def test_mean_ranks_are_those_of_the_designs_with_an_answer() -> None:
    [flow] = flow_plots(STEADY, ("x",))
    # x0: designs 1 and 3; x1: design 2, in which a and b change places, and design 4
    assert flow.rows == (("x0", "1.00", "2.00", "3.00"), ("x1", "1.50", "1.50", "3.00"))
    lines = [mark for mark in flow.panels[0].marks if isinstance(mark, Polyline)]
    assert [list(line.y) for line in lines] == [[1.0, 1.5], [2.0, 1.5], [3.0, 3.0]]
    assert flow.description == "a moves most, between 1.0 and 1.5."


def test_nobody_moves_where_ranks_stay() -> None:
    [flow] = flow_plots(designs_of([[3, 2, 1]] * 4), ("x",))
    assert flow.description == "No system changes its mean rank."


def test_a_decision_with_one_answer_has_no_flow() -> None:
    assert flow_plots(ONE, ("x", "n")) == []


def test_ranges_of_ranks_are_those_of_the_movement() -> None:
    plot = rank_plot(rank_movement(STEADY))
    assert plot.description.startswith(
        "a ranks from 1 to 2; b ranks from 1 to 2; c ranks from 3 to 3"
    )
    first = next(mark for mark in plot.panels[0].marks if isinstance(mark, Bars))
    assert (list(first.start), list(first.end)) == ([1, 1, 3], [2, 2, 3])
    assert [row[-1] for row in plot.rows] == ["3", "1", "0"]


def test_without_values_nobody_has_a_rank() -> None:
    plot = rank_plot(rank_movement(NOTHING))
    assert plot.description == "a has no rank; b has no rank; c has no rank."
    assert all("nan" not in cell for row in plot.rows for cell in row)


def test_agreement_counts_every_design_once() -> None:
    plot = tau_plot(rank_movement(STEADY))
    [columns] = plot.panels[0].marks
    assert isinstance(columns, Columns)
    assert sum(columns.heights) == 4
    # three designs order all alike, in one two of three neighbours change places: τ = 1/3
    assert plot.rows == (("0.3", "0.4", "1"), ("0.9", "1.0", "3"))


def test_one_design_is_reported_in_the_singular() -> None:
    pair = count(pair_outcomes(ONE, ("a", "b")))
    curve = specification_plot(ONE, ("a", "b"))
    said = [tally_plot(pair, NAMES), curve, p_curve_plot(ONE, pair), tau_plot(rank_movement(ONE))]
    whole = " ".join(f"{plot.title} {plot.description}" for plot in said)
    whole += f" {curve.panels[1].x.title}"
    assert "1 designs" not in whole
    assert "a and b in 1 design" in whole


def test_the_curve_goes_up_and_its_rows_tell_the_answers() -> None:
    plot = specification_plot(STEADY, ("a", "c"))
    effects = [float(row[1].replace("−", "-")) for row in plot.rows]
    assert effects == sorted(effects) == [1.0, 2.0, 2.0, 2.0]
    assert plot.rows[0][-2:] == ("x1", "1")
    assert plot.description.startswith("a scores more in 4 of 4 designs (0 established), c in 0")


def test_designs_without_an_effect_are_not_on_the_curve() -> None:
    some = replace(STEADY, effects=np.where(np.arange(4)[:, None] == 1, np.nan, STEADY.effects))
    assert len(specification_plot(some, ("a", "b")).rows) == 3
    assert specification_plot(NOTHING, ("a", "b")).rows == ()
