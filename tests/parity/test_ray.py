"""Ray in a small form: one process, two processes and clusters of Ray find the same bits.

So they do where a worker is killed. The slow suite kills more, at many moments.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from cranfield.significance import resampling
from cranfield.workbench.api import run, study
from experiment_cases import table_of
from ray_cases import SLOW, SYSTEMS, each_alone, kill_one, nodes, processors
from worker_cases import by_count, figures_of, three_blocks

pytest.importorskip("ray")
__all__ = ["each_alone", "nodes", "processors"]

ASKED = table_of(
    systems={**SYSTEMS, "own": by_count}, comparison={"test": "permutation(draws=300)"}
)
STUDY = {**table_of(), "study": {"vary": {"relevance": [3, 4]}, "draws": 300}}


@pytest.fixture(autouse=True)
def _three_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of tests are tasks, too."""
    monkeypatch.setattr(resampling, "large_blocks", three_blocks)


@pytest.fixture(scope="module")
def serial() -> tuple[Any, Any]:
    """What one process finds in an experiment, and in a study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "large_blocks", three_blocks)
        return figures_of(run(ASKED)), figures_of(study(STUDY))


def same(serial: tuple[Any, Any], workers: int | str) -> None:
    """Both are the same by workers, and these are other processes than the driver."""
    made = run(ASKED, workers=workers)
    assert figures_of(made) == serial[0]
    assert made.workers
    assert os.getpid() not in {each["process"] for each in made.workers}
    assert sum(each["tasks"] for each in made.workers) == len(ASKED["systems"]) + 3
    assert figures_of(study(STUDY, workers=workers)) == serial[1]


def test_two_processes_find_the_same(serial: tuple[Any, Any]) -> None:
    same(serial, 2)


@pytest.mark.parametrize("processors", [1, 2], indirect=True)
def test_ray_finds_the_same(serial: tuple[Any, Any], processors: int) -> None:
    same(serial, "ray")


def test_two_nodes_of_ray_find_the_same(serial: tuple[Any, Any], nodes: Any) -> None:
    same(serial, "ray")
    asked = table_of(systems=SLOW)
    made = run(asked, workers="ray")
    assert figures_of(made) == figures_of(run(asked))
    assert len({each["process"] for each in made.workers}) > 1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_worker_that_is_killed_costs_its_task_alone(processors: int) -> None:
    asked, ended = table_of(systems=SLOW), Event()
    with ThreadPoolExecutor(1) as threads:
        killing = threads.submit(kill_one, os.getpid(), lambda: not ended.is_set())
        try:
            made = run(asked, workers="ray")
        finally:
            ended.set()
        assert killing.result()
    assert figures_of(made) == figures_of(run(asked))
    assert not made.failed
