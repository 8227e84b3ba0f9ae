"""What remains of an experiment or a study once systems have failed."""

from __future__ import annotations

from typing import Any

from cranfield.workbench.definition.study.remaining import study_without, without_systems
from experiment_cases import experiment_of, study_of

VARIED: dict[str, Any] = {"vary": {"relevance": [3, 4]}, "pair": ["kNN", "Random"]}


def test_an_experiment_goes_on_without_the_systems_that_failed() -> None:
    left = without_systems(experiment_of(), {"Random"})
    assert left.names == ("Popularity", "kNN")
    assert left.metrics == experiment_of().metrics


def test_runs_that_failed_are_left_out_too() -> None:
    experiment = experiment_of(runs={"A": "a.tsv", "B": "b.tsv"})
    assert without_systems(experiment, ["A", "kNN"]).names == ("Popularity", "Random", "B")


def test_an_experiment_in_which_nothing_failed_is_the_same() -> None:
    experiment = experiment_of()
    assert without_systems(experiment, ()) is experiment


def test_a_baseline_that_failed_is_no_baseline_any_more() -> None:
    experiment = experiment_of(comparison={"test": "t", "baseline": "Random"})
    left = without_systems(experiment, ["Random"]).comparison
    assert left.baseline is None
    assert left.test == experiment.comparison.test


def test_a_baseline_that_did_not_fail_stays() -> None:
    experiment = experiment_of(comparison={"test": "t", "baseline": "Random"})
    assert without_systems(experiment, ["kNN"]).comparison.baseline == "Random"


def test_a_study_goes_on_with_its_pair_where_both_are_left() -> None:
    left = study_without(study_of(VARIED), ["Popularity"])
    assert left.base.names == ("Random", "kNN")
    assert left.pair == ("kNN", "Random")


def test_a_pair_of_which_one_failed_is_none_any_more() -> None:
    for failed in ("kNN", "Random"):
        left = study_without(study_of(VARIED), [failed])
        assert left.pair is None
        assert failed not in left.base.names


def test_a_study_without_a_pair_goes_on_without_one() -> None:
    assert study_without(study_of({"vary": VARIED["vary"]}), ["kNN"]).pair is None


def test_a_study_in_which_nothing_failed_is_the_same() -> None:
    study = study_of(VARIED)
    assert study_without(study, []) is study
