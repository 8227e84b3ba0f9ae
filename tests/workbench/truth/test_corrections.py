"""Corrections: designs that the truth study holds against each other, world by world."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.collection.source import source_of
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.workbench import inventory
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.truth.corrections import (
    DESIGN,
    WORLDS,
    corrections,
    study_of_worlds,
    truth_of_worlds,
)
from cranfield.workbench.truth.study import _same_quantity, run_truth_study

inventory.load()

RULE = "simulated(users=60, items=50, ratings=900, skew=1, mnar=2, seed={seed})"
TABLE: dict[str, Any] = {
    "relevance": 4, "metrics": ["P@5"],
    "systems": {"kNN": "user-kNN(k=9)", "Popularity": "Popularity", "Random": "Random"},
}  # fmt: skip
KNOWN = {"IPS, known", "SNIPS, known", "stratified, known"}


def study() -> Any:
    worlds = {str(seed): source_of(RULE.format(seed=seed)) for seed in (1, 2)}
    return study_of_worlds(TABLE, worlds, known=True)


@cache
def found() -> Truthfulness:
    return truth_of_worlds(run_truth_study(study(), metric="P@5"))


def test_every_design_is_tried_in_every_world() -> None:
    made = found()
    names = made.designs.decisions[DESIGN].unique().to_list()
    assert set(names) >= {"plain", "1R", "condensed", "IPS", "SNIPS", "stratified", *KNOWN}
    assert len(made.designs) == 2 * len(names)
    assert made.repeats == (WORLDS,)
    assert made.by_design()["designs"].to_list() == [2] * len(names)


def test_a_design_measures_what_its_experiment_measures() -> None:
    designs = Universe(study()).designs
    for place in (0, len(designs) // 2, len(designs) - 1):
        summary = execute(designs[place].experiment).summary
        metric = str(designs[place].metric)
        values = [summary.row(name, metric).value for name in TABLE["systems"]]
        assert found().designs.values[place].tolist() == pytest.approx(values)


def test_all_designs_of_a_world_are_held_against_its_truth() -> None:
    made = found()
    plain = made.designs.decisions[DESIGN] == "plain"
    same_split = ~made.designs.decisions[DESIGN].is_in(["UAR", "U1R"])
    for world in ("1", "2"):
        here = made.designs.decisions[WORLDS] == world
        truth = made.truth[(here & same_split).to_numpy()]
        assert (truth == made.truth[(here & plain).to_numpy()]).all()


def test_propensities_change_how_a_metric_is_estimated_and_not_what_it_is() -> None:
    assert found().comparable.all()
    plain = parse("metric", "P@5")
    for spelling in (
        "P(propensity=popularity(gamma=0.5), estimator=ips)@5",
        "P(propensity=popularity, estimator=stratified)@5",
    ):
        assert _same_quantity(parse("metric", spelling), plain)
    assert not _same_quantity(parse("metric", "P(propensity=popularity)@4"), plain)


def test_known_propensities_come_nearer_to_the_true_values_than_none() -> None:
    """Sums by IPS with the right propensities are on the scale of the truth."""
    rows = {row[DESIGN]: row for row in found().by_design().to_dicts()}
    assert rows["IPS, known"]["mean_distance"] < 0.7 * rows["plain"]["mean_distance"]


def test_worlds_are_drawn_for_intervals() -> None:
    made = found()
    assert made.draws is not None
    assert made.draws.truth is None
    weights = made.draws.weights
    worlds = made.designs.decisions[WORLDS].to_numpy()
    for draw in weights[:20]:
        assert len({float(each) for each in draw[worlds == "1"]}) == 1
        assert draw[worlds == "1"][0] + draw[worlds == "2"][0] == 2
    for row in made.by_design().drop_nulls("mean_tau").to_dicts():
        own = made.agreement[(made.designs.decisions[DESIGN] == row[DESIGN]).to_numpy()]
        assert row["tau_low"] == pytest.approx(np.nanmin(own))
        assert row["tau_high"] == pytest.approx(np.nanmax(own))


@pytest.mark.parametrize(
    ("metric", "weighted"),
    [
        ("P@5", ["IPS", "SNIPS", "stratified"]),
        ("nDCG@5", ["SNIPS", "stratified"]),
        ("RR", ["stratified"]),
        ("AUC", []),
    ],
)
def test_only_what_is_defined_for_a_metric_is_tried(metric: str, weighted: list[str]) -> None:
    some = source_of(RULE.format(seed=1))
    found = corrections([some.read()], parse("metric", metric))
    assert [*found][8:] == weighted
    table = {**TABLE, "metrics": [metric]}
    made = run_truth_study(study_of_worlds(table, {"1": some}), metric=metric).truthfulness
    assert made.comparable.all()
