"""Metrics of whole lists go the way of all metrics: compared, aggregated, assessed, stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import MissingFacts
from cranfield.base.options import parse
from cranfield.collection.split import split
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.assessing import locate_systems
from cranfield.workbench.execution.experiment.experiments import execute

PAIRS = {"UserEPC@5": "EPC@5", "UserEFD@5": "EFD@5", "UserPopularity@5": "MeanPopularity@5"}
BASE: dict[str, Any] = {
    "data": "simulated(size=tiny)",
    "split": "random(test_share=0.4)",
    "relevance": 4,
    "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    "metrics": ["P@5", *PAIRS],
    "run_metrics": list(PAIRS.values()),
    "comparison": {"test": "t"},
}


def run(**changes: Any) -> Any:
    return cf.run({**BASE, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"targets": "test-items, one-relevant, sampled(n=9)"},
        {"targets": "test-items", "depth": 3},
        {"unscored": "popularity"},
    ],
)
def test_their_mean_is_the_value_of_the_run(changes: dict[str, Any]) -> None:
    made = run(**changes)
    for name, of_run in PAIRS.items():
        for system in ("kNN", "Popularity"):
            value = made.summary.row(system, name).value
            assert value == pytest.approx(made.lists[system][of_run])


def test_systems_are_compared_by_them() -> None:
    pairs = {pair.metric: pair for pair in run().comparison.pairs}
    popular = pairs["UserPopularity@5"]
    assert popular.first_value < popular.second_value
    assert popular.p_value < 0.01


@pytest.mark.parametrize("targets", ["all-items", "test-items", "one-relevant, sampled(n=5)"])
def test_given_lists_are_scored_as_those_of_the_recommender(targets: str) -> None:
    ratings = cf.read("simulated(size=tiny)")
    parts = split(ratings, parse("split", "random(test_share=0.4)"), 0)
    ranked = cf.rank(parts.train, cf.judge(parts.test, 4), {"kNN": "user-kNN(k=5)"}, depth=50)
    lists = ranked["kNN"].run.table(ratings.user_ids, ratings.item_ids)
    asked: dict[str, Any] = {
        "split": given_parts(parts.test, parts.train),
        "relevance": 4,
        "systems": {"kNN": "user-kNN(k=5)"},
        "runs": {"file": lists},
        "targets": targets,
        "metrics": list(PAIRS),
    }
    both = cf.run(Experiment(**asked))
    for name in PAIRS:
        value = both.summary.row("kNN", name).value
        assert both.summary.row("file", name).value == pytest.approx(value)


def test_what_is_stored_gives_the_same_scores(tmp_path: Path) -> None:
    first = cf.run(BASE, store=tmp_path)
    again = cf.run(BASE, store=tmp_path)
    np.testing.assert_array_equal(first.scores.values, again.scores.values)


def test_robustness_of_them_over_folds_can_be_assessed() -> None:
    made = run(split="k-fold(folds=2)", assess=["robustness(sizes=[1, 0.5], samples=2)"])
    assert made.assessments


@pytest.mark.parametrize("text", ["robustness(samples=2, sizes=[1, 0.5])", "thinned-DP(samples=2)"])
def test_lists_that_are_located_are_assessed_as_in_an_experiment(text: str) -> None:
    asked = read_table({**BASE, "assess": [text]})
    located = replace(locate_systems(asked), test=parse("test", "t"))
    found, (made, *_) = parse("criterion", text).assess(located), execute(asked).assessments
    assert found.to_dict() == made.to_dict()


def test_item_vectors_are_needed_and_used() -> None:
    with pytest.raises(MissingFacts, match="UserILD@5 needs item vectors"):
        run(metrics=["UserILD@5"], run_metrics=[])
    items = [f"i{number:04d}" for number in range(1, 51)]
    kinds = pl.DataFrame({"item_id": items, "kind": [f"k{n % 3}" for n in range(50)]})
    made = run(metrics=["UserILD@5"], run_metrics=["ILD@5"], item_vectors=kinds)
    assert made.summary.row("kNN", "UserILD@5").value == pytest.approx(made.lists["kNN"]["ILD@5"])


def test_a_lower_error_need_not_mean_a_better_ranking() -> None:
    """bellogin2012 §4.3.5: more epochs predict ratings better, and rank worse."""
    made = run(
        data="simulated(size=small)",
        systems={"one": "SVD(epochs=1)", "many": "SVD", "median": "MedianRating"},
        targets="test-items",
        metrics=["RMSE", "MAE", "P@5"],
        run_metrics=[],
    )
    row = made.summary.row
    for name in ("RMSE", "MAE"):
        assert row("many", name).value < row("one", name).value
    assert row("many", "P@5").value < row("one", "P@5").value


def test_predictions_that_are_no_ratings_have_no_error() -> None:
    made = run(systems={"Popularity": "Popularity"}, metrics=["RMSE"], run_metrics=[])
    assert made.summary.row("Popularity", "RMSE").evaluated == 0
