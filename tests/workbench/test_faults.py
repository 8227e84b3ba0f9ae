"""Runs that are killed, interrupted, crowded or out of disk: what is finished stays right."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cranfield.base.errors import OutputError
from cranfield.workbench.api import verify
from cranfield.workbench.cli.main import main
from cranfield.workbench.cli.shared.interrupts import INTERRUPTED
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.files import write_results
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, file_of, same_scores
from fault_cases import (
    CHANGES,
    figures,
    finish,
    kill_and_resume,
    leftovers,
    resume,
    run_undisturbed,
    start,
    wait_for_the_estimate,
)
from small_disks import files_of_at_most

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

KINDS = ("expectation", "fit", "hits", "lists", "scores", "split")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The results of a run that nothing disturbed, and the seconds of its work."""
    return run_undisturbed(tmp_path_factory.mktemp("undisturbed"))


def test_a_killed_run_resumes_to_the_same_results(
    tmp_path: Path, undisturbed: tuple[Path, float]
) -> None:
    kill_and_resume(tmp_path, undisturbed, times=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_run_killed_twenty_times_resumes_to_the_same_results(
    tmp_path: Path, undisturbed: tuple[Path, float], seed: int
) -> None:
    kill_and_resume(tmp_path, undisturbed, times=20, seed=seed)


@pytest.mark.long
def test_an_interrupted_run_says_so_leaves_nothing_half_written_and_resumes(
    tmp_path: Path, undisturbed: tuple[Path, float]
) -> None:
    interrupt_and_resume(tmp_path, undisturbed, moment=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [place / 20 for place in range(20)])
def test_a_run_interrupted_at_any_moment_resumes(
    tmp_path: Path, undisturbed: tuple[Path, float], moment: float
) -> None:
    interrupt_and_resume(tmp_path, undisturbed, moment)


def interrupt_and_resume(folder: Path, undisturbed: tuple[Path, float], moment: float) -> None:
    expected, seconds = undisturbed
    file, out, store = file_of(folder, **CHANGES), folder / "out", folder / "store"
    process = start(file, out, store)
    wait_for_the_estimate(process)
    time.sleep(moment * seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    if process.returncode != 0:  # it was not quicker than the signal
        assert process.returncode == INTERRUPTED
        assert "cranfield: interrupted. Nothing half-written was left behind." in err
        assert "Traceback" not in err
        assert not out.exists() or figures(out) == figures(expected)
    assert leftovers(folder) == []
    assert Store(store).check().entries == 0
    resume(file, out, store)
    assert figures(out) == figures(expected)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 8])
def test_processes_at_once_on_one_store_find_the_same(
    tmp_path: Path, undisturbed: tuple[Path, float], count: int
) -> None:
    file, store = file_of(tmp_path, **CHANGES), tmp_path / "store"
    outs = [tmp_path / f"out {number}" for number in range(count)]
    for process in [start(file, out, store) for out in outs]:
        finish(process)
    for out in outs:
        assert figures(out) == figures(undisturbed[0])
    assert Store(store).check().entries == 0
    assert not list(store.rglob("*.lock"))


@pytest.mark.slow
def test_two_processes_at_once_on_one_folder_leave_whole_results(
    tmp_path: Path, undisturbed: tuple[Path, float]
) -> None:
    file, out = file_of(tmp_path, **CHANGES), tmp_path / "out"
    warm = undisturbed[0].parent / "store"
    for process in [start(file, out, warm) for _ in range(2)]:
        finish(process)
    assert figures(out) == figures(undisturbed[0])
    assert leftovers(tmp_path) == []
    assert leftovers(out) == []


def test_a_full_disk_under_the_store_is_said_once_and_changes_nothing(tmp_path: Path) -> None:
    experiment, said = experiment_of(), list[str]()
    with files_of_at_most(100):
        made = execute(experiment, Pipeline(Store(tmp_path / "store", say=said.append)))
    assert len(said) == 1
    assert "cannot be written" in said[0]
    assert "not cached" in said[0]
    assert same_scores(made.scores, execute(experiment).scores)
    assert [path for path in (tmp_path / "store").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("count", [10, 2_500, 12_000, 60_000])
def test_a_full_disk_under_the_results_leaves_the_older_ones(tmp_path: Path, count: int) -> None:
    """Every limit stops at another file: the definition, the record, the scores, the page."""
    out = tmp_path / "out"
    older = execute(experiment_of(systems={"Popularity": "Popularity"}))
    write_results(older, out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    made = execute(experiment_of())
    for place in (out, tmp_path / "new" / "out"):
        with files_of_at_most(count), pytest.raises(OutputError, match="cannot be written"):
            write_results(made, place)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_is_one_line_to_the_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path)
    arguments = ["run", str(file), "--out", str(tmp_path / "out"), "--store", "none"]
    with files_of_at_most(1_000):
        assert main(arguments) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"cranfield: {tmp_path / 'out'}: cannot be written (")
    assert last.endswith("Nothing was left behind.")
    assert [path.name for path in tmp_path.iterdir()] == ["experiment.toml"]


@contextmanager
def as_nobody() -> Iterator[None]:
    """As a user who owns nothing; who is no superuser stays who they are."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder that can be read and not written, in one that everybody may enter."""
    folder = Path(tempfile.mkdtemp(prefix="cranfield-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            path.chmod(0o700)
    shutil.rmtree(folder)


def close(folder: Path) -> None:
    """Nobody may write here any more."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)


def test_a_read_only_folder_of_results_is_told_and_stays(read_only: Path) -> None:
    made = execute(experiment_of())
    (read_only / "out").mkdir()
    close(read_only)
    for place in (read_only / "out", read_only / "new", read_only / "deep" / "er"):
        with as_nobody(), pytest.raises(OutputError, match="cannot be written"):
            write_results(made, place)
    assert [path.name for path in read_only.iterdir()] == ["out"]
    assert list((read_only / "out").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder_is_told_before_the_work(
    read_only: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    close(read_only)
    file = file_of(tmp_path, data="simulated(size=large)", systems={"BPR": "BPRMF"})
    assert main(["run", str(file), "--out", str(read_only / "out"), "--store", "none"]) == 1
    assert "no permission to write there" in capsys.readouterr().err


def test_a_read_only_store_is_read_and_what_it_lacks_is_made(read_only: Path) -> None:
    experiment, other = experiment_of(), experiment_of(seed=1)
    first = execute(experiment, Pipeline(Store(read_only / "store")))
    close(read_only)
    said = list[str]()
    with as_nobody():
        store = Store(read_only / "store", say=said.append)
        again = execute(experiment, Pipeline(store))
        assert said == []
        another = execute(other, Pipeline(store))
    assert "fitting" not in again.seconds
    assert same_scores(first.scores, again.scores)
    assert same_scores(another.scores, execute(other).scores)
    assert len(said) == 1
    assert "cannot be written" in said[0]


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_entries_of_every_kind_are_said_and_made_again(tmp_path: Path, kind: str) -> None:
    experiment, said = experiment_of(), list[str]()
    store = Store(tmp_path, say=said.append)
    first = execute(experiment, Pipeline(store))
    damaged = sorted((tmp_path / kind).rglob("*.entry"))
    assert damaged
    for path in damaged:
        content = bytearray(path.read_bytes())
        content[len(content) * 2 // 3] ^= 0x10
        path.write_bytes(bytes(content))
    if kind == "fit":  # what was made of fits is kept, so that they are not asked for
        for made in ("hits", "lists", "scores"):
            shutil.rmtree(tmp_path / made)
    again = execute(experiment, Pipeline(store))
    assert len(said) == len(damaged)
    assert all("damaged" in line and "recomputed" in line for line in said)
    assert same_scores(first.scores, again.scores)
    assert store.check().entries == 0
    execute(experiment, Pipeline(store))
    assert len(said) == len(damaged), "it is mended"


def test_an_empty_and_a_foreign_entry_are_made_again(tmp_path: Path) -> None:
    experiment, said = experiment_of(), list[str]()
    store = Store(tmp_path, say=said.append)
    first = execute(experiment, Pipeline(store))
    for path, content in zip(
        sorted((tmp_path / "hits").rglob("*.entry")), (b"", b"\0" * 500, b"{}"), strict=True
    ):
        path.write_bytes(content)
    assert same_scores(first.scores, execute(experiment, Pipeline(store)).scores)
    assert len(said) == 3


def test_results_of_a_store_that_was_damaged_are_verified(tmp_path: Path) -> None:
    store = Store(tmp_path / "store", say=lambda _: None)
    execute(experiment_of(), Pipeline(store))
    for path in (tmp_path / "store").rglob("*.entry"):
        path.write_bytes(path.read_bytes()[:-1])
    write_results(execute(experiment_of(), Pipeline(store)), tmp_path / "out")
    verify(tmp_path / "out")
