"""The figures of one design: values, the test that fits, p-values and effects."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cranfield.workbench.execution.study.design_figures import (
    effects_of,
    how_tested,
    p_values_of,
    pair_systems,
    study_test,
    values_of,
)
from experiment_cases import experiment_of
from score_cases import N, U, scores_of
from significance_cases import samples_of

ROWS = {"a": [0.2, 0.4, 0.9], "b": [0.1, 0.8, 0.3], "c": [0.2, 0.4, 0.9]}


def design(**changes: Any) -> Any:
    return SimpleNamespace(experiment=experiment_of(**changes), metric="P@10")


def test_values_are_those_of_the_aggregation_of_the_design() -> None:
    means, topics = values_of(scores_of(ROWS), design())
    assert means == pytest.approx([1.5 / 3, 1.2 / 3, 1.5 / 3])
    assert topics == 3
    medians, _ = values_of(scores_of(ROWS), design(aggregation="median"))
    assert medians == pytest.approx([0.4, 0.3, 0.4])


def test_users_without_a_list_enter_as_the_design_says() -> None:
    scores = scores_of({"a": [0.2, N, 0.9], "b": [0.1, 0.8, 0.3]})
    assert values_of(scores, design())[0] == pytest.approx([1.1 / 3, 1.2 / 3])
    found = values_of(scores, design(coverage="forgiving"))
    assert found[0] == pytest.approx([1.1 / 2, 1.2 / 3])


def test_a_system_that_nobody_has_a_score_for_has_no_value() -> None:
    values, topics = values_of(scores_of({"a": [U, U], "b": [0.1, 0.8]}), design())
    assert np.isnan(values[0])
    assert values[1] == pytest.approx(0.9 / 2)
    assert topics == 2


@pytest.mark.parametrize(
    ("changes", "test"),
    [
        ({}, "t"),
        ({"comparison": {"test": "sign"}}, "sign"),
        ({"comparison": None}, "t"),
        ({"aggregation": "weighted-mean(by=test)"}, "weighted-t"),
        ({"aggregation": "median"}, "permutation(draws=1000)"),
    ],
)
def test_a_design_is_tested_as_asked_or_else_quickly(changes: dict[str, Any], test: str) -> None:
    assert str(study_test(experiment_of(**changes))) == test


def test_p_values_depend_on_the_test_and_the_seed() -> None:
    assert how_tested(design(seed=7)) == ("t", 7)


def test_too_few_users_cannot_be_compared() -> None:
    assert pair_systems(scores_of({"a": [0.1], "b": [0.2]}), design()) is None
    found = pair_systems(scores_of(ROWS), design())
    assert found is not None
    assert found.systems == ("a", "b", "c")


def test_p_values_are_those_of_every_pair_by_itself() -> None:
    samples = pair_systems(scores_of(ROWS), design())
    assert samples is not None
    p_values = p_values_of(samples, design())
    assert p_values.shape == (3,)
    assert p_values[0] == pytest.approx(p_values[2])
    assert p_values[1] == 1  # a and c score alike


def test_an_effect_is_the_mean_difference_in_standard_deviations() -> None:
    differences = np.array([1.0, 2.0, 4.0])
    found = effects_of(samples_of(differences.tolist(), [0.0, 0.0, 0.0]))
    assert found == pytest.approx([differences.mean() / differences.std(ddof=1)])


def test_values_that_are_no_means_have_no_effect() -> None:
    samples = replace(samples_of([1.0, 2.0], [0.0, 1.0], [3.0, 4.0]), linear=False)
    assert np.isnan(effects_of(samples)).tolist() == [True, True, True]
