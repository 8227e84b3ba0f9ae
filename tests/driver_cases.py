"""Drivers with workers, started as a user starts them, so that they can be killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.workbench.cli.main import main

EXPERIMENT = """
data = "simulated(size=small)"
split = "k-fold(folds=2)"
relevance = 4
metrics = ["nDCG@5"]
[systems]
MF = "MF(factors=20, iterations=400)"
SVD = "SVD(factors=20, epochs=300)"
kNN = "user-kNN(k=20)"
Popularity = "Popularity"
"""
"""Takes some seconds: long enough for something to happen meanwhile."""

Driver = subprocess.Popen[str]


def started(
    folder: Path,
    store: Path,
    out: str = "out",
    workers: str = "2",
    text: str = EXPERIMENT,
    environment: Mapping[str, str] | None = None,
) -> Driver:
    """A driver that runs an experiment by workers."""
    file = folder / "slow.toml"
    file.write_text(text)
    command = [sys.executable, "-m", "cranfield", "run", str(file), "--store", str(store)]
    words = ["--out", str(folder / out), "--workers", workers]
    return subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        # A shell has what it runs in the background ignore Ctrl-C, these tests maybe too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


def finish(driver: Driver) -> None:
    """Wait for a driver that is to succeed; one that takes too long is not left behind."""
    try:
        _, said = driver.communicate(timeout=900)
    finally:
        driver.kill()
    assert driver.returncode == 0, said


def figures(folder: Path) -> dict[str, Any]:
    """All that must be the same, whoever did the work."""
    record = json.loads((folder / "results.json").read_text())
    for name in ("seconds", "costs", "machine", "workers"):
        record.pop(name, None)
    for trial in [trial for each in record.get("tuning", []) for trial in each["trials"]]:
        del trial["seconds"]
    return {"record": record, "scores": (folder / "scores.parquet").read_bytes()}


def found_without_workers(folder: Path, text: str = EXPERIMENT) -> dict[str, Any]:
    """What one process finds."""
    (folder / "slow.toml").write_text(text)
    words = ["run", str(folder / "slow.toml"), "--store", "none", "--out", str(folder / "out")]
    assert main(words) == 0
    return figures(folder / "out")


def parent_of(process: int) -> int:
    """The process that started another; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command_of(process: int) -> bytes:
    """What a process was started as, or calls itself; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
