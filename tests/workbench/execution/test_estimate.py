"""The estimate: how much there is to do, and how much of it is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.workbench.execution.estimate import Estimate, estimate
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.resources import memory
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of


def counts(made: Estimate) -> tuple[int, ...]:
    names = ("designs", "splits", "fits", "fits_cached", "rankings", "rankings_cached")
    return tuple(getattr(made, name) for name in names)


def test_an_experiment_is_one_design_with_a_fit_and_a_ranking_a_system(tmp_path: Path) -> None:
    store, experiment = Store(tmp_path), experiment_of()
    assert counts(estimate(experiment, Pipeline(store))) == (1, 1, 3, 0, 3, 0)
    execute(experiment, Pipeline(store))
    assert counts(estimate(experiment, Pipeline(store))) == (1, 1, 0, 0, 3, 3)


def test_every_fold_has_fits_and_rankings_of_its_own(tmp_path: Path) -> None:
    store, experiment = Store(tmp_path), experiment_of(split="k-fold(folds=4)")
    assert counts(estimate(experiment, Pipeline(store))) == (1, 1, 12, 0, 12, 0)
    execute(experiment, Pipeline(store))
    assert counts(estimate(experiment, Pipeline(store))) == (1, 1, 0, 0, 12, 12)


def test_fits_that_are_kept_serve_other_targets(tmp_path: Path) -> None:
    store = Store(tmp_path)
    execute(experiment_of(), Pipeline(store))
    assert counts(estimate(experiment_of(targets="TI"), Pipeline(store))) == (1, 1, 3, 3, 3, 0)
    assert counts(estimate(experiment_of(metrics=["AP"]), Pipeline(store))) == (1, 1, 0, 0, 3, 3)
    assert counts(estimate(experiment_of(seed=1), Pipeline(store))) == (1, 1, 3, 0, 3, 0)


def test_a_study_counts_designs_splits_fits_and_cells(tmp_path: Path) -> None:
    store = Store(tmp_path)
    study = study_of(
        {
            "vary": {
                "split.test_share": [0.2, 0.4],
                "targets": ["all-items", "test-items"],
                "cutoff": [3, 5],
                "aggregation": ["mean", "median"],
            },
            "draws": 0,
        }
    )
    assert counts(estimate(study, Pipeline(store))) == (16, 2, 2 * 3, 0, 2 * 2 * 3, 0)
    execute_study(study, Pipeline(store))
    assert counts(estimate(study, Pipeline(store))) == (16, 2, 0, 0, 12, 12)


def test_repeats_count_the_splits_and_fits_of_a_pair_beyond_the_base(tmp_path: Path) -> None:
    asked = {"vary": {"cutoff": [3, 5]}, "repeat": {"split_seeds": 3, "fit_seeds": 2}}
    # 3 fits of the base, and of the pair 3 splits × 2 fits − that of the base
    more = 2 * (3 * 2 - 1)
    made = estimate(study_of(asked), Pipeline(Store(tmp_path)))
    assert counts(made) == (2, 3, 3 + more, 0, 3 + more, 0)


def test_a_model_of_the_users_own_is_never_kept(tmp_path: Path) -> None:
    def by_count(train: Any, users: Any) -> Any:
        return np.tile(train.item_counts.astype(float), (len(users), 1))

    store = Store(tmp_path)
    experiment = experiment_of(systems={"mine": by_count, "Popularity": "Popularity"})
    execute(experiment, Pipeline(store))
    assert counts(estimate(experiment, Pipeline(store))) == (1, 1, 1, 0, 2, 1)


def test_estimating_splits_and_does_nothing_more(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    estimate(experiment_of(), Pipeline(store))
    assert [(size.kind, size.entries) for size in store.sizes()] == [("split", 1)]


def test_more_work_takes_longer_and_less_of_it_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "bytes_now", lambda: 0)  # what this process has is not the work's
    store = Store(tmp_path)
    small, large = (
        estimate(experiment_of(data=f"simulated(size={size})", systems={"MF": "MF", "S": "SLIM"}),
                 Pipeline(store))
        for size in ("tiny", "small")
    )  # fmt: skip
    assert large.seconds > small.seconds
    assert large.memory["fitting"] > small.memory["fitting"]
    experiment = experiment_of(systems={"MF": "MF"}, data="simulated(size=small)")
    before = estimate(experiment, Pipeline(store))
    execute(experiment, Pipeline(store))
    assert estimate(experiment, Pipeline(store)).seconds < before.seconds


def test_the_estimate_is_one_line_in_words() -> None:
    made = Estimate(
        designs=5_000, splits=9, fits=1, fits_cached=0, rankings=90, rankings_cached=12,
        seconds=600, memory={"reading": 3 << 29, "fitting": 3 << 30},
    )  # fmt: skip
    assert made.bytes == 3 << 30
    assert str(made) == (
        "5,000 designs: 9 splits, 1 fit (0 cached), 90 rankings (12 cached); about 10 min, "
        "3.0 GiB (reading 1.5, fitting 3.0)."
    )


def test_a_small_study_is_foreseen_to_take_seconds(tmp_path: Path) -> None:
    """Lists and designs cost far less than a second each, and cached fits nothing."""
    study = study_of({"vary": {"cutoff": [3, 5], "relevance": [3, 4]}})
    before = estimate(study, Pipeline(Store(tmp_path)))
    assert before.seconds < 5
    execute_study(study, Pipeline(Store(tmp_path)))
    other = study_of({"vary": {"targets": ["all-items", "test-items"]}})
    cached = estimate(other, Pipeline(Store(tmp_path)))
    assert cached.fits_cached == cached.fits > 0
    assert cached.seconds < estimate(other, Pipeline(Store(tmp_path / "new"))).seconds
