"""Settings that workers try: the same trials, in the store one by one, and nothing else of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.workbench import inventory
from cranfield.workbench.api import run
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems.trial_data import TrialData
from cranfield.workbench.execution.workers import planning
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of, table_of
from small_disks import files_of_at_most
from worker_cases import Inline, figures_of, inline

__all__ = ["inline"]

Opened = Callable[..., tuple[Inline, Pipeline]]

TUNED: dict[str, Any] = {
    "systems": {
        "kNN": "user-kNN(k=tune(2..30))",
        "PureSVD": "PureSVD(factors=tune(1..9))",
        "Popularity": "Popularity",
    },
    "tuning": {"budget": 4},
}
SEARCHES = ["random", "grid(levels=3)", "halving(factor=2, least=0.2)", "optuna"]


def sizes(store: Path) -> dict[str, int]:
    return {each.kind: each.entries for each in Store(store).sizes()}


def tried(made: Inline) -> list[int]:
    """The numbers of the settings that were sent, in the order of tasks."""
    jobs = [job for task in made.tasks for job in task.jobs]
    return [job.places[0] for job in jobs if job.trial is not None]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("validation", ["as-test", "k-fold(folds=2)"])
def test_a_tuned_experiment_is_the_same_by_workers(
    inline: Opened, search: str, validation: str
) -> None:
    if search == "optuna":
        pytest.importorskip("optuna")
    tuning = {"budget": 4, "search": search, "validation": validation}
    asked, (made, pipeline) = experiment_of(**{**TUNED, "tuning": tuning}), inline()
    found = execute(asked, pipeline)
    assert figures_of(found) == figures_of(execute(asked))
    assert len(tried(made)) == sum(len(each.trials) for each in found.tuned)
    assert made.shared == {}


@pytest.mark.long
def test_folds_budgets_in_seconds_and_refits_are_the_same_by_workers(inline: Opened) -> None:
    by_fold = experiment_of(**TUNED, split="k-fold(folds=2)")
    refit = experiment_of(**{**TUNED, "tuning": {"budget": 3, "refit": "train"}})
    for asked in (by_fold, refit):
        assert figures_of(execute(asked, inline()[1])) == figures_of(execute(asked))
    timed = experiment_of(**{**TUNED, "tuning": {"budget": "0.001 s"}})
    made, pipeline = inline()
    assert [each.settings for each in execute(timed, pipeline).tuned] == [1, 1]
    assert tried(made) == [1, 1]


@pytest.mark.long
def test_a_study_of_budgets_and_splits_is_the_same_by_workers(inline: Opened) -> None:
    """Splits that are announced are tuned while workers are at another."""
    vary = {"tuning.budget": [1, 3], "split": ["per-user(test_share=0.4)", "k-fold(folds=2)"]}
    asked = study_of({"vary": vary, "draws": 50}, **{**TUNED, "tuning": None})
    _, pipeline = inline()
    assert figures_of(execute_study(asked, pipeline)) == figures_of(execute_study(asked))


def test_the_driver_tries_nothing_and_seconds_are_those_of_the_worker(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, pipeline = inline()
    done, value, at_work = made.finished, TrialData.value, list[bool]()

    def finished(seconds: float) -> Any:
        at_work.append(True)
        try:
            return done(seconds)
        finally:
            at_work.pop()

    def timed(self: TrialData, system: Any) -> tuple[float, float]:
        assert at_work
        return value(self, system)[0], 123.0

    monkeypatch.setattr(made, "finished", finished)
    monkeypatch.setattr(TrialData, "value", timed)
    found = execute(experiment_of(**TUNED), pipeline)
    assert {trial.seconds for each in found.tuned for trial in each.trials} == {123.0}
    costs = {each.system for each in found.costs if each.stage == "tuning"}
    assert {"kNN", "PureSVD"} <= costs


def test_the_store_has_trials_one_by_one_and_no_model_of_them(
    inline: Opened, tmp_path: Path
) -> None:
    asked = experiment_of(**TUNED)
    _, pipeline = inline(tmp_path / "workers")
    expected = execute(asked, pipeline)
    execute(asked, Pipeline(Store(tmp_path / "serial")))
    assert sizes(tmp_path / "workers")["trial"] == 8
    assert sizes(tmp_path / "workers")["fit"] == 3  # of what was chosen, and of Popularity
    assert sizes(tmp_path / "workers") == sizes(tmp_path / "serial")
    made, again = inline(tmp_path / "serial")
    assert figures_of(execute(asked, again)) == figures_of(expected)
    assert made.tasks == []


def test_a_stopped_search_goes_on_with_what_its_workers_have_finished(
    inline: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_SECONDS", 0.0)  # each setting is a task
    asked, (made, pipeline) = experiment_of(**TUNED), inline(tmp_path)
    done = made.finished

    def stopped(seconds: float) -> Any:
        if len(made.tasks) == 3:
            raise KeyboardInterrupt
        return done(seconds)

    monkeypatch.setattr(made, "finished", stopped)
    with pytest.raises(KeyboardInterrupt):
        execute(asked, pipeline)
    assert sizes(tmp_path)["trial"] == 3
    made, pipeline = inline(tmp_path)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert len(tried(made)) == 5


@pytest.mark.parametrize("lost", [1, 2])
def test_trials_of_lost_workers_are_made_again(inline: Opened, lost: int) -> None:
    asked, (made, pipeline) = experiment_of(**TUNED), inline(lost=lost)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert len(tried(made)) > 8


def test_a_setting_whose_workers_end_again_and_again_is_not_chosen(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_SECONDS", 0.0)
    made, pipeline = inline()
    done = made.finished

    def lose_the_third(seconds: float) -> Any:
        job = made.waiting[0].jobs[0]
        trial = job.name == "kNN" and job.trial is not None
        made.lost = len(made.tasks) + 1 if trial and job.places == (3,) else 0
        return done(seconds)

    monkeypatch.setattr(made, "finished", lose_the_third)
    found = execute(experiment_of(**TUNED), pipeline)
    failed = [(each.name, trial.number) for each in found.tuned for trial in each.trials
              if trial.failed]  # fmt: skip
    assert failed == [("kNN", 3)]
    knn = next(each for each in found.tuned if each.name == "kNN")
    assert "its worker ended 3 times (SIGKILL)" in knn.trials[2].failed
    assert np.isnan(knn.trials[2].value)
    assert knn.chosen.number != 3


def test_settings_that_fail_fail_as_they_do_here(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    inventory.load("recommender")
    kind = type(parse("recommender", "user-kNN"))
    fit = kind.fit

    def picky(self: Any, *given: Any) -> Any:
        if self.k > 20:
            raise ValueError("k is too high")
        return fit(self, *given)

    monkeypatch.setattr(kind, "fit", picky)
    tuning = {"budget": 4, "search": "grid(levels=3)"}  # some fail, whatever is drawn
    asked, (_, pipeline) = experiment_of(**{**TUNED, "tuning": tuning}), inline()
    found = execute(asked, pipeline)
    assert figures_of(found) == figures_of(execute(asked))
    assert any(trial.failed for each in found.tuned for trial in each.trials)


def test_workers_with_another_disk_send_back_their_trials(inline: Opened, tmp_path: Path) -> None:
    asked, (_, pipeline) = experiment_of(**TUNED), inline(tmp_path, shares_files=False)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert sizes(tmp_path)["trial"] == 8


def test_a_store_that_is_full_changes_no_trial(inline: Opened, tmp_path: Path) -> None:
    asked, (made, pipeline) = experiment_of(**TUNED), inline(tmp_path)
    expected = figures_of(execute(asked))
    with files_of_at_most(100):
        assert figures_of(execute(asked, pipeline)) == expected
    assert len(tried(made)) == 8


@pytest.mark.slow
def test_settings_tried_by_two_processes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_SECONDS", 0.0)
    asked = table_of(**TUNED)
    made = run(asked, workers=2, store=tmp_path)
    assert figures_of(made) == figures_of(run(asked))
    assert os.getpid() not in {each["process"] for each in made.workers}
    assert sum(each["tasks"] for each in made.workers) == 8 + 3
    assert len(made.workers) == 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("search", SEARCHES)
def test_settings_tried_by_so_many_processes_are_the_same(
    workers: int, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if search == "optuna":
        pytest.importorskip("optuna")
    monkeypatch.setattr(planning, "_SECONDS", 0.0)
    asked = table_of(**{**TUNED, "tuning": {"budget": 9, "search": search}})
    assert figures_of(run(asked, workers=workers)) == figures_of(run(asked))
