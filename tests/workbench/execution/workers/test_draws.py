"""Blocks of draws that workers do: the same bits as without, and not for a moment's work."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.scoring.scores import Floats
from cranfield.significance import resampling
from cranfield.significance.resampling import over_large_blocks, sharing_blocks
from cranfield.workbench.api import run, study
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.workers import draws as draw_module
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import find_reproductions
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of, table_of
from suites import spread
from worker_cases import Inline, figures_of, inline, three_blocks

__all__ = ["inline"]

Opened = Any
DRAWS = 300
TESTS = ("permutation(draws=300)", "randomised-hsd(draws=300)", "bootstrap(draws=300)")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws come in three blocks, however little they take."""
    monkeypatch.setattr(resampling, "large_blocks", three_blocks)


def blocks_of(executor: Inline) -> list[tuple[int, int]]:
    """The draws that were sent out, in the order of their numbers."""
    jobs = [job for task in executor.tasks for job in task.jobs]
    return sorted({job.draws for job in jobs if job.draws is not None})


def whole(blocks: list[tuple[int, int]], draws: int) -> bool:
    """Whether several blocks cover all draws, one after the other."""
    starts, stops = zip(*blocks, strict=True)
    return len(blocks) == 3 and (0, *stops) == (*starts, draws)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("test", TESTS)
def test_an_experiment_whose_draws_workers_do_is_the_same(inline: Opened, test: str) -> None:
    asked = experiment_of(comparison={"test": test}, metrics=["nDCG@5"])
    executor, pipeline = inline()
    with sharing_blocks(pipeline.workers.draw):
        made = execute(asked, pipeline)
    assert whole(blocks_of(executor), DRAWS)
    assert figures_of(made) == figures_of(execute(asked, Pipeline()))


@pytest.mark.long
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("aggregation", "family"),
    spread(itertools.product(("mean", "geometric-mean", "median"), ("pair", "all-pairs")), every=5),
)
def test_a_study_whose_draws_workers_do_is_the_same(
    inline: Opened, aggregation: str, family: str
) -> None:
    vary = {"relevance": [3, 4], "cutoff": [3, 5]}
    given = {"vary": vary, "draws": DRAWS, "joint_family": family}
    test = None if aggregation != "mean" else {"test": "t"}
    asked = study_of(given, aggregation=aggregation, comparison=test)
    executor, pipeline = inline()
    with sharing_blocks(pipeline.workers.draw):
        made = execute_study(asked, pipeline)
    assert any(block[1] == DRAWS for block in blocks_of(executor))
    assert figures_of(made) == figures_of(execute_study(asked, Pipeline()))


def test_draws_of_a_moment_are_the_drivers(inline: Opened) -> None:
    executor, pipeline = inline()
    with sharing_blocks(pipeline.workers.draw):
        execute(experiment_of(comparison={"test": TESTS[0]}), pipeline)
    assert executor.tasks
    assert blocks_of(executor) == []


def counted(block: range) -> Floats:
    return np.array([block.start, block.stop], dtype=float)


def failing_later(block: range) -> Floats:
    if block.start:
        raise ZeroDivisionError
    return counted(block)


def shared(pipeline: Pipeline, work: Any) -> list[list[float]]:
    assert pipeline.workers is not None
    with sharing_blocks(pipeline.workers.draw):
        return [each.tolist() for each in over_large_blocks(work, 4, 1.0)]


BLOCKS = [[0.0, 2.0], [2.0, 4.0]]


def test_blocks_come_back_in_their_order(inline: Opened) -> None:
    executor, pipeline = inline()
    assert shared(pipeline, counted) == BLOCKS
    assert blocks_of(executor) == [(0, 2), (2, 4)]
    assert not executor.shared


def test_work_that_cannot_be_sent_is_the_drivers(inline: Opened) -> None:
    executor, pipeline = inline()
    assert shared(pipeline, lambda block: 1 * counted(block)) == BLOCKS
    assert not executor.tasks


def test_work_that_no_worker_has_memory_for_is_the_drivers(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw_module, "_BYTES", 1 << 50)
    executor, pipeline = inline()
    assert shared(pipeline, counted) == BLOCKS
    assert not executor.tasks


def test_what_goes_wrong_at_a_worker_goes_wrong_here(inline: Opened) -> None:
    _, pipeline = inline()
    with pytest.raises(ZeroDivisionError):
        shared(pipeline, failing_later)


@pytest.mark.parametrize("lost", [1, 3, 10])
def test_blocks_of_lost_workers_are_done_again_at_last_by_the_driver(
    inline: Opened, lost: int
) -> None:
    executor, pipeline = inline(lost=lost)
    assert shared(pipeline, counted) == BLOCKS
    assert len(executor.tasks) == min(lost + 2, 6)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job is a task, and draws come in three blocks."""
    monkeypatch.setattr("cranfield.workbench.execution.workers.planning._SECONDS", 0.0)
    monkeypatch.setattr(resampling, "large_blocks", three_blocks)


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_a_study_whose_draws_two_processes_do_is_the_same() -> None:
    asked = {**table_of(), "study": {"vary": {"relevance": [3, 4]}, "draws": DRAWS}}
    made = study(asked, workers=2)
    assert figures_of(made) == figures_of(study(asked))


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_an_experiment_whose_draws_two_processes_do_is_the_same() -> None:
    asked = table_of(comparison={"test": TESTS[0]})
    made = run(asked, workers=2)
    assert figures_of(made) == figures_of(run(asked))
    assert os.getpid() not in {each["process"] for each in made.workers}
    assert sum(each["tasks"] for each in made.workers) > 3  # more than one for each system


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_a_reproduction_whose_draws_two_processes_do_is_the_same(tmp_path: Path) -> None:
    item = find_reproductions("canamares2020", "Figure 2")[0]
    found = []
    for workers in (None, 2):
        made = reproduce(item, Store(tmp_path / str(workers)), small=True, workers=workers)
        found.append({**made.to_dict(), "seconds": 0, "processor_seconds": 0})
    assert found[0] == found[1]
