"""Seconds of fits: noted when a system is fitted, and taken for the estimates of later ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.base.options import parse
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution.estimate import estimate
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.resources import costs, fit_times
from cranfield.workbench.execution.resources.fit_times import KIND, fit_seconds, note_fit
from cranfield.workbench.execution.systems import system_pass
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of

inventory.load("recommender")
MF = parse("recommender", "MF")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_without_a_note_seconds_are_those_measured(store: Store) -> None:
    for none in (store, Store(None)):
        assert fit_seconds(none, MF, "MF", 80_000) == costs.fit_seconds(MF, 80_000)


def test_the_last_fit_to_as_many_ratings_counts(store: Store) -> None:
    note_fit(store, "MF", 80_000, 7.0)
    note_fit(store, "MF", 80_000, 5.0)
    assert fit_seconds(store, MF, "MF", 80_000) == pytest.approx(5.0)
    assert fit_seconds(store, MF, "MF(factors=3)", 80_000) == costs.fit_seconds(MF, 80_000)


@pytest.mark.parametrize("ratings", [60_000, 81_000, 130_000])
def test_a_fit_to_about_as_many_is_scaled_as_measurements_are(store: Store, ratings: int) -> None:
    note_fit(store, "MF", 80_000, 5.0)
    scaled = 5.0 * costs.fit_seconds(MF, ratings) / costs.fit_seconds(MF, 80_000)
    assert fit_seconds(store, MF, "MF", ratings) == pytest.approx(scaled)


@pytest.mark.parametrize("ratings", [1, 10_000, 800_000])
def test_a_fit_to_far_more_or_fewer_says_nothing(store: Store, ratings: int) -> None:
    note_fit(store, "MF", 80_000, 5.0)
    assert fit_seconds(store, MF, "MF", ratings) == costs.fit_seconds(MF, ratings)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"ratings": 0, "seconds": 1.0},
        {"ratings": 80_000, "seconds": "soon"},
        {"ratings": True, "seconds": 1.0},
        {"ratings": 80_000, "seconds": float("inf")},
        {"ratings": 80_000, "seconds": float("nan")},
    ],
)
def test_a_note_that_makes_no_sense_is_not_used(store: Store, facts: dict[str, Any]) -> None:
    note_fit(store, "MF", 80_000, 5.0)
    store.note(KIND, fit_times._inputs("MF", 80_000), facts)
    assert fit_seconds(store, MF, "MF", 80_000) == costs.fit_seconds(MF, 80_000)


def test_a_damaged_note_is_not_used(store: Store) -> None:
    note_fit(store, "MF", 80_000, 5.0)
    assert store.folder is not None
    (entry,) = store.folder.rglob("*.entry")
    entry.write_bytes(entry.read_bytes()[:-70])
    assert fit_seconds(store, MF, "MF", 80_000) == costs.fit_seconds(MF, 80_000)
    note_fit(store, "MF", 80_000, 4.0)
    assert fit_seconds(store, MF, "MF", 80_000) == pytest.approx(4.0)


def test_fits_are_noted_once_and_estimates_of_other_splits_rest_on_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = experiment_of(systems={"MF": "MF(factors=2, iterations=1)"}, comparison=None)
    other = experiment_of(systems={"MF": "MF(factors=2, iterations=1)"}, comparison=None, seed=4)
    ticks = iter([100.0, 160.0])
    before = estimate(other, Pipeline(store)).seconds
    with monkeypatch.context() as patched:
        patched.setattr(system_pass, "process_time", lambda: next(ticks))
        execute(asked, Pipeline(store))  # a fit of a minute
    assert {size.kind: size.entries for size in store.sizes()}[KIND] == 1
    after = estimate(other, Pipeline(store))
    assert (after.fits, after.fits_cached) == (1, 0)
    assert after.seconds == pytest.approx(before + 60, rel=0.05)
    assert estimate(asked, Pipeline(store)).seconds < before + 1  # its own fit is cached
    execute(asked, Pipeline(store))
    assert list(ticks) == []


def test_repeats_are_estimated_by_what_fits_took(store: Store) -> None:
    study = study_of({"vary": {"cutoff": [3, 5]}, "repeat": {"split_seeds": 3, "fit_seeds": 1}})
    before = estimate(study, Pipeline(store)).seconds
    train = len(Pipeline(store).prepare(study.base).folds[0].train)
    for spelling in ("Popularity", "user-kNN(k=5)"):
        system = parse("recommender", spelling)
        note_fit(store, str(spelled_fully(system)), train, 10.0)
    # of two systems, the base and two more splits; what was measured is next to nothing
    assert estimate(study, Pipeline(store)).seconds == pytest.approx(before + 60, rel=0.05)


def test_without_a_store_nothing_is_noted(tmp_path: Path) -> None:
    store = Store(None)
    note_fit(store, "MF", 80_000, 5.0)
    assert store.noted(KIND, {"system": "MF"}) is None
    execute(experiment_of(), Pipeline(store))
    assert list(tmp_path.iterdir()) == []
