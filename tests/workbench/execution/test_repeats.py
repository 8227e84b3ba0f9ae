"""Repeated bases: each repeat is an experiment of its own, and the first is the base."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import BadExperiment
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Predictor
from cranfield.recommendation.recommenders.random import Random
from cranfield.significance.effect_size import mean_difference
from cranfield.validity.study.repeats import Repeats
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.repeats import repeat_base
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.store.store import Store
from experiment_cases import study_of

PAIR = ("kNN", "Random")


def study(repeat: dict[str, int], **changes: Any) -> Study:
    asked = {"vary": {"cutoff": [3, 5]}, "draws": 0, "pair": PAIR, "repeat": repeat}
    return study_of(asked, **{"metrics": ["nDCG@5"], **changes})


def repeated(repeat: dict[str, int], store: Store | None = None, **changes: Any) -> Repeats:
    found = repeat_base(study(repeat, **changes), PAIR, Pipeline(store))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"aggregation": "weighted-mean"},
        {"coverage": "forgiving", "depth": 2},
        {"coverage": "common"},
        {"targets": "test-items, one-relevant"},
        {"targets": "test-items, percentiles(m=2)"},
        {"split": "k-fold(folds=2)"},
    ],
)
def test_the_difference_is_the_mean_of_those_of_experiments_with_these_seeds(
    changes: dict[str, Any],
) -> None:
    base = study({"split_seeds": 3}, **changes).base
    summaries = [execute(replace(base, seed=seed)).summary for seed in (0, 1, 2)]
    differences = [
        each.row("kNN", "nDCG@5").value - each.row("Random", "nDCG@5").value for each in summaries
    ]
    found = repeated({"split_seeds": 3}, **changes).found
    assert found.difference == pytest.approx(np.mean(differences), abs=1e-14)
    spread = found.components
    assert spread.split <= np.var(differences, ddof=1) + 1e-12


def test_without_chance_in_fits_the_error_is_that_of_the_paired_t_test() -> None:
    changes: dict[str, Any] = {
        "systems": {"kNN": "user-kNN", "Random": "Popularity"},
        "metrics": ["P@5"],
    }
    scores = execute(study({"fit_seeds": 2}, **changes).base).scores
    differences = scores.of("kNN", "P@5") - scores.of("Random", "P@5")
    known = differences[~np.isnan(differences)]
    expected = mean_difference(known, np.full(len(known), 1 / len(known)))
    assert len(known) < len(differences)  # users without a relevant item do not enter
    found = repeated({"fit_seeds": 2}, **changes).found
    assert (found.users, found.freedom) == (expected.users, expected.users - 1)
    assert found.error == pytest.approx(expected.error)


class Watched(Random):
    """A random recommender that notes its seeds."""

    seen: list[int] = []  # noqa: RUF012

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        self.seen.append(seeds.seed)
        return super().fit(train, seeds)


def test_every_fit_has_a_seed_of_its_own() -> None:
    Watched.seen.clear()
    repeated({"split_seeds": 2, "fit_seeds": 3}, systems={"kNN": "user-kNN", "Random": Watched()})
    assert Watched.seen == [0, 2, 3, 1, 4, 5]


def test_systems_that_are_fitted_at_random_differ_between_fits() -> None:
    found = repeated({"split_seeds": 2, "fit_seeds": 3}).found
    assert found.components.rest > 0
    still = {"kNN": "user-kNN", "Random": "Popularity"}
    found = repeated({"split_seeds": 2, "fit_seeds": 3}, systems=still).found
    assert (found.components.rest, found.components.fit) == pytest.approx((0, 0), abs=1e-25)


def test_a_store_changes_nothing_and_what_it_has_is_not_fitted_again(tmp_path: Path) -> None:
    asked = {"split_seeds": 2, "fit_seeds": 2}
    store = Store(tmp_path)
    alone, first, second = (repeated(asked, each) for each in (None, store, store))
    assert alone == first == second
    pipeline = Pipeline(store)
    repeat_base(study(asked), PAIR, pipeline)
    assert "fitting" not in pipeline.seconds


def test_filters_keep_the_seed_of_the_base() -> None:
    pipeline, base = Pipeline(), study({"split_seeds": 2}, filters=["sample(share=0.5)"]).base
    one, other = pipeline.prepare(base), pipeline.prepare(base, 1)
    assert one.ratings is not None
    assert other.ratings is not None
    assert one.ratings.fingerprint == other.ratings.fingerprint
    assert one.folds[0].test.fingerprint != other.folds[0].test.fingerprint


def test_a_split_without_chance_is_refused_before_anything_is_fitted() -> None:
    pipeline = Pipeline()
    with pytest.raises(BadExperiment, match=r"study.repeat.split_seeds: temporal.* alike"):
        execute_study(study({"split_seeds": 2}, split="temporal"), pipeline)
    assert "fitting" not in pipeline.seconds


def test_a_study_reports_its_repeats() -> None:
    made = execute_study(study({"split_seeds": 2, "fit_seeds": 2}))
    assert made.repeats is not None
    record = made.to_dict()["repeats"]
    assert (record["splits"], record["fits"]) == (2, 2)
    assert record["difference"] == made.repeats.found.difference
    assert execute_study(study_of({"vary": {"cutoff": [3]}, "draws": 0})).repeats is None
