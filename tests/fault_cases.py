"""A study of a moment in a process of its own, to be killed, interrupted or crowded."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from cranfield.workbench.cli.main import main
from cranfield.workbench.results.verify import NOT_COMPARED
from cranfield.workbench.store.store import Store
from experiment_cases import file_of

CHANGES: dict[str, Any] = {
    "data": "simulated(size=small)",
    "split": "k-fold(folds=2)",
    "systems": {
        "MF": "MF(factors=5, iterations=5)", "kNN": "user-kNN(k=20)", "Random": "Random",
        "items": "item-kNN(k=20)", "Popularity": "Popularity",
    },
    "study": {
        "vary": {"relevance": [3, 4], "targets": ["all-items", "test-items"], "cutoff": [5, 10]},
        "draws": 100,
    },
}  # fmt: skip
"""A study that takes a moment: splits, fits, rankings, scores and designs."""


def start(file: Path, out: Path, store: Path | str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cranfield", "run", str(file), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_the_estimate(process: subprocess.Popen[str]) -> None:
    """From here on, the process is at work; before, Python is still loading."""
    assert process.stderr is not None
    line = process.stderr.readline()
    assert "design" in line, line


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


def resume(file: Path, out: Path, store: Path) -> None:
    """Run it again to its end, in this process: loading everything anew takes longer."""
    assert main(["run", str(file), "--out", str(out), "--store", str(store)]) == 0


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob(".cranfield-*"))


def figures(folder: Path) -> dict[str, Any]:
    """All that must be the same, bit for bit."""
    record = json.loads((folder / "results.json").read_text())
    for part in (record, record.get("base", {})):
        for name in NOT_COMPARED:
            part.pop(name, None)
    names = ("experiment.toml", "scores.parquet", "designs.parquet", "methods.txt", "tables.tex")
    return {"record": record} | {name: (folder / name).read_bytes() for name in names}


def run_undisturbed(folder: Path) -> tuple[Path, float]:
    """The results of a run that nothing disturbed, and the seconds of its work."""
    process = start(file_of(folder, **CHANGES), folder / "out", folder / "store")
    wait_for_the_estimate(process)
    begun = time.monotonic()
    finish(process)
    return folder / "out", time.monotonic() - begun


def kill_and_resume(
    folder: Path, undisturbed: tuple[Path, float], times: int, seed: int = 0
) -> None:
    """Kill a run so many times, each at another moment, then let it end: nothing differs.

    A run that ends before its moment was not killed; it is tried again without its store, and
    moments are not later than that any more.
    """
    expected, seconds = undisturbed
    rng = random.Random(f"{times} {seed}")
    file, out, store = file_of(folder, **CHANGES), folder / "out", folder / "store"
    kills = 0
    while kills < times:
        before, begun = _entries(store), time.monotonic()
        killed = _kill(start(file, out, store), rng.uniform(0, seconds))
        kills += killed
        assert Store(store).check().entries == 0, "half an entry was left"
        assert _entries(store) >= before, "what was finished is lost"
        if not killed:
            seconds = min(seconds, time.monotonic() - begun)
        if not killed or rng.random() < 0.3:
            shutil.rmtree(store)
    resume(file, out, store)
    assert figures(out) == figures(expected)


def _kill(process: subprocess.Popen[str], moment: float) -> bool:
    """Kill a process after some seconds of work; whether it had not ended before."""
    wait_for_the_estimate(process)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=moment)
    process.kill()
    process.communicate(timeout=60)
    return process.returncode == -signal.SIGKILL


def _entries(store: Path) -> int:
    return sum(size.entries for size in Store(store).sizes())
