"""Results judged by a random part say which one it was."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import Unverified
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.results.files import write_results
from experiment_cases import experiment_of


def part(path: Path, ratings: list[float]) -> None:
    train = cf.read("simulated(size=tiny)")
    users, items = train.user_ids.values.to_list(), train.item_ids.values.to_list()
    rows = {"user": users[:20], "item": items[:20], "rating": ratings}
    pl.DataFrame(rows).write_csv(path)


def test_another_random_part_is_found(tmp_path: Path) -> None:
    part(tmp_path / "random.csv", [5.0, 1.0] * 10)
    asked = experiment_of(judged_by=f'random(file="{tmp_path}/random.csv")', topics="judged")
    made = execute(asked)
    assert len(made.to_dict()["data"]["judged"]) == 1
    write_results(made, tmp_path / "results")
    cf.verify(tmp_path / "results")
    part(tmp_path / "random.csv", [4.0, 1.0] * 10)
    with pytest.raises(Unverified, match=r"data\.judged"):
        cf.verify(tmp_path / "results")


def test_test_ratings_are_recorded_as_those_of_folds_alone() -> None:
    assert "judged" not in execute(experiment_of()).to_dict()["data"]
