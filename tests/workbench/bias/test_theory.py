"""What was expected is measured: in every configuration, and for every system."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bias_cases import experiment
from cranfield.base.options import options
from cranfield.collection.target_choice import parse_targets
from cranfield.workbench.bias.case import BiasChoice, bias_case
from cranfield.workbench.bias.expectations import STANDARD_ERRORS, run_bounds
from cranfield.workbench.bias.theory import one_relevant_bounds, theory_of
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.experiment.experiments import execute_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.results import Results
from suites import STEPS

SPLITS = ("random(test_share=0.3)", "k-fold(folds=2)", "uniform(test_share=0.2)")
TARGETS = (
    *(f"{c}, {r}" for c in ("all-items", "test-items") for r in ("all-relevant", "one-relevant")),
    *(
        f"{c}, {r}, sampled(n=30)"
        for c in ("all-items", "test-items")
        for r in ("all-relevant", "one-relevant")
    ),
    "test-items, percentiles(m=4), sampled(n=30)",
    "test-items(without_head=0.1)",
    "test-items(without_head=0.1), one-relevant, sampled(n=30)",
    "one-relevant, sampled(n=30, per=relevant)",
)


@cache
def material(split: str) -> PreparedData:
    return Pipeline().prepare(_experiment(split, "all-items"))


def _experiment(split: str, targets: str, undefined: str = "left-out") -> Experiment:
    return read_table(
        {
            "data": "simulated(size=small)",
            "split": split,
            "relevance": 4,
            "targets": targets,
            "undefined": undefined,
            "systems": {"Random": "Random", "Popularity": "Popularity"},
            "metrics": ["P@10"],
            "comparison": {"test": "t"},
        }
    )


def measured(split: str, targets: str, undefined: str = "left-out") -> Results:
    asked = _experiment(split, targets, undefined)
    return execute_prepared(asked, material(split), Pipeline())


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("targets", TARGETS)
def test_random_is_within_three_standard_errors_of_its_expectation(
    split: str, targets: str
) -> None:
    results = measured(split, targets)
    row = results.summary.row("Random", "P@10")
    theory = theory_of(results.experiment, material(split))
    assert theory.random == pytest.approx(row.random)  # the closed form of scoring
    error = min(row.standard_error, theory.random_error) if "k-fold" not in split else np.inf
    assert abs(row.value - theory.random) <= STANDARD_ERRORS * error
    assert abs(row.value - theory.random) <= STANDARD_ERRORS * row.standard_error


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("targets", TARGETS)
def test_popularity_is_as_precise_as_expected(split: str, targets: str) -> None:
    results = measured(split, targets)
    theory = theory_of(results.experiment, material(split))
    row = results.summary.row("Popularity", "P@10")
    if "sampled" in targets:
        assert abs(row.value - theory.popularity) <= STANDARD_ERRORS * row.standard_error
    else:
        assert theory.popularity == pytest.approx(row.value)


@pytest.mark.parametrize("targets", ["test-items", "test-items, one-relevant, sampled(n=30)"])
def test_the_collection_alone_tells_about_as_much(targets: str) -> None:
    results = measured(SPLITS[0], targets)
    theory = theory_of(results.experiment, material(SPLITS[0]))
    assert theory.random_by_collection == pytest.approx(theory.random, rel=0.2)
    assert theory.popularity_by_collection == pytest.approx(theory.popularity, rel=0.2)


def test_one_relevant_of_t_targets_is_found_by_one_in_t() -> None:
    results = measured(SPLITS[0], "one-relevant, sampled(n=30)")
    theory = theory_of(results.experiment, material(SPLITS[0]))
    assert theory.size == pytest.approx(31)
    expected = [theory.ratio, theory.random, theory.random_by_collection]
    assert expected == pytest.approx([1 / 31] * 3)


@pytest.mark.parametrize("split", SPLITS)
def test_the_bounds_of_1r_by_the_collection_are_near_those_that_are_measured(split: str) -> None:
    asked = _experiment(split, "all-items")
    case = bias_case(asked, Pipeline(), BiasChoice(sample=60))
    found = run_bounds(case, Pipeline())
    one = replace(case.experiment, targets=parse_targets(case.one_relevant))
    bounds = one_relevant_bounds(one, case.data)
    for which, system in (("random", "Random"), ("popularity", "Popularity")):
        each = found[system]
        assert bounds[which] == pytest.approx((each.lower, each.upper), rel=0.3)
    lower, upper = bounds["popularity"]
    assert lower < theory_of(one, case.data).popularity < upper


def test_users_without_relevant_items_count_where_they_are_to() -> None:
    results = measured(SPLITS[0], "all-items", "zero")
    theory = theory_of(results.experiment, material(SPLITS[0]))
    assert theory.popularity == pytest.approx(results.summary.row("Popularity", "P@10").value)
    without = theory_of(_experiment(SPLITS[0], "all-items"), material(SPLITS[0]))
    assert theory.random < without.random


@pytest.mark.parametrize("step", STEPS)
def test_the_bounds_hold_for_all_systems_that_ship(step: int) -> None:
    experiment()  # makes all options known
    systems = {name: name for name in sorted(options("recommender"))[::step]}
    systems["oracle"] = "oracle(source=simulated(size=tiny))"
    asked = experiment(split="k-fold(folds=2)", systems=systems)
    case = bias_case(asked, Pipeline(), BiasChoice(cutoff=3, sample=9))
    bounds = run_bounds(case, Pipeline())
    assert set(bounds) >= set(systems)
    for each in bounds.values():
        assert each.holds
        assert each.width > 0


def test_the_value_between_the_bounds_is_the_one_that_1r_reports() -> None:
    case = bias_case(experiment(), Pipeline(), BiasChoice(cutoff=3, sample=9))
    bounds = run_bounds(case, Pipeline())
    asked = replace(case.experiment, targets=parse_targets(case.one_relevant))
    results = execute_prepared(asked, case.data, Pipeline())
    for system, each in bounds.items():
        assert each.value == pytest.approx(results.summary.row(system, "P@3").value)
