"""Explaining: where two results part, and which decisions have a say there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.workbench.definition.differing import Difference
from cranfield.workbench.results.results import Results
from cranfield.workbench.review.explaining import (
    STAGES,
    Explanation,
    ResultsPair,
    common_values,
    counted_numbers,
    explain,
    other_scores,
    other_tests,
    other_values,
)
from experiment_cases import table_of


@cache
def result(**changes: Any) -> Results:
    given = {
        name: list(each) if isinstance(each, tuple) else each for name, each in changes.items()
    }
    return cf.run(table_of(**given))


def pair_of(second: Results, *paths: str, **more: Any) -> ResultsPair:
    """Two results, with decisions of these paths said to differ."""
    differing = [Difference(path, "a", "b") for path in paths]
    given = {"versions": [], "conclusions": [], **more}
    return ResultsPair(result(), second, differing, **given)


def shifted(results: Results, *systems: str) -> Results:
    values = results.scores.values.copy()
    for name in systems:
        values[results.scores.system_number(name)] += 0.5
    return replace(results, scores=replace(results.scores, values=values))


def with_data(results: Results, **facts: Any) -> Results:
    return replace(results, data={**results.data, **facts})


def test_equal_results_part_nowhere() -> None:
    pair = pair_of(result())
    assert all(pair.same(stage) for stage in STAGES)
    assert explain(pair).kind == "equal"
    assert (pair.rescored, pair.revalued) == ([], [])


@pytest.mark.parametrize(
    ("stage", "path"),
    [
        ("ratings", "data"), ("ratings", "filters"), ("parts", "split"), ("parts", "seed"),
        ("scores", "ties"), ("scores", "unscored"), ("scores", "systems.kNN"),
    ],
)  # fmt: skip
def test_a_decision_that_acts_at_the_stage_explains_it(stage: str, path: str) -> None:
    other = {
        "ratings": lambda: with_data(result(), ratings="0" * 32),
        "parts": lambda: with_data(
            result(), folds=[{**result().data["folds"][0], "train": "0" * 32}]
        ),
        "scores": lambda: shifted(result(), "kNN"),
    }[stage]()
    found = explain(pair_of(other, path))
    assert found == Explanation("decisions", stage, (path,), found.sentence)
    assert found.sentence.endswith(f"where {path} differs: the decisions explain it.")


@pytest.mark.parametrize("path", ["comparison.alpha", "aggregation", "by", "assess", "title"])
def test_a_decision_that_acts_later_or_nowhere_explains_no_score(path: str) -> None:
    found = explain(pair_of(shifted(result(), "kNN"), path))
    assert found.kind == "unexplained"
    assert found.causes == ()


@pytest.mark.parametrize("path", ["relevance", "seed", "split", "systems.kNN", "ties"])
def test_other_ratings_under_the_same_answer_are_other_data(path: str) -> None:
    found = explain(pair_of(with_data(result(), ratings="0" * 32), path))
    assert (found.kind, found.stage) == ("data", "ratings")


def test_a_seed_explains_other_ratings_where_filters_draw() -> None:
    drawn = result(filters=("sample(share=0.9)",))
    other = with_data(drawn, ratings="0" * 32)
    pair = ResultsPair(drawn, other, [Difference("seed", "0", "1")], [], [])
    assert explain(pair).causes == ("seed",)


def test_two_systems_explain_each_its_own_scores() -> None:
    other = shifted(result(), "kNN", "Random")
    assert explain(pair_of(other, "systems.kNN", "systems.Random")).kind == "decisions"
    found = explain(pair_of(other, "systems.kNN"))
    assert found.kind == "unexplained"
    assert "the scores of users of Random, where no decision differs" in found.sentence
    assert explain(pair_of(other, "systems.kNN", "depth")).kind == "decisions"


def test_versions_come_in_only_where_no_decision_does() -> None:
    versions = [Difference("numpy", "1", "2"), Difference("python", "3", "4")]
    other = shifted(result(), "kNN")
    assert explain(pair_of(other, "ties", versions=versions)).kind == "decisions"
    found = explain(pair_of(other, versions=versions))
    assert found.kind == "versions"
    assert "versions differ (numpy and python)" in found.sentence


def test_conclusions_are_the_last_stage() -> None:
    conclusions = [Difference("verdict", "A", "B")]
    found = explain(pair_of(result(), "comparison.alpha", conclusions=conclusions))
    assert (found.kind, found.stage) == ("decisions", "conclusions")
    assert explain(pair_of(result(), conclusions=conclusions)).kind == "unexplained"


def test_metrics_have_a_say_in_tests_that_are_corrected_together() -> None:
    made = result().comparison
    assert made is not None
    first, *others = made.pairs
    retested = replace(
        result(), comparison=replace(made, pairs=(replace(first, adjusted=0.99), *others))
    )
    assert other_tests(result(), retested) == [(first.metric, first.first, first.second)]
    assert explain(pair_of(retested, "metrics")).kind == "unexplained"
    assert explain(pair_of(retested, "systems.more")).causes == ("systems.more",)
    together = replace(
        retested,
        experiment=replace(
            retested.experiment, comparison=replace(retested.experiment.comparison, family="all")
        ),
    )
    assert explain(pair_of(together, "metrics")).causes == ("metrics",)


def test_values_that_both_have_are_those_of_common_systems_and_metrics() -> None:
    systems = {"kNN": "user-kNN(k=5)", "EASE": "EASE"}
    fewer = cf.run(table_of(metrics=["P@5", "RR"], systems=systems))
    assert [(system, metric) for system, metric, *_ in common_values(result(), fewer)] == [
        ("kNN", "P@5")
    ]
    assert other_values(result(), fewer) == []
    assert list(other_scores(result(), fewer)) == []


def test_undefined_values_are_equal_to_each_other() -> None:
    undefined = cf.run(table_of(relevance=6))
    values = common_values(undefined, undefined)
    assert any(first is None for *_, first, _ in values)
    assert other_values(undefined, undefined) == []
    assert np.isnan(undefined.scores.values).any()
    assert list(other_scores(undefined, undefined)) == []


@given(st.integers(0, 50), st.integers(0, 50))
def test_numbers_are_counted_in_whole_sentences(one: int, other: int) -> None:
    differing, every = sorted((one, other))
    said = counted_numbers(differing, every)
    assert said.endswith(".")
    assert ("differ." in said) == (differing > 0)
    assert "All 1 " not in said
    assert " of 1 values" not in said


def test_every_stage_has_decisions_and_no_decision_is_unknown() -> None:
    known = {"study", *table_of(), "filters", "seed", "judged_share", "judged_by", "training_items"}
    for stage, names in STAGES.items():
        assert names, stage
        assert len(set(names)) == len(names), stage
    assert "data" in STAGES["ratings"]
    assert known & set(STAGES["conclusions"]) == {"study", "comparison", "systems", "metrics"}
