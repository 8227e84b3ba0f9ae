"""Planning: who enters, what is compared, and whether a plan will be followed."""

from __future__ import annotations

from math import isnan, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.planning import EFFECTS, check_ahead, make_plan
from cranfield.workbench.results.planned import with_plan
from experiment_cases import experiment_of, study_of

CASES: list[dict[str, Any]] = [
    {},
    {"split": "k-fold(folds=2)"},
    {"split": "leave-out"},
    {"topics": "relevant"},
    {"least_train": 7},
    {"topics": "all", "least_train": 0},
    {"targets": "test-items, one-relevant"},
    {"filters": ["k-core(k=5)"]},
]


@pytest.mark.parametrize("changes", CASES)
def test_users_and_data_are_those_of_the_results(changes: dict[str, Any]) -> None:
    asked = experiment_of(**changes)
    plan, results = make_plan(asked), execute(asked)
    assert plan.users == results.users.users
    for name in ("ratings", "users", "items", "size"):
        assert plan.data[name] == results.data[name]
    for planned, done in zip(plan.data["folds"], results.data["folds"], strict=True):
        assert (planned["train"], planned["test"]) == (done["train"], done["test"])


@pytest.mark.parametrize("changes", CASES)
def test_whoever_does_as_planned_follows_the_plan(changes: dict[str, Any]) -> None:
    asked = experiment_of(**changes)
    plan = make_plan(asked)
    ahead = check_ahead(plan, asked, Pipeline(), {})
    after = with_plan(execute(asked), plan).plan
    assert after is not None
    assert ahead.changes == after.changes == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 9},
        {"relevance": 3, "ties": "random"},
        {"metrics": ["RR"]},
        {"systems": {"Popularity": "Popularity", "EASE": "EASE"}},
        {"comparison": {"test": "t", "alpha": 0.01}},
        {"data": "simulated(size=tiny, seed=2)"},
        {"filters": ["k-core(k=8)"]},
        {"split": "random(test_share=0.3)", "seed": 4},
    ],
)
def test_what_is_said_ahead_is_what_is_said_after(changes: dict[str, Any]) -> None:
    plan, asked = make_plan(experiment_of()), experiment_of(**changes)
    ahead = check_ahead(plan, asked, Pipeline(), {})
    after = with_plan(execute(asked), plan).plan
    assert after is not None
    assert ahead.changes == after.changes
    assert ahead.changes
    heads = {each.path.partition(".")[0] for each in ahead.changes}
    assert heads - {"ratings"} == set(changes)


def test_a_system_that_will_fail_is_told_ahead() -> None:
    asked = experiment_of()
    ahead = check_ahead(make_plan(asked), asked, Pipeline(), {"kNN": "no neighbours"})
    assert [str(each) for each in ahead.changes] == [
        'systems.kNN: evaluated in the plan, failed ("no neighbours") here.'
    ]


def test_the_power_is_found_by_simulation() -> None:
    """Of 4,000 samples of so many users, as many reject as the plan says."""
    plan = make_plan(experiment_of(), (0.3,))
    draws = np.random.default_rng(1).normal(0.3, size=(4000, plan.users))
    p_values = np.asarray(stats.ttest_1samp(draws, 0, axis=1).pvalue)
    rejected = float(np.mean(p_values < plan.alpha))
    error = sqrt(rejected * (1 - rejected) / 4000)
    assert plan.power[0].power == pytest.approx(rejected, abs=4 * error)


def test_the_detectable_effect_has_the_wanted_power() -> None:
    first = make_plan(experiment_of(comparison={"test": "t", "power": 0.9}))
    again = make_plan(experiment_of(), (first.detectable,))
    assert first.wanted_power == 0.9
    assert again.power[0].corrected_power == pytest.approx(0.9, abs=1e-4)


def test_without_effects_the_usual_ones_are_told() -> None:
    assert tuple(each.effect for each in make_plan(experiment_of()).power) == EFFECTS
    assert make_plan(experiment_of(), ()).power == ()


def test_the_plan_of_a_study_is_that_of_its_base_and_what_it_varies() -> None:
    vary = {"cutoff": [3, 5], "split.test_share": [0.2, 0.4]}
    of_study = make_plan(study_of({"vary": vary, "draws": 100}))
    of_base = make_plan(experiment_of())
    assert of_study.decisions == of_base.decisions
    assert of_study.data == of_base.data
    assert of_base.study is None
    assert of_study.study is not None
    assert of_study.study["vary"] == vary
    assert of_study.fingerprint != of_base.fingerprint


def test_plans_of_equal_definitions_are_equal() -> None:
    one, two = (make_plan(experiment_of(systems=dict(order))) for order in (SYSTEMS, SYSTEMS))
    assert one.fingerprint == two.fingerprint
    shorter = make_plan(experiment_of(systems=dict(SYSTEMS[:2])))
    assert shorter.fingerprint != one.fingerprint


SYSTEMS = [("Popularity", "Popularity"), ("Random", "Random"), ("kNN", "user-kNN(k=5)")]


def test_one_user_shows_nothing() -> None:
    rows = {"user": [1] * 10, "item": list(range(10)), "rating": [5, 4, 3, 2, 1] * 2}
    plan = make_plan(experiment_of(data=rows))
    assert plan.users == 1
    assert isnan(plan.detectable)
    assert all(isnan(each.power) for each in plan.power)
