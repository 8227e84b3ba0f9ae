"""Splits that are drawn repeatedly: what becomes of users, items and errors."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_rel

from cranfield.scoring.score_files import scores_from_table
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import summarise
from cranfield.significance.comparison import compare
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import condition_of
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores

SPLIT = "random(test_share=0.4, repeats=3)"
TARGETS = ["all-items", "test-items, one-relevant", "test-items, percentiles(m=3)"]
Key = tuple[int, ...]


def scored(experiment: Experiment) -> Scores:
    pipeline = Pipeline()
    return pipeline.score(pipeline.prepare(experiment), [condition_of(experiment)])[0]


def keys_of(scores: Scores) -> list[Key]:
    topics = scores.topics
    columns = [each for each in (topics.users, topics.segments, topics.items) if each is not None]
    return [tuple(key) for key in np.stack(columns, axis=1).tolist()]


def by_fold(experiment: Experiment) -> dict[Key, list[Any]]:
    """For each topic, its scores (systems × metrics) in every fold, each fold scored alone."""
    pipeline = Pipeline()
    data = pipeline.prepare(experiment)
    found: dict[Key, list[Any]] = defaultdict(list)
    for fold in data.folds:
        alone = pipeline.score(replace(data, folds=(fold,)), [condition_of(experiment)])[0]
        for number, key in enumerate(keys_of(alone)):
            values, covered = alone.values[:, :, number], alone.covered[:, number, None]
            found[key].append(np.where(covered | np.isnan(values), values, 0.0))
    return found


@pytest.mark.parametrize("targets", TARGETS)
def test_each_topic_has_the_mean_over_the_draws_in_which_it_is_test(targets: str) -> None:
    experiment = experiment_of(split=SPLIT, targets=targets, systems={"kNN": "user-kNN(k=5)"})
    made, slow = scored(experiment), by_fold(experiment)
    assert keys_of(made) == sorted(slow)
    assert max(map(len, slow.values())) == 3
    assert min(map(len, slow.values())) < 3
    for number, key in enumerate(keys_of(made)):
        for metric in range(2):
            every = [value[0, metric] for value in slow[key]]
            defined = [value for value in every if not np.isnan(value)]
            mean = sum(defined) / len(defined) if defined else np.nan
            assert made.values[0, metric, number] == pytest.approx(mean, nan_ok=True)


@pytest.mark.parametrize("targets", TARGETS[:2])
def test_the_error_is_that_of_users_however_often_their_items_were_test(targets: str) -> None:
    experiment = experiment_of(split=SPLIT, targets=targets)
    scores = scored(experiment)
    row = summarise(scores, experiment.summary_choice).row("kNN", "P@5")
    values = np.where(scores.covered[2], scores.of("kNN", "P@5"), 0.0)
    defined = ~np.isnan(scores.of("kNN", "P@5"))
    values, users = values[defined], scores.topics.users[defined]
    mean = float(np.mean(values))
    sums = [float(np.sum(values[users == user] - mean)) for user in np.unique(users)]
    error = np.sqrt(len(sums) / (len(sums) - 1) * np.sum(np.square(sums))) / len(values)
    assert row.value == pytest.approx(mean)
    assert row.standard_error == pytest.approx(error)
    assert row.users == len(sums) == len(np.unique(users))


def test_systems_are_compared_over_users_not_over_draws() -> None:
    experiment = experiment_of(split=SPLIT)
    scores = scored(experiment)
    assert len(scores) == len(np.unique(scores.topics.users))
    pair = compare(scores, experiment.comparison_choice).pair("P@5", "Random", "kNN")
    values = np.stack([scores.of("Random", "P@5"), scores.of("kNN", "P@5")])
    other = ttest_rel(*values[:, ~np.isnan(values).any(axis=0)])
    assert pair.p_value == pytest.approx(other.pvalue)


def test_scores_of_items_that_were_test_repeatedly_are_read_back_from_rows_in_any_order() -> None:
    made = scored(experiment_of(split=SPLIT, targets="test-items, one-relevant"))
    table = made.to_polars().sample(fraction=1, shuffle=True, seed=3)
    table = pl.concat([table.filter(pl.col("system") == name) for name in made.systems])
    back = scores_from_table(table).by_metrics(made.metrics)
    assert (
        back.topics.users.tolist() == np.unique(made.topics.users, return_inverse=True)[1].tolist()
    )
    for name in made.systems:
        for metric in made.metrics:
            assert back.of(name, metric).tolist() == made.of(name, metric).tolist()


def test_more_draws_make_the_value_steadier() -> None:
    """The spread of the mean over seeds falls with the number of draws."""
    systems = {"Popularity": "Popularity"}

    def spread(repeats: int) -> float:
        split = f"per-user(test_share=0.4, repeats={repeats})"
        values = [
            float(
                np.nanmean(scored(experiment_of(split=split, systems=systems, seed=s)).values[0, 1])
            )
            for s in range(12)
        ]
        return float(np.std(values))

    assert spread(6) < 0.75 * spread(1)


def test_a_split_repeated_once_gives_the_results_of_one_that_is_not(tmp_path: Path) -> None:
    store = Store(tmp_path)
    plain, once = (
        execute(experiment_of(split=split), Pipeline(store))
        for split in ("per-user(test_share=0.4)", "per-user(test_share=0.4, repeats=1)")
    )
    assert same_scores(plain.scores, once.scores)


def test_the_store_tells_numbers_of_draws_apart(tmp_path: Path) -> None:
    for repeats in (1, 3, 2, 3):
        experiment = experiment_of(split=f"per-user(test_share=0.4, repeats={repeats})")
        stored, fresh = Pipeline(Store(tmp_path)), Pipeline()
        one, other = (each.prepare(experiment) for each in (stored, fresh))
        assert len(one.folds) == repeats
        assert [f.test.fingerprint for f in one.folds] == [f.test.fingerprint for f in other.folds]
