"""An experiment holds every decision, and follows from one to the others."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import CranfieldError, OptionError
from cranfield.base.options import parse
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.table import write_table
from experiment_cases import experiment_of


@pytest.mark.parametrize(
    ("aggregation", "test"),
    [
        ("mean", "permutation"), ("median", "permutation"), ("geometric-mean", "permutation"),
        ("weighted-mean(by=relevant)", "weighted-t"),
    ],
)  # fmt: skip
def test_the_test_follows_from_the_aggregation_unless_one_is_named(
    aggregation: str, test: str
) -> None:
    made = experiment_of(aggregation=aggregation, comparison={})
    assert str(made.comparison_choice.test).startswith(test)
    wanted = getattr(made.aggregation, "by", None)
    assert getattr(made.comparison_choice.test, "by", wanted) == wanted
    named = experiment_of(aggregation=aggregation, comparison={"test": "sign"})
    assert str(named.comparison_choice.test) == "sign"


def test_a_test_or_baseline_that_cannot_be_is_refused_before_anything_runs() -> None:
    with pytest.raises(CranfieldError) as refused:
        experiment_of(aggregation="median", comparison={"test": "t", "baseline": "Popularty"})
    assert dict(refused.value.problems) == {
        "comparison.test": '"t" is not a test for median, such as permutation or sign. Without a '
        "test, it follows from the aggregation.",
        "comparison.baseline": 'no system is called "Popularty". It is one of Popularity, Random, '
        'kNN. Did you mean "Popularity"?',
    }


@pytest.mark.parametrize("coverage", ["full", "common", "forgiving"])
def test_systems_are_compared_over_the_users_of_the_table(coverage: str) -> None:
    made = experiment_of(coverage=coverage)
    assert made.comparison_choice.coverage == made.summary_choice.coverage == coverage


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
    assert spelled_fully(parse("split", "per-user")) == "per-user(test_share=0.2, repeats=1)"


def test_options_may_be_given_by_their_spelling_in_python() -> None:
    given: dict[str, Any] = {
        "data": "simulated(size=tiny)", "split": "per-user(test_share=0.4)", "relevance": 4,
        "metrics": ["nDCG@5", "P@5"], "comparison": {"test": "t"},
        "systems": {"Popularity": "Popularity", "Random": "Random", "kNN": "user-kNN(k=5)"},
    }  # fmt: skip
    spelled = Experiment(**given)
    assert spelled == experiment_of()


def test_one_metric_may_be_given_as_text() -> None:
    assert [str(each) for each in experiment_of(metrics="RR").metrics] == ["RR"]


def test_metrics_of_runs_may_stand_among_the_metrics() -> None:
    mixed = experiment_of(metrics=["Gini@5", "nDCG@5", "CatalogueCoverage@5"])
    assert [str(each) for each in mixed.metrics] == ["nDCG@5"]
    assert [str(each) for each in mixed.run_metrics] == ["Gini@5", "CatalogueCoverage@5"]
    assert mixed == experiment_of(metrics=["nDCG@5"], run_metrics=["Gini@5", "CatalogueCoverage@5"])
    alone = experiment_of(metrics="Gini@5")
    assert alone.metrics == ()
    assert replace(alone).run_metrics == alone.run_metrics


def test_only_a_given_split_may_do_without_data(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    path.write_text("user,item,rating\n1,2,3\n")
    made = experiment_of(data=None, split=f'given(test="{path}")')
    assert made.data is None
    with pytest.raises(OptionError, match="data: the split per-user divides ratings: say which"):
        replace(made, split="per-user")  # type: ignore[arg-type]


def test_runs_may_be_tables_and_a_table_is_equal_to_itself_alone() -> None:
    frame, other = pl.DataFrame({"user": [1]}), pl.DataFrame({"user": [1]})
    made = replace(experiment_of(), runs={"mine": frame})
    assert made.runs["mine"] is frame
    assert made == replace(experiment_of(), runs={"mine": frame})
    assert made != replace(experiment_of(), runs={"mine": other})
    assert hash(made) == hash(replace(made))
    table = write_table(made)
    assert table["runs"]["mine"].startswith("table ")
    assert table["runs"] == write_table(replace(made, runs={"mine": other}))["runs"]


@pytest.mark.parametrize(
    "wrong",
    [{"judged_by": "tset"}, {"coverage": "Forgiving"}, {"ties": "optimistc"}, {"topics": "runs"},
     {"unscored": "dorp"}, {"seed": -1}, {"judgd_by": "test"}, {"comparison": {"famly": "all"}}],
)  # fmt: skip
def test_a_misspelled_decision_never_means_the_default(wrong: dict[str, Any]) -> None:
    base = experiment_of()
    with pytest.raises(OptionError):
        replace(base, **wrong)
    given = {each.name: getattr(base, each.name) for each in fields(base)}
    with pytest.raises(OptionError):
        Experiment(**{**given, **wrong})


def test_objects_made_in_python_stand_for_options() -> None:
    base: Any = experiment_of()
    mine: Any = type(
        "Mine", (), {"read": base.data.read, "split": base.split.split, "__str__": lambda _: "mine"}
    )()
    made = replace(base, data=mine, split=mine)
    assert made.data is mine
    assert made.split is mine
    assert write_table(made)["data"] == write_table(made)["split"] == "mine"
    with pytest.raises(OptionError, match="is not a split"):
        replace(base, split=object())
