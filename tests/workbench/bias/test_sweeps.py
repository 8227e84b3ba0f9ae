"""Sweeps by hand: which value stands where along the axis, and what is read from it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bias_cases import experiment
from cranfield.validity.assessment import Chart
from cranfield.validity.study.designs import Designs
from cranfield.workbench.bias.case import BiasCase, BiasChoice, bias_case
from cranfield.workbench.bias.curves import assess_sweep
from cranfield.workbench.bias.sweeps import SweepRun, run_sweep, sweeps
from cranfield.workbench.bias.theory import Theory
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from suites import tries

CHOICE = BiasChoice(
    cutoff=3, sample=9, percentiles=2, shares=(1.0, 0.5), sizes=(5, 10), skews=(0.0, 2.0),
    heads=(0.0, 0.2),
)  # fmt: skip
CASE: BiasCase = bias_case(experiment(), Pipeline(), CHOICE)
SWEEPS = {each.name: each for each in sweeps(CASE)}
NAMES = CASE.experiment.names


def theory(random: float) -> Theory:
    return Theory(
        size=10, ratio=0.1, random=random, random_error=0.01, popularity=3 * random,
        random_by_collection=random, popularity_by_collection=2 * random, equation_3=random,
    )  # fmt: skip


def run_of(
    name: str, places: list[tuple[str, float]], values: list[list[float]], chance: list[float]
) -> SweepRun:
    """A sweep whose values and expectations are given, in the order of the designs."""
    pairs = len(NAMES) * (len(NAMES) - 1) // 2
    nothing = np.full((len(places), pairs), np.nan)
    designs = Designs(
        decisions=pl.DataFrame({"targets": [f"{at}" for at in range(len(places))]}),
        systems=NAMES,
        values=np.array(values),
        effects=nothing,
        p_values=nothing,
        users=np.full(len(places), 4),
        base=None,
        alpha=0.05,
    )
    metrics = ("P@3",) * len(places)
    return SweepRun(SWEEPS[name], designs, tuple(places), tuple(map(theory, chance)), metrics)


def row(knn: float, svd: float, random: float, popular: float) -> list[float]:
    of = {"kNN": knn, "SVD": svd, CASE.random: random, CASE.popularity: popular}
    return [of[name] for name in NAMES]


def test_the_sweeps_are_along_what_they_are_named_by() -> None:
    assert list(SWEEPS) == [
        "test sparsity", "target set size", "head items removed", "popularity skew",
    ]  # fmt: skip
    places = {
        name: sorted({sweep.place(design) for design in Universe(sweep.study).designs})
        for name, sweep in SWEEPS.items()
    }
    assert places == {
        "test sparsity": [("1R", 0.5), ("1R", 1.0), ("AR", 0.5), ("AR", 1.0)],
        "target set size": [("1R", 6.0), ("1R", 11.0)],
        "head items removed": [("1R", 0.0), ("1R", 0.2), ("AR", 0.0), ("AR", 0.2)],
        "popularity skew": [("1R", 0.0), ("1R", 2.0)],
    }


@cache
def many() -> tuple[BiasCase, dict[str, SweepRun]]:
    """The sweeps of an experiment with metrics of its own, cut and uncut."""
    asked = experiment(metrics=["P@3", "Recall@3", "AP", "RR", "nDCG(gain=relevant-rating)"])
    case = bias_case(asked, Pipeline(), CHOICE)
    return case, {each.name: run_sweep(each, Pipeline()) for each in sweeps(case)}


def test_every_sweep_is_by_every_metric_with_its_own_cut_off() -> None:
    case, runs = many()
    names = [
        "P@3", "nDCG(gain=relevant-rating)@3", "Recall@3", "AP", "RR",
        "nDCG(gain=relevant-rating)",
    ]  # fmt: skip
    assert [str(metric) for metric in case.experiment.metrics] == names
    for name, run in runs.items():
        assert [run.precision, *run.others] == names, name
        made = assess_sweep(case, run)
        assert len(made.charts) == len(names) * len(run.protocols)
        assert made.tables["values"]["metric"].unique(maintain_order=True).to_list() == names
        assert all(f"By {metric}, " in made.reading for metric in names[1:])


@pytest.mark.parametrize("name", list(SWEEPS))
def test_a_place_of_a_sweep_is_the_experiment_by_itself(name: str) -> None:
    """The last place of each protocol, by every metric: bit for bit what `run` gives."""
    _, runs = many()
    run = runs[name]
    designs = Universe(run.sweep.study).designs
    for protocol in run.protocols:
        for metric in (run.precision, *run.others):
            design = designs[run.rows(protocol, metric)[-1]]
            summary = execute(design.experiment).summary
            for system in NAMES:
                found = run.values(protocol, system, metric)[-1]
                assert found == summary.row(system, metric).value


def test_with_one_relevant_item_metrics_reduce_to_each_other() -> None:
    """In 1R AP is RR, and Recall@n is n times P@n (bellogin2017 §6.3)."""
    _, runs = many()
    for run in runs.values():
        for system in NAMES:
            by = {m: run.values("1R", system, m) for m in (run.precision, *run.others)}
            assert by["AP"] == pytest.approx(by["RR"])
            assert by["Recall@3"] == pytest.approx([3 * value for value in by["P@3"]])


def test_in_ar_recall_is_less_sensitive_to_sparsity_than_precision() -> None:
    """bellogin2017 §4.2: normalised metrics are not directly affected."""
    _, runs = many()
    run = runs["test sparsity"]
    half, whole = run.values("AR", "Popularity")
    recall_half, recall_whole = run.values("AR", "Popularity", "Recall@3")
    assert half / whole < recall_half / recall_whole


def test_in_the_sparsity_sweep_everybody_counts_whatever_is_known() -> None:
    for design in Universe(SWEEPS["test sparsity"].study).designs:
        assert design.experiment.topics == "all"
        assert design.experiment.undefined == "zero"


@settings(deadline=None, max_examples=tries(30))
@given(st.permutations([("AR", 0.0), ("AR", 0.2), ("1R", 0.0), ("1R", 0.2), ("AR", 0.1)]))
def test_values_stand_along_the_axis_whatever_the_order_of_designs(
    places: list[tuple[str, float]],
) -> None:
    values = [row(place, place + 1, 0.1, 0.2) for _, place in places]
    made = run_of("head items removed", places, values, [place + 2 for _, place in places])
    assert sorted(made.protocols) == ["1R", "AR"]
    assert made.axis("AR") == [0.0, 0.1, 0.2]
    assert made.values("AR", "SVD") == [1.0, 1.1, 1.2]
    assert made.expected("1R", "random") == [2.0, 2.2]


def test_what_is_left_by_a_larger_target_set_is_read_from_both_ends() -> None:
    values = [row(0.4, 0.3, 0.2, 0.1), row(0.1, 0.05, 0.1, 0.02)]
    made = assess_sweep(
        CASE, run_of("target set size", [("1R", 6), ("1R", 11)], values, [0.2, 0.1])
    )
    # kNN keeps 0.1/0.4, Random and its theory 0.1/0.2. Random draws level with kNN and
    # passes SVD: of 6 pairs 4 stay, 1 turns round and 1 is tied, τ = (4 − 1)/√(6·5).
    assert made.reading == (
        "From 6 to 11 targets, 25 % of kNN's 1R precision is left and 50 % of Random's (50 % by "
        "the theory, 1/t); the order of systems changes (τ down to 0.55)."
    )


def test_popularity_is_measured_in_times_of_chance() -> None:
    values = [row(0.1, 0.1, 0.1, 0.4), row(0.1, 0.1, 0.1, 0.3)]
    made = run_of("head items removed", [("AR", 0.0), ("AR", 0.2)], values, [0.2, 0.3])
    assert assess_sweep(CASE, made).reading == (
        "Under AR, Popularity is 2.0 times as precise as chance with all items, and 1.0 times "
        "without the 20 % most popular."
    )


def test_where_chance_finds_nothing_there_is_no_multiple_of_it() -> None:
    values = [row(0.1, 0.1, 0.1, 0.4), row(0.0, 0.0, 0.0, 0.0)]
    made = run_of("head items removed", [("AR", 0.0), ("AR", 0.2)], values, [0.2, 0.0])
    assert "and incomparably without the 20 % most popular" in assess_sweep(CASE, made).reading


@pytest.mark.parametrize(
    ("popular", "side"), [(0.05, "below"), (0.1, "at"), (0.2, "above")]
)  # fmt: skip
def test_on_data_without_taste_popularity_is_set_against_chance(popular: float, side: str) -> None:
    values = [row(0.1, 0.1, 0.1, popular), row(0.3, 0.1, 0.1, 0.5)]
    made = run_of("popularity skew", [("1R", 0.0), ("1R", 2.0)], values, [0.1, 0.1])
    assert assess_sweep(CASE, made).reading == (
        f"On data without any taste, Popularity has a precision of {popular:.4f} at α = 0, {side} "
        "chance (0.1000), and of 0.5000 at α = 2. kNN gains from popularity as well."
    )


def test_a_table_has_the_axis_every_system_and_the_theory() -> None:
    values = [row(0.4, 0.3, 0.2, 0.1), row(0.1, 0.05, 0.1, 0.02)]
    made = assess_sweep(
        CASE, run_of("target set size", [("1R", 6), ("1R", 11)], values, [0.2, 0.1])
    )
    table = made.shown("values")
    assert table.columns == ["metric", "protocol", "t", *NAMES]
    assert table["t"].to_list() == [6.0, 11.0]
    assert table["kNN"].to_list() == [0.4, 0.1]
    theory = made.shown("expected_precision")
    assert theory["t"].to_list() == [6.0, 11.0]
    assert theory["Popularity expected"].to_list() == pytest.approx([0.6, 0.3])
    assert theory.columns[2:] == [
        "Random expected",
        "Random by collection",
        "Popularity expected",
        "Popularity by collection",
    ]
    [chart] = made.charts
    assert isinstance(chart, Chart)
    assert [line.name for line in chart.lines][: len(NAMES)] == list(NAMES)


def test_no_system_hides_a_column_by_its_name() -> None:
    sweep: Any = SimpleNamespace(**{**vars(SWEEPS["target set size"]), "heading": "kNN"})
    values = [row(0.4, 0.3, 0.2, 0.1), row(0.1, 0.05, 0.1, 0.02)]
    made = run_of("target set size", [("1R", 6), ("1R", 11)], values, [0.2, 0.1])
    table = assess_sweep(CASE, replace(made, sweep=sweep)).shown("values")
    assert table["kNN"].to_list() == [6.0, 11.0]
    assert table["kNN (system)"].to_list() == [0.4, 0.1]
