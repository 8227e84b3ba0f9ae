"""Groups and item vectors of an experiment: the same on one split, over folds, and for runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError, OptionError
from cranfield.collection.split import split
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.results.results import Results
from experiment_cases import experiment_of, file_of, table_of

RATINGS = cf.read("simulated(size=tiny)")
ITEMS = RATINGS.item_ids.values.to_list()
VECTORS = pl.DataFrame(
    {
        "item": ITEMS,
        "length": [place % 7 for place in range(len(ITEMS))],
        "genres": [["War|Drama", "Drama", "Comedy|War", "Comedy"][place % 4] for place in
                   range(len(ITEMS))],
    }
)  # fmt: skip
USERS = pl.DataFrame(
    {
        "user": RATINGS.user_ids.values,
        "age": [["young", "old"][place % 2] for place in range(RATINGS.n_users)],
    }
)
SPLITS = ["per-user(test_share=0.4)", "k-fold(folds=3)"]


def rows_of(made: Results, place: int = 0) -> pl.DataFrame:
    return made.breakdowns[place].to_polars()


@pytest.mark.parametrize("splitter", SPLITS)
@pytest.mark.parametrize("by", ["activity:1", "test-size:1", "popularity:1"])
def test_one_group_of_all_has_the_values_of_the_summary(splitter: str, by: str) -> None:
    made = execute(experiment_of(split=splitter, by=[by], metrics=["nDCG@5", "Recall", "AP"]))
    rows = rows_of(made)
    assert len(rows) == len(made.summary.rows) == 3 * 3
    for row in rows.iter_rows(named=True):
        expected = made.summary.row(row["system"], row["metric"])
        assert row["value"] == pytest.approx(expected.value, rel=1e-12)


@pytest.mark.parametrize("splitter", SPLITS)
@pytest.mark.parametrize("by", ["activity:3", "test-size:3", "age"])
def test_groups_of_users_make_up_the_whole(splitter: str, by: str, tmp_path: Path) -> None:
    USERS.write_csv(tmp_path / "users.csv")
    asked = f"{tmp_path}/users.csv:age" if by == "age" else by
    made = execute(experiment_of(split=splitter, by=[asked], metrics=["P@5"]))
    for system in made.experiment.names:
        rows = rows_of(made).filter(pl.col("system") == system)
        assert len(rows) == (2 if by == "age" else 3)
        whole = made.summary.row(system, "P@5")
        assert rows["users"].sum() == whole.evaluated
        mean = np.average(rows["value"].to_numpy(), weights=rows["users"].to_numpy())
        assert mean == pytest.approx(whole.value, rel=1e-12)


@pytest.mark.parametrize("splitter", SPLITS)
def test_users_are_grouped_by_their_test_ratings_in_all_folds(splitter: str) -> None:
    made = execute(experiment_of(split=splitter, by=["test-size:40"], metrics=["P@5"]))
    folds = split(RATINGS, made.experiment.split, made.experiment.seed).folds
    tested = np.sum([fold.test.user_counts for fold in folds], axis=0)
    rows = rows_of(made).filter((pl.col("system") == "kNN") & (pl.col("users") > 0))
    ends = [text.partition(": ")[2].split(" to ") for text in rows["test-size"]]
    sizes = sorted(int(end) for pair in ends for end in pair)
    assert (sizes[0], sizes[-1]) == (tested[tested > 0].min(), tested.max())
    for (low, high), users in zip(ends, rows["users"], strict=True):
        assert users <= np.count_nonzero((tested >= int(low)) & (tested <= int(high)))


def test_groups_of_a_recommender_and_of_its_run_are_the_same() -> None:
    parts = split(RATINGS, experiment_of().split, 0)
    run = cf.rank(parts.train, cf.judge(parts.test, 4), ["user-kNN(k=5)"], depth=10**6)
    decisions: dict[str, Any] = {"by": ["activity:2", "popularity:3"], "item_vectors": VECTORS}
    metrics = ["nDCG@5", "AP", "ILD@5"]
    made = execute(experiment_of(systems={"kNN": "user-kNN(k=5)"}, metrics=metrics, **decisions))
    scale = float(RATINGS.values.min()), float(RATINGS.values.max())
    other = cf.evaluate(
        parts.test, {"kNN": run["user-kNN(k=5)"].run}, metrics, relevance=4, train=parts.train,
        scale=scale, **decisions,
    )  # fmt: skip
    assert made.lists == other.lists
    for one, two in zip(made.breakdowns, other.breakdowns, strict=True):
        assert one.name == two.name
        assert one.to_polars().equals(two.to_polars())


def test_metrics_of_item_vectors_are_averaged_over_folds() -> None:
    experiment = experiment_of(
        split="k-fold(folds=3)", systems={"kNN": "user-kNN(k=5)"}, metrics=["P@5", "ILD@5"],
        item_vectors=VECTORS,
    )  # fmt: skip
    values = []
    for fold in split(RATINGS, experiment.split, 0).folds:
        run = cf.rank(fold.train, cf.judge(fold.test, 4), {"kNN": "user-kNN(k=5)"})["kNN"].run
        made = cf.evaluate(
            fold.test, {"kNN": run}, ["ILD@5"], relevance=4, train=fold.train, item_vectors=VECTORS
        )
        values.append(made.lists["kNN"]["ILD@5"])
    assert len(set(values)) == 3
    assert execute(experiment).lists["kNN"]["ILD@5"] == pytest.approx(np.mean(values), rel=1e-12)


def test_vectors_and_groups_of_files_are_those_of_tables(tmp_path: Path) -> None:
    USERS.write_csv(tmp_path / "users.csv")
    VECTORS.write_csv(tmp_path / "items.csv")
    changes: dict[str, Any] = {"split": "k-fold(folds=2)", "metrics": ["P@5", "ILD@5"]}
    path = file_of(tmp_path, by=["users.csv:age"], item_vectors="items.csv", **changes)
    of_files = cf.run(path)
    attribute = {"kind": "attribute", "table": USERS, "column": "age"}
    of_tables = cf.run(table_of(by=[attribute], item_vectors=VECTORS, **changes))
    assert of_files.lists == of_tables.lists
    assert rows_of(of_files).equals(rows_of(of_tables))
    assert set(rows_of(of_files)["age"]) == {"young", "old"}


def test_groups_are_in_the_record_and_cost_no_score() -> None:
    plain, made = (execute(experiment_of(**more)) for more in ({}, {"by": ["popularity:2"]}))
    assert "by" not in plain.to_dict()
    assert set(made.to_dict()["by"]) == {"popularity"}
    assert plain.scores.values.tobytes() == made.scores.values.tobytes()


def test_metrics_of_vectors_need_them_and_activity_needs_training() -> None:
    with pytest.raises(CranfieldError, match="vectors"):
        execute(experiment_of(metrics=["P@5", "ILD@5"]))
    test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    run = {"user": [1, 1], "item": [8, 7], "score": [2, 1]}
    with pytest.raises(OptionError, match="counted in training ratings"):
        cf.evaluate(test, {"mine": run}, ["RR"], relevance=4, by="activity")
