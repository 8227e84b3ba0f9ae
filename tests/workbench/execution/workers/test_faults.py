"""Workers and drivers that are killed or stopped: what is finished stays, and the rest is done."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench.store.store import Store
from driver_cases import (
    EXPERIMENT,
    Driver,
    command_of,
    figures,
    finish,
    found_without_workers,
    started,
)

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs signals and /proc"
)

TUNED = """
data = "simulated(size=small)"
split = "per-user"
relevance = 4
metrics = ["nDCG@5"]
tuning = { budget = 8 }
[systems]
MF = "MF(factors=tune(5..20), iterations=200)"
Popularity = "Popularity"
"""
"""Takes some seconds, too, most of which are trials."""


def workers_of(driver: Driver) -> list[int]:
    """The processes that a driver has started and that work for it."""
    found = Path(f"/proc/{driver.pid}/task/{driver.pid}/children")
    try:
        children = [int(each) for each in found.read_text().split()]
        return [each for each in children if b"spawn_main" in command_of(each)]
    except OSError:
        return []


def wait_for(driver: Driver, count: int) -> list[int]:
    """Wait until a driver has so many workers; fewer if it has ended."""
    end = time.monotonic() + 120
    while len(found := workers_of(driver)) < count and driver.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def gone(process: int) -> bool:
    """Whether a process has ended, be it buried or not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def wait_until_gone(found: list[int]) -> None:
    end = time.monotonic() + 60
    while not all(map(gone, found)):
        assert time.monotonic() < end, "a worker outlived its driver"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is found without workers."""
    return found_without_workers(tmp_path_factory.mktemp("serial"))


@pytest.fixture(scope="module")
def serially_tuned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is tuned without workers."""
    return found_without_workers(tmp_path_factory.mktemp("tuned"), TUNED)


def stop_and_resume(
    folder: Path,
    by: signal.Signals,
    moment: float,
    serial: dict[str, Any],
    text: str = EXPERIMENT,
) -> None:
    """Stop a driver some seconds after its workers began; then let another go on."""
    store = folder / "store"
    driver = started(folder, store, text=text)
    found = wait_for(driver, 2)
    with suppress(subprocess.TimeoutExpired):
        driver.wait(timeout=moment)
    driver.send_signal(by)
    _, said = driver.communicate(timeout=60)
    assert "Traceback" not in said
    if by is signal.SIGINT and driver.returncode != 0:
        assert "interrupted" in said
    wait_until_gone(found)
    assert Store(store).check().entries == 0
    finish(started(folder, store, text=text))
    assert figures(folder / "out") == serial


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_driver_killed_while_it_tunes_is_followed_by_another(
    tmp_path: Path, serially_tuned: dict[str, Any], seed: int
) -> None:
    moment = random.Random(seed).uniform(0, 8)
    stop_and_resume(tmp_path, signal.SIGKILL, moment, serially_tuned, TUNED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_worker_killed_while_it_tries_a_setting_changes_nothing(
    tmp_path: Path, serially_tuned: dict[str, Any], seed: int
) -> None:
    kill_a_worker(tmp_path, serially_tuned, seed, TUNED)


@pytest.mark.slow
def test_workers_end_with_an_interrupted_driver_and_another_goes_on(
    tmp_path: Path, serial: dict[str, Any]
) -> None:
    stop_and_resume(tmp_path, signal.SIGINT, 2.0, serial)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_driver_killed_at_any_moment_is_followed_by_another(
    tmp_path: Path, serial: dict[str, Any], seed: int
) -> None:
    stop_and_resume(tmp_path, signal.SIGKILL, random.Random(seed).uniform(0, 8), serial)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_worker_killed_at_any_moment_changes_nothing(
    tmp_path: Path, serial: dict[str, Any], seed: int
) -> None:
    kill_a_worker(tmp_path, serial, seed)


def kill_a_worker(folder: Path, serial: dict[str, Any], seed: int, text: str = EXPERIMENT) -> None:
    """Kill one of two workers at a moment that the seed draws."""
    draw = random.Random(seed)
    driver = started(folder, folder / "store", text=text)
    wait_for(driver, 2)
    with suppress(subprocess.TimeoutExpired):
        driver.wait(timeout=draw.uniform(0, 8))
    for each in workers_of(driver)[:1]:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    finish(driver)
    assert figures(folder / "out") == serial


@pytest.mark.slow
def test_two_drivers_on_one_store_find_the_same(tmp_path: Path, serial: dict[str, Any]) -> None:
    store, outs = tmp_path / "store", ("one", "two")
    for driver in [started(tmp_path, store, out) for out in outs]:
        finish(driver)
    assert [figures(tmp_path / out) == serial for out in outs] == [True, True]
    assert Store(store).check().entries == 0
    assert not list(store.rglob("*.lock"))


@pytest.mark.long
def test_workers_end_with_a_stopped_driver(tmp_path: Path) -> None:
    """The fast form: nothing is resumed."""
    driver = started(tmp_path, tmp_path / "store")
    found = wait_for(driver, 1)
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=60)
    assert "Traceback" not in said
    assert "interrupted" in said
    wait_until_gone(found)
