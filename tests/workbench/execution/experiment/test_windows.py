"""Windows in time: each is what a run of its own parts gives, and users are averaged over them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.collection.fold import Fold
from cranfield.validity.assessment import Assessment
from cranfield.view.page.report import charts_of
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.experiment.windows import are_windows, moment
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.files import report_content, write_results
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from experiment_cases import experiment_of

KNOWN: dict[str, Any] = {
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)"},
    "split": "rolling(windows=2)",
}


def windows_of(results: Results) -> Assessment:
    [made] = [each for each in results.assessments if each.criterion == "windows in time"]
    return made


def value_in(table: pl.DataFrame, metric: str, system: str, window: int) -> float:
    row = table.filter(metric=metric, system=system, window=window)
    return float(row["value"].item())


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"coverage": "forgiving", "least_train": 0, "unscored": "popularity"},
        {"aggregation": "median", "undefined": "zero", "targets": "1R", "metrics": ["RR"]},
        {"aggregation": "weighted-mean(by=train)"},
        {"train_filters": ["min-ratings(per=user, at_least=3)"]},
    ],
)
def test_a_window_is_the_run_of_its_own_parts(changes: dict[str, Any]) -> None:
    asked = experiment_of(**{**KNOWN, **changes})
    made, data = execute(asked), Pipeline().prepare(asked)
    values = windows_of(made).to_polars("values")
    own = {**KNOWN, **changes, "train_filters": None, "data": None, "scale": [1, 5]}
    for number, fold in enumerate(data.folds, start=1):
        own["split"] = {"name": "given", "train": fold.train, "test": fold.test}
        own["catalogue"] = data.item_ids.values.to_list()
        for row in execute(experiment_of(**own)).summary.rows:
            assert value_in(values, row.metric, row.system, number) == row.value


def test_the_value_of_a_user_is_the_mean_over_the_windows_that_the_user_enters() -> None:
    asked = experiment_of(**KNOWN, metrics=["P@5"], coverage="full")
    made, data = execute(asked), Pipeline().prepare(asked)
    scores: dict[Any, list[float]] = {}
    own = {**KNOWN, "metrics": ["P@5"], "data": None, "scale": [1, 5]}
    for fold in data.folds:
        own["split"] = {"name": "given", "train": fold.train, "test": fold.test}
        own["catalogue"] = data.item_ids.values.to_list()
        alone = execute(experiment_of(**own)).scores
        users = alone.user_ids.take(alone.topics.users).to_list()
        for user, score in zip(users, alone.values[0, 0].tolist(), strict=True):
            scores.setdefault(user, []).append(score)
    assert {1, 2} <= {len(each) for each in scores.values()}  # some enter both windows
    users = made.scores.user_ids.take(made.scores.topics.users).to_list()
    known = {user: [score for score in each if score == score] for user, each in scores.items()}
    expected = [float(np.mean(known[user])) if known[user] else np.nan for user in users]
    assert made.scores.values[0, 0].tolist() == pytest.approx(expected, nan_ok=True)
    assert made.summary.row("Popularity", "P@5").value == pytest.approx(np.nanmean(expected))
    assert len(users) == len(scores)


def test_cold_users_and_items_are_counted_in_each_window() -> None:
    asked = experiment_of(**KNOWN)
    made, data = execute(asked), Pipeline().prepare(asked)
    table = windows_of(made).to_polars("windows")
    for row, fold in zip(table.to_dicts(), data.folds, strict=True):
        assert isinstance(fold, Fold)
        for what in ("users", "items"):
            known = set(getattr(fold.train, what).tolist())
            tested = set(getattr(fold.test, what).tolist())
            assert (row[f"test_{what}"], row[f"cold_{what}"]) == (len(tested), len(tested - known))
        entering = set(fold.test.users.tolist()) & set(fold.train.users.tolist())
        assert row["users_entering"] == len(entering)
        assert (row["training_ratings"], row["test_ratings"]) == (len(fold.train), len(fold.test))
    recorded = [fold["cold"] for fold in made.data["folds"]]
    assert [each["users"] for each in recorded] == table["cold_users"].to_list()
    users = f"{sum(table['cold_users']):,} of {sum(table['test_users']):,} test users ("
    assert f"Over all windows, {users}" in windows_of(made).reading


@pytest.mark.parametrize(
    ("policy", "listed"),
    [
        ({}, None),  # drop: users without a training rating do not enter
        ({"least_train": 0}, False),  # count 0: they enter, with an empty list
        ({"least_train": 0, "unscored": "popularity"}, True),  # fall back on what is popular
    ],
)
def test_cold_users_are_dropped_count_nothing_or_fall_back(
    policy: dict[str, Any], listed: bool | None
) -> None:
    asked = experiment_of(**{**KNOWN, "systems": {"kNN": "user-kNN(k=5)"}}, **policy)
    made, data = execute(asked), Pipeline().prepare(asked)
    warm, tested = set[int](), set[int]()
    for fold in data.folds:
        tested |= set(fold.test.users.tolist())
        warm |= set(fold.test.users.tolist()) & set(fold.train.users.tolist())
    assert warm < tested
    users = made.scores.topics.users
    assert set(users.tolist()) == (warm if listed is None else tested)
    new = ~np.isin(users, list(warm))
    assert set(made.scores.covered[0, new].tolist()) == (set() if listed is None else {listed})
    if listed is False:
        assert set(made.scores.values[0, 0, new].tolist()) == {0.0}


def test_cold_items_are_no_targets_where_only_training_items_are() -> None:
    asked = experiment_of(**KNOWN, targets="train-items")
    made, data = execute(asked), Pipeline().prepare(asked)
    for targets, fold in zip(made.target_sets, data.folds, strict=True):
        known = set(fold.train.items.tolist())
        for topic in range(len(targets.topics)):
            assert set(targets.of_topic(topic).tolist()) <= known


def test_windows_are_recorded_read_back_and_drawn(tmp_path: Path) -> None:
    made = execute(experiment_of(**KNOWN))
    write_results(made, tmp_path / "results")
    read = read_results(tmp_path / "results")
    assert isinstance(read, Results)
    ours, theirs = windows_of(made), windows_of(read)
    assert ours.to_dict() == theirs.to_dict()
    charts = charts_of(report_content(made))
    drawn = [name for name in charts if name.startswith("windows-in-time")]
    assert len(drawn) == 2
    [panel] = charts[drawn[0]].panels
    lines = {mark.name: list(mark.y) for mark in panel.marks}  # type: ignore[union-attr]
    values = ours.to_polars("values")
    for system in ("Popularity", "kNN"):
        assert lines[system] == [value_in(values, "nDCG@5", system, n) for n in (1, 2)]
    assert "nDCG@5 by window" in (tmp_path / "results" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("rolling(windows=2)", True),
        ("rolling(windows=1)", False),
        ("temporal", False),
        ("k-fold(folds=2)", False),
        ("random(repeats=2)", False),
    ],
)
def test_only_folds_in_order_of_time_are_windows(split: str, expected: bool) -> None:
    made = execute(experiment_of(**{**KNOWN, "split": split}))
    assert are_windows(Pipeline().prepare(experiment_of(split=split))) == expected
    shown = [each.criterion for each in made.assessments]
    assert ("windows in time" in shown) == expected


def test_who_is_best_is_said_for_all_windows_or_for_each() -> None:
    same = {"A": "Popularity", "B": "Random"}
    said = windows_of(execute(experiment_of(**{**KNOWN, "systems": same}))).reading
    assert "A is best by nDCG@5 in all 2 windows." in said or "changes: " in said
    alone = windows_of(execute(experiment_of(**{**KNOWN, "systems": {"A": "Popularity"}}))).reading
    assert "best" not in alone


def test_times_are_shown_as_dates_where_they_are_seconds() -> None:
    assert moment(10**9) == "2001-09-09 01:46"
    assert moment(99) == "99"
    assert moment(-5) == "-5"
    assert moment(10**12) == "1000000000000"
