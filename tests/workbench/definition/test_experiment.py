"""An experiment holds every decision, and follows from one to the others."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from cranfield.base.errors import OptionError
from cranfield.base.options import parse
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from experiment_cases import experiment_of


@pytest.mark.parametrize(
    ("aggregation", "test"),
    [
        ("mean", "permutation"), ("median", "sign"), ("geometric-mean(epsilon=0.5)", "log-t"),
        ("weighted-mean(by=relevant)", "weighted-t"),
    ],
)  # fmt: skip
def test_the_test_follows_from_the_aggregation_unless_one_is_named(
    aggregation: str, test: str
) -> None:
    made = experiment_of(aggregation=aggregation, comparison={})
    assert str(made.comparison_choice.test).startswith(test)
    for parameter in ("epsilon", "by"):
        wanted = getattr(made.aggregation, parameter, None)
        assert getattr(made.comparison_choice.test, parameter, wanted) == wanted
    named = experiment_of(aggregation=aggregation, comparison={"test": "wilcoxon"})
    assert str(named.comparison_choice.test) == "wilcoxon"


@pytest.mark.parametrize(
    ("coverage", "compared"), [("full", "full"), ("common", "common"), ("forgiving", "common")]
)
def test_systems_are_compared_on_the_same_users(coverage: str, compared: str) -> None:
    made = experiment_of(coverage=coverage)
    assert made.comparison_choice.coverage == compared
    assert made.summary_choice.coverage == coverage


def test_equal_decisions_are_equal_experiments() -> None:
    one, other = experiment_of(), experiment_of()
    assert one == other
    assert hash(one) == hash(other)
    assert one != experiment_of(seed=1)
    with pytest.raises(FrozenInstanceError):
        one.seed = 1  # type: ignore[misc]


def test_systems_and_runs_have_names_of_their_own() -> None:
    base = experiment_of()
    given: dict[str, Any] = {
        "data": base.data, "split": base.split, "relevance": 4.0, "metrics": base.metrics,
    }  # fmt: skip
    assert Experiment(**given, runs={"a": "a.tsv"}).names == ("a",)
    popular = {"b": parse("recommender", "Popularity")}
    assert Experiment(**given, systems=popular, runs={"a": "a.tsv"}).names == ("b", "a")
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "at least one is needed"),
        ({"systems": popular, "runs": {"b": "b.tsv"}}, "systems and runs both have one called b"),
        ({"runs": {" ": "a.tsv"}}, "one has no name"),
        ({"runs": {"": "a.tsv"}}, "one has no name"),
    )
    for wrong, said in cases:
        with pytest.raises(OptionError, match=said):
            Experiment(**given, **wrong)


def test_lists_become_tuples() -> None:
    base = experiment_of()
    metrics = list(base.metrics)
    made = base.with_metrics(metrics)  # type: ignore[arg-type]
    metrics.clear()
    assert made.metrics == base.metrics


def test_what_a_user_made_has_no_spelling() -> None:
    assert spelled_fully(object()) is None
    assert spelled_fully(parse("split", "per-user")) == "per-user(test_share=0.2)"
