"""Experiments on a store in a bucket: the same bits, and computed once for all machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bucket_cases import (
    ADDRESS,
    Machine,
    bucket,
    computed,
    contents,
    entries_in,
    machine,
    memory,
    raising,
)
from cranfield.base.errors import BadStore
from cranfield.workbench.api import run, study
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.workers import blocks
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, file_of, table_of
from worker_cases import Inline, figures_of, inline

__all__ = ["bucket", "computed", "inline", "machine"]

pytestmark = pytest.mark.usefixtures("bucket")

Opened = Callable[..., tuple[Inline, Pipeline]]
SYSTEMS = {"Popularity": "Popularity", "Random": "Random", "kNN": "user-kNN(k=5)"}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each entry is uploaded."""
    found, before = Counter[str](), memory.put_file

    def put(self: Any, source: str, target: str, **more: Any) -> None:
        found[Path(source).name] += 1
        before(self, source, target, **more)

    monkeypatch.setattr(memory, "put_file", put)
    return found


def test_an_experiment_is_the_same_on_two_machines_and_computed_once(
    tmp_path: Path, machine: Machine, computed: list[str]
) -> None:
    plain = figures_of(run(table_of(), store=tmp_path))
    assert len(computed) > len(SYSTEMS)
    del computed[:]
    assert figures_of(run(table_of(), store=ADDRESS)) == plain
    assert computed
    del computed[:]
    caches = machine()
    assert figures_of(run(table_of(), store=ADDRESS)) == plain
    assert computed == []
    assert len(entries_in(caches)) < len(contents()), "fits are not needed"


def test_a_bucket_holds_what_a_folder_does(tmp_path: Path) -> None:
    """All but the seconds that fits took are the same bytes."""
    folder = tmp_path / "store"
    run(table_of(), store=folder)
    run(table_of(), store=ADDRESS)
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.entry")}
    assert contents().keys() == names.keys()
    for name, content in contents().items():
        if not name.startswith("fit-time/"):
            assert content == names[name].read_bytes(), name


def test_a_study_is_shared(machine: Machine, computed: list[str]) -> None:
    asked = {**table_of(), "study": {"vary": {"cutoff": [3, 5]}, "draws": 50}}
    plain = figures_of(study(asked, store=ADDRESS))
    machine()
    del computed[:]
    assert figures_of(study(asked, store=ADDRESS)) == plain
    assert computed == []


def test_a_machine_that_asks_more_fits_nothing_again(machine: Machine, computed: list[str]) -> None:
    run(table_of(), store=ADDRESS)
    machine()
    fits = [name for name in contents() if name.startswith("fit/")]
    asked = table_of(targets="test-items")
    made = run(asked, store=ADDRESS)
    assert figures_of(made) == figures_of(run(asked))
    assert [name for name in contents() if name.startswith("fit/")] == fits
    assert "fitting" not in made.seconds


def test_workers_leave_in_the_bucket_what_they_make(
    inline: Opened, machine: Machine, computed: list[str], sent: Counter[str]
) -> None:
    asked = experiment_of()
    plain = figures_of(execute(asked))
    made, pipeline = inline(ADDRESS)
    assert figures_of(execute(asked, pipeline)) == plain
    pipeline.store.upload()
    assert {job.name for task in made.tasks for job in task.jobs} == set(SYSTEMS)
    assert set(sent.values()) == {1}
    assert len(sent) == len(contents()) == len(entries_in(machine().parent))
    assert Counter(name.partition("/")[0] for name in contents())["fit"] == len(SYSTEMS)
    del computed[:]
    again, pipeline = inline(ADDRESS)
    assert figures_of(execute(asked, pipeline)) == plain
    assert (again.tasks, computed) == ([], [])


def test_what_workers_send_back_is_put_into_the_bucket(
    inline: Opened, machine: Machine, sent: Counter[str]
) -> None:
    asked = experiment_of()
    plain = figures_of(execute(asked))
    _, pipeline = inline(ADDRESS, shares_files=False)
    assert figures_of(execute(asked, pipeline)) == plain
    pipeline.store.upload()
    assert set(sent.values()) == {1}
    assert Counter(name.partition("/")[0] for name in contents())["fit"] == len(SYSTEMS)
    machine()
    again, pipeline = inline(ADDRESS, shares_files=False)
    assert figures_of(execute(asked, pipeline)) == plain
    assert again.tasks == []


@pytest.mark.parametrize("shares_files", [True, False])
def test_workers_get_the_fits_that_the_bucket_has(
    shares_files: bool, inline: Opened, machine: Machine, sent: Counter[str]
) -> None:
    run(table_of(), store=ADDRESS)
    machine()
    asked = experiment_of(targets="test-items")
    made, pipeline = inline(ADDRESS, shares_files=shares_files)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert {job.name for task in made.tasks for job in task.jobs} == set(SYSTEMS)
    assert "fitting" not in pipeline.seconds


def test_workers_that_only_score_get_no_fits(inline: Opened, machine: Machine) -> None:
    run(table_of(), store=ADDRESS)
    caches = machine()
    asked = experiment_of(metrics=["P@5"])
    made, pipeline = inline(ADDRESS)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert {job.name for task in made.tasks for job in task.jobs} == set(SYSTEMS)
    assert list(caches.rglob("hits/*/*.entry"))
    assert list(caches.rglob("fit/*/*.entry")) == []


def test_a_large_catalogue_in_blocks_is_shared(
    inline: Opened, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_PREDICTIONS", 500)
    asked = experiment_of()
    for tasks in (True, False):
        made, pipeline = inline(ADDRESS)
        assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
        pipeline.store.upload()
        assert bool(made.tasks) is tasks
        machine()


@pytest.mark.long
def test_two_processes_share_a_bucket(machine: Machine, sent: Counter[str]) -> None:
    plain = figures_of(run(table_of()))
    made = run(table_of(), store=ADDRESS, workers=2)
    assert figures_of(made) == plain
    assert made.workers
    assert set(sent.values()) == {1}
    caches = machine()
    made = run(table_of(), store=ADDRESS, workers=2)
    assert figures_of(made) == plain
    assert made.workers == ()
    assert entries_in(caches)


def ended_by(error: BaseException) -> None:
    """A run that has made something when it ends."""
    with open_pipeline(Store(ADDRESS)) as pipeline:
        pipeline.store.note("fit-time", {}, {"seconds": 1.0})
        raise error


def test_a_run_that_fails_has_sent_what_it_made() -> None:
    with pytest.raises(ZeroDivisionError):
        ended_by(ZeroDivisionError())
    assert len(contents()) == 1


def test_an_interrupted_run_ends_at_once_and_the_next_one_sends() -> None:
    with pytest.raises(KeyboardInterrupt):
        ended_by(KeyboardInterrupt())
    assert contents() == {}
    with open_pipeline(Store(ADDRESS)):
        pass
    assert len(contents()) == 1


def test_a_run_without_the_bucket_is_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = figures_of(run(table_of()))
    monkeypatch.setattr(memory, "find", raising(OSError("no route to host")))
    assert figures_of(run(table_of(), store=ADDRESS)) == plain
    assert capsys.readouterr().err == (
        f"cranfield: {ADDRESS}: cannot be read (no route to host). Only local copies are used.\n"
    )


def test_a_place_that_is_none_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(file_of(tmp_path))
    assert main(["run", file, "--store", "memry://lab"]) == 1
    assert capsys.readouterr().err.startswith("cranfield: memry://lab: fsspec knows no addresses")
    with pytest.raises(BadStore):
        run(table_of(), store="s3://")


@pytest.mark.parametrize("given", ["--store", "CRANFIELD_STORE"])
def test_the_command_keeps_what_it_makes_in_the_bucket(
    given: str, tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch,
    computed: list[str], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = ["run", str(file_of(tmp_path))]
    if given == "--store":
        words += [given, ADDRESS]
    else:
        monkeypatch.setenv(given, ADDRESS)
    assert main(words) == 0
    first = capsys.readouterr().out
    assert computed
    machine()
    assert main([*words, "--dry-run"]) == 0
    assert "3 rankings (3 cached)" in capsys.readouterr().out
    del computed[:]
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert computed == []
