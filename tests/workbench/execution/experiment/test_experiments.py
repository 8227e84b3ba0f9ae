"""Executing experiments: judges, shares, filters, and what a given split depends on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.workbench.execution.data.prepared_data import targets_of
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.verify import NOT_COMPARED
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, write_ratings


def without_time(results: Results) -> dict[str, Any]:
    return {name: each for name, each in results.to_dict().items() if name not in NOT_COMPARED}


def assert_same(one: Results, other: Results) -> None:
    assert same_scores(one.scores, other.scores)
    assert without_time(one) == without_time(other)


def test_a_smaller_share_of_judgments_is_part_of_a_larger_one() -> None:
    seen: list[set[tuple[Any, Any]]] = []
    for share in (1.0, 0.6, 0.3):
        experiment = experiment_of(judged_share=share)
        material = Pipeline().prepare(experiment)
        ratings = targets_of(material, material.folds[0], experiment).judgments.ratings
        seen.append(set(zip(ratings.users.tolist(), ratings.items.tolist(), strict=True)))
    assert seen[2] < seen[1] < seen[0]
    assert len(seen[0]) == 161
    assert [len(each) for each in seen[1:]] == [round(0.6 * 161), round(0.3 * 161)]


def test_the_oracle_is_best_where_the_truth_judges() -> None:
    systems = {
        "oracle": "oracle(source=simulated(size=tiny))",
        "Popularity": "Popularity",
        "Random": "Random",
        "kNN": "user-kNN(k=5)",
    }
    results = execute(experiment_of(systems=systems, judged_by="truth", metrics=["nDCG@5", "AUC"]))
    for metric in ("nDCG@5", "AUC"):
        rows = {name: results.summary.row(name, metric).value for name in systems}
        best, second = sorted(rows, key=lambda name: -rows[name])[:2]
        assert best == "oracle"
        assert rows[best] > rows[second] + 0.1
    assert results.data["folds"][0]["test_ratings"] == 161


def test_the_truth_is_asked_only_of_data_that_have_one(tmp_path: Path) -> None:
    rows = write_ratings(tmp_path / "r.csv", [(u, i, 5.0) for u in range(5) for i in range(5)])
    with pytest.raises(CranfieldError, match=r"truth|simulated"):
        execute(experiment_of(data=str(rows), judged_by="truth"))


def test_a_given_split_is_read_anew(tmp_path: Path) -> None:
    """Its file has a say in it, which the fingerprint of the ratings does not cover."""
    every = [(u, i, 5.0) for u in range(6) for i in range(6)]
    rows = write_ratings(tmp_path / "r.csv", every)
    store, found = Store(tmp_path / "store"), []
    for item in (1, 2):
        write_ratings(tmp_path / "test.csv", [(u, item, 5.0) for u in range(6)])
        experiment = experiment_of(
            data=str(rows), split={"name": "given", "test": str(tmp_path / "test.csv")}
        )
        found.append(execute(experiment, Pipeline(store)).data["folds"][0]["test"])
    assert found[0] != found[1]


def test_filters_are_told_with_what_they_left() -> None:
    results = execute(experiment_of(filters=["rating-range(at_least=2)", "k-core(k=3)"]))
    first, second = results.data["filters"]
    assert first["before"] == 400
    assert first["after"] == second["before"] > second["after"] == results.data["size"]


def test_a_split_of_filtered_ratings_is_that_of_a_file_of_them(tmp_path: Path) -> None:
    """Ids that a filter left without ratings decide nothing, neither in nor out of the store."""
    store = Store(tmp_path / "store")
    filtered = experiment_of(filters=["min-ratings(per=item, at_least=8)"])
    results = execute(filtered, Pipeline(store))
    ratings = Pipeline().prepare(filtered).ratings
    assert ratings is not None
    ratings.to_polars().write_csv(tmp_path / "r.csv")
    written = experiment_of(data=str(tmp_path / "r.csv"))
    again, alone = execute(written, Pipeline(store)), execute(written)
    assert_same(again, alone)
    assert results.data["folds"][0]["train"] == alone.data["folds"][0]["train"]
    assert same_scores(results.scores, alone.scores)


def test_a_metric_that_cannot_be_computed_is_an_error_unless_asked_to_be_lenient() -> None:
    asked = experiment_of(metrics=["P@5", "nDCG(gain=table(gains={1: 1}))@5"])
    with pytest.raises(CranfieldError, match="cannot map the rating"):
        execute(asked)
    cell = RankingCondition(experiment=asked, metrics=asked.metrics, lenient=True)
    (scores,) = Pipeline(Store(None)).score(Pipeline().prepare(asked), [cell])
    assert np.isnan(scores.values[:, 1]).all()
    plain = execute(experiment_of(metrics=["P@5"])).scores
    assert scores.values[:, 0].tobytes() == plain.values[:, 0].tobytes()


def test_random_lists_score_what_is_expected_of_them_over_folds() -> None:
    asked = experiment_of(
        data="simulated(size=small)", split="k-fold(folds=2)", systems={"R": "Random"}
    )
    row = execute(asked).summary.row("R", "P@5")
    assert row.value == pytest.approx(row.random, abs=3 * row.standard_error)


def test_a_cutoff_far_beyond_the_items_takes_no_room_and_sees_whole_lists() -> None:
    made = execute(experiment_of(metrics=["Recall@2147483647", "Recall"]))
    deep, whole = (made.scores.values[:, place] for place in (0, 1))
    assert deep.tobytes() == whole.tobytes()


def test_a_criterion_that_needs_ranks_gets_them_beside_one_that_does_not() -> None:
    asked = ["correlation", "robustness(samples=2, sizes=[1, 0.5])"]
    made = execute(experiment_of(assess=asked)).assessments
    named = [each.criterion for each in made if not each.criterion.startswith("bias")]
    assert named == ["correlation", "robustness"]
