"""Several processes on one store, and processes killed at any moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from cranfield.workbench.store.store import Entry, Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")

WORKER = """
import os, sys, time
import numpy as np
from cranfield.workbench.store.store import Entry, Store

folder, log, seconds, entries = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])

def note(text):
    with open(log, "a") as file:
        file.write(text + "\\n")

def make(seed):
    note(f"made {seed}")
    time.sleep(seconds)
    return Entry({"numbers": np.random.default_rng(seed).random(200_000)}, {"seed": seed})

store = Store(folder)
note("ready")
while os.path.exists(log + ".wait"):
    time.sleep(0.001)
for seed in range(entries):
    store.fetch("fit", {"seed": seed}, lambda: make(seed))
"""


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a process that fetches some entries, each taking some seconds to make."""
    with ExitStack() as ending:

        def started(*, seconds: float, entries: int) -> subprocess.Popen[bytes]:
            values = (str(tmp_path / "store"), str(tmp_path / "log"), str(seconds), str(entries))
            process = subprocess.Popen([sys.executable, "-c", WORKER, *values])
            ending.callback(process.wait)
            ending.callback(process.kill)
            return process

        yield started


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def wait_until(log: Path, text: str, count: int = 1) -> None:
    end = time.monotonic() + 20
    while lines(log).count(text) < count:
        assert time.monotonic() < end, f"{text!r} was not noted in time"
        time.sleep(0.002)


@pytest.mark.long
def test_two_processes_at_once_make_each_entry_once(tmp_path: Path, start: Start) -> None:
    log = tmp_path / "log"
    wait = tmp_path / "log.wait"
    wait.touch()
    processes = [start(seconds=0.02, entries=10) for _ in range(2)]
    wait_until(log, "ready", 2)
    wait.unlink()
    assert [process.wait(timeout=20) for process in processes] == [0, 0]
    assert sorted(lines(log)) == sorted([f"made {seed}" for seed in range(10)] + ["ready"] * 2)


@pytest.mark.long
def test_a_killed_process_frees_its_lock(tmp_path: Path, start: Start) -> None:
    log = tmp_path / "log"
    first = start(seconds=60, entries=1)
    wait_until(log, "made 0")
    second = start(seconds=0, entries=1)
    wait_until(log, "ready", 2)
    assert lines(log).count("made 0") == 1, "the second waits for the first"
    first.kill()
    assert first.wait(timeout=10) == -signal.SIGKILL
    assert second.wait(timeout=20) == 0
    assert lines(log).count("made 0") == 2


@pytest.mark.long
def test_a_run_killed_at_any_moment_loses_nothing_that_was_finished(
    tmp_path: Path, start: Start
) -> None:
    """Killed after ever later moments, each time in the middle of making or of writing."""
    folder, log, said = tmp_path / "store", tmp_path / "log", list[str]()
    store = Store(folder, say=said.append)
    for attempt in range(4):
        kept = sum(each.entries for each in store.sizes())
        process = start(seconds=0, entries=1000)
        wait_until(log, f"made {kept + 2}")
        time.sleep(0.004 * attempt)
        process.kill()
        assert process.wait(timeout=10) == -signal.SIGKILL
        assert store.check().entries == 0, "an entry was half-written"
    for seed in range(store.sizes()[0].entries):
        expected = np.random.default_rng(seed).random(200_000)
        found = store.fetch("fit", {"seed": seed}, refuse)
        assert np.array_equal(found.arrays["numbers"], expected)
    assert said == []
    store.prune(keep=10**12)
    assert not [path for path in folder.rglob("*.*") if path.suffix != ".entry"]


def refuse() -> Entry:
    raise AssertionError("a finished entry was lost")
