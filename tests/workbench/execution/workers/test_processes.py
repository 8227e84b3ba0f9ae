"""Workers that are processes of their own: the same bits, also where some are killed."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import Unsendable, WorkerError
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.api import evaluate, run, study
from cranfield.workbench.execution.workers import processes
from cranfield.workbench.execution.workers.processes import Processes
from cranfield.workbench.execution.workers.task import Task
from cranfield.workbench.store.store import Store
from experiment_cases import table_of
from worker_cases import FullDisk, Killed, by_count, failing, figures_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

SYSTEMS: dict[str, Any] = {
    "own": by_count, "bad": failing, "Popularity": "Popularity", "kNN": "user-kNN(k=5)",
}  # fmt: skip
STUDY: dict[str, Any] = {"vary": {"relevance": [3, 4], "cutoff": [3, 5]}, "draws": 50}


@pytest.fixture(autouse=True)
def _each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job is a task, so that several processes have something to do."""
    monkeypatch.setattr("cranfield.workbench.execution.workers.planning._SECONDS", 0.0)


@pytest.mark.long
def test_an_experiment_by_two_processes_is_the_same(tmp_path: Path) -> None:
    asked = table_of(systems=SYSTEMS, split="k-fold(folds=2)")
    made = run(asked, workers=2, store=tmp_path)
    assert figures_of(made) == figures_of(run(asked))
    assert os.getpid() not in {each["process"] for each in made.workers}
    assert sum(each["tasks"] for each in made.workers) == 8
    assert len(made.workers) == 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3, 4])
def test_an_experiment_by_so_many_processes_is_the_same(workers: int) -> None:
    asked = table_of(systems=SYSTEMS, split="k-fold(folds=2)")
    assert figures_of(run(asked, workers=workers)) == figures_of(run(asked))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 4])
def test_a_study_by_processes_is_the_same(workers: int) -> None:
    asked = {**table_of(), "study": STUDY}
    assert figures_of(study(asked, workers=workers)) == figures_of(study(asked))


@pytest.mark.long
def test_a_killed_process_costs_its_task_alone(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    killed = adapt(Killed(marks), name="own")
    made = run(table_of(systems={**SYSTEMS, "own": killed}), workers=2)
    assert len(list(marks.iterdir())) == 1
    expected = run(table_of(systems={**SYSTEMS, "own": adapt(by_count, name="own")}))
    assert made.scores.values.tobytes() == expected.scores.values.tobytes()
    assert set(made.failed) == {"bad"}


@pytest.mark.slow
def test_a_system_that_always_kills_its_process_fails_by_name(tmp_path: Path) -> None:
    systems = {"own": Killed(tmp_path, times=99), "Popularity": "Popularity"}
    made = run(table_of(systems=systems), workers=1)
    assert "its worker ended 3 times (SIGKILL)" in made.failed["own"]
    assert made.summary.row("Popularity", "P@5").value > 0


@pytest.mark.slow
def test_a_disk_that_is_full_for_workers_alone_changes_nothing(tmp_path: Path) -> None:
    """The first system makes the disk full for its process; what follows is sent back."""
    systems = {"own": adapt(FullDisk(), name="own"), "Popularity": "Popularity", "kNN": "user-kNN"}
    made = run(table_of(systems=systems), workers=1, store=tmp_path)
    expected = run(table_of(systems={**systems, "own": adapt(by_count, name="own")}))
    assert made.scores.values.tobytes() == expected.scores.values.tobytes()
    assert {each.kind: each.entries for each in Store(tmp_path).sizes()}["hits"] == 2
    assert len(made.workers) == 1


def test_a_model_that_a_process_cannot_import_is_refused_by_name() -> None:
    class Local:
        def fit(self, matrix: Any) -> None: ...

        def predict(self, users: Any) -> Any: ...

    with pytest.raises(Unsendable, match=r"mine: it cannot be sent to workers .*Local"):
        run(table_of(systems={"mine": Local(), "Popularity": "Popularity"}), workers=1)


@pytest.mark.slow
def test_runs_scored_by_processes_are_the_same(tmp_path: Path) -> None:
    test = {"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "rating": [5, 2, 4, 5]}
    runs = {
        name: {"user": [1, 1, 2, 2], "item": items, "score": [0.9, 0.5, 0.8, 0.1]}
        for name, items in (("A", [8, 7, 9, 7]), ("B", [7, 9, 8, 7]))
    }
    found = [
        evaluate(test, runs, ["RR", "nDCG@2"], relevance=4, workers=workers)
        for workers in (None, 2)
    ]
    assert found[0].to_dict() == found[1].to_dict()
    assert found[0].scores.values.tobytes() == found[1].scores.values.tobytes()


def test_processes_have_their_share_of_the_threads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    assert Processes(2, tmp_path)._threads == 3
    assert Processes(9, tmp_path)._threads == 1
    with processes._limited_to(3):
        assert {os.environ[name] for name in processes._LIMITS} == {"3"}
    assert os.environ["CRANFIELD_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def test_a_task_waits_until_memory_holds_it_beside_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sent, made = list[int](), Processes(3, tmp_path)
    monkeypatch.setattr(processes, "memory_here", lambda: 100)

    class Worker:
        task: Task | None = None

        class pipe:
            @staticmethod
            def send(task: Task) -> None:
                sent.append(task.number)

    def started() -> Any:
        made._workers.append(Worker())  # type: ignore[arg-type]
        return made._workers[-1]

    monkeypatch.setattr(made, "_started", started)
    for number, size in enumerate([60, 30, 30]):
        made.submit(Task(number=number, fold="", jobs=(), stores=(), bytes=size))
    made._hand_out()
    assert sent == [0, 1]
    made._workers[0].task = None
    made._hand_out()
    assert sent == [0, 1, 2]


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "serve", _ends_at_once)
    with pytest.raises(WorkerError, match='must be under: if __name__ == "__main__"'):
        run(table_of(), workers=1)


def _ends_at_once(_: Any) -> None:
    sys.exit(1)


def test_an_interrupt_waits_until_a_process_is_started() -> None:
    before, done = signal.signal(signal.SIGINT, signal.default_int_handler), list[str]()

    def start() -> None:
        with processes._uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("started")

    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["started"]
