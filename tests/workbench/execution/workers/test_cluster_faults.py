"""Processes, nodes and drivers of Ray that are killed: what is lost is done again."""

from __future__ import annotations

import random
import subprocess
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench.api import run
from cranfield.workbench.store.store import Store
from driver_cases import Driver, figures, finish, found_without_workers, started
from experiment_cases import table_of
from ray_cases import KILLS, SLOW, Head, each_alone, head, kill_one, nodes
from worker_cases import figures_of

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs signals and /proc"),
]
__all__ = ["each_alone", "head", "nodes"]


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is found without workers."""
    return found_without_workers(tmp_path_factory.mktemp("serial"))


@pytest.fixture(scope="module")
def seconds(head: Head, tmp_path_factory: pytest.TempPathFactory, serial: dict[str, Any]) -> float:
    """How long the work takes on this cluster if nothing is killed."""
    folder = tmp_path_factory.mktemp("whole")
    finish(driver_of(head, folder))
    begun = time.monotonic()
    again = tmp_path_factory.mktemp("again")
    finish(driver_of(head, again))
    assert figures(folder / "out") == figures(again / "out") == serial
    return time.monotonic() - begun


def driver_of(head: Head, folder: Path) -> Driver:
    return started(folder, folder / "store", workers="ray", environment=head.environment)


def is_running(driver: Driver) -> bool:
    return driver.poll() is None


def wait(driver: Driver, seconds: float) -> None:
    with suppress(subprocess.TimeoutExpired):
        driver.wait(timeout=seconds)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_driver_killed_at_any_moment_is_followed_by_another(
    head: Head, tmp_path: Path, serial: dict[str, Any], seconds: float, seed: int
) -> None:
    driver = driver_of(head, tmp_path)
    wait(driver, random.Random(seed).uniform(0, seconds))
    driver.kill()
    driver.communicate(timeout=60)
    assert Store(tmp_path / "store").check().entries == 0
    finish(driver_of(head, tmp_path))
    assert figures(tmp_path / "out") == serial


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_worker_killed_at_any_moment_costs_its_task_alone(
    head: Head, tmp_path: Path, serial: dict[str, Any], seconds: float, seed: int
) -> None:
    moment, killed = random.Random(seed).uniform(0, seconds), False
    for attempt in range(8):  # earlier each time, until one is met at work
        folder = tmp_path / str(attempt)
        folder.mkdir()
        driver = driver_of(head, folder)
        wait(driver, moment / 2**attempt)
        killed = kill_one(head.process, partial(is_running, driver))
        finish(driver)
        assert figures(folder / "out") == serial
        if killed:
            return
    pytest.fail("no worker was at work")


@pytest.mark.filterwarnings("ignore")  # Ray does not wait for the processes of a node it kills
def test_a_node_killed_at_any_moment_costs_its_tasks_alone(nodes: Any) -> None:
    asked, draw = table_of(systems=SLOW), random.Random(1)
    expected = figures_of(run(asked))
    for _ in range(KILLS):
        doomed = next(iter(nodes.worker_nodes))
        killing = threading.Timer(draw.uniform(0.0, 4.0), nodes.remove_node, [doomed, False])
        killing.start()
        made = run(asked, workers="ray")
        killing.join()
        assert figures_of(made) == expected
        nodes.add_node(num_cpus=1)
        nodes.wait_for_nodes()
