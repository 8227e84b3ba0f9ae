"""Work for workers: models that they can import, and an executor that does all in place."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.collection.ratings import Ratings
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.workers import workers as driver
from cranfield.workbench.execution.workers.executor import Executor, Lost
from cranfield.workbench.execution.workers.message import Message, unpack
from cranfield.workbench.execution.workers.performing import perform
from cranfield.workbench.execution.workers.task import Outcome, Task
from cranfield.workbench.store.store import Store


def by_count(train: Ratings, users: Any) -> Any:
    """A model of a user's: the most rated items first."""
    return [train.item_counts] * len(users)


def failing(train: Ratings, users: Any) -> Any:
    """A model of a user's that does not work."""
    raise ZeroDivisionError("no model without data")


class Killed:
    """A model whose process is killed the first few times that it is asked."""

    def __init__(self, marks: Path, times: int = 1) -> None:
        self.marks, self.times = marks, times

    def __call__(self, train: Ratings, users: Any) -> Any:
        """Leave a mark for each time, then end."""
        before = len(list(self.marks.iterdir()))
        if before < self.times:
            (self.marks / f"{before}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [train.item_counts] * len(users)


class Inline(Executor):
    """Does every task in this process, as soon as it is waited for.

    ``lost`` are the numbers of tasks that are lost instead. Without ``shares_files``, stores
    are those of another machine.
    """

    mark = None
    pickler = pickle.Pickler

    def __init__(self, *, memory: int = 1 << 40, shares_files: bool = True, lost: int = 0) -> None:
        self.shares_files, self._memory, self.lost = shares_files, memory, lost
        if not shares_files:
            self.mark = ".elsewhere"
        self.shared: dict[str, Message] = {}
        self.waiting: deque[Task] = deque()
        self.tasks: list[Task] = []
        self.closed = False

    @property
    def capacity(self) -> int:
        return 1

    @property
    def memory(self) -> int:
        return self._memory

    def share(self, message: Message) -> str:
        name = f"fold {len(self.tasks)} {len(self.shared)}"
        self.shared[name] = message
        return name

    def forget(self, name: str) -> None:
        del self.shared[name]

    def submit(self, task: Task) -> None:
        self.waiting.append(task)

    def finished(self, seconds: float) -> list[Outcome | Lost]:
        task = self.waiting.popleft()
        self.tasks.append(task)
        if len(self.tasks) <= self.lost:
            return [Lost(task.number, "SIGKILL")]
        return [pickle.loads(pickle.dumps(perform(task, unpack(self.shared[task.fold]))))]

    def running(self) -> Mapping[int, str]:
        return {task.number: "here" for task in self.waiting}

    def close(self) -> None:
        self.closed = True


Opened = Callable[..., Any]


@pytest.fixture
def inline(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[Inline, Pipeline]]:
    """An executor in this process, and a pipeline whose work it does."""

    def opened(store: Path | str | None = None, **facts: Any) -> tuple[Inline, Pipeline]:
        made = Inline(**facts)
        monkeypatch.setattr(driver, "open_executor", lambda *_: made)
        folder = tmp_path / f"workers {os.urandom(4).hex()}"
        employed = driver.Workers(1, Store(store), folder, ranks=True)
        return made, Pipeline(workers=employed)

    return opened


@contextmanager
def no_longer_writable(folder: Path) -> Iterator[None]:
    """A folder whose files cannot be made any more, though root may write everywhere."""
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder.with_name(f"{folder.name}-hidden")
    folder.rename(hidden)
    folder.touch()
    try:
        yield
    finally:
        folder.unlink()
        hidden.rename(folder)


def figures_of(results: Any) -> dict[str, Any]:
    """All that must be the same, whoever did the work."""
    record = results.to_dict()
    for part in (record, record.get("base", {})):
        for name in ("seconds", "costs", "machine", "workers"):
            part.pop(name, None)
        if "tuning" in part:
            part["tuning"] = _untimed(part["tuning"])
    base = getattr(results, "base", results)
    scores = base.scores.values.tobytes(), base.scores.covered.tobytes()
    return {"record": record, "scores": scores, **_designs(results)}


def _untimed(record: Any) -> Any:
    """Trials without the seconds that they took."""
    if isinstance(record, dict):
        return {name: _untimed(each) for name, each in record.items() if name != "seconds"}
    return [_untimed(each) for each in record] if isinstance(record, list) else record


def _designs(results: Any) -> dict[str, Any]:
    if not hasattr(results, "designs"):
        return {}
    found = results.designs
    arrays = found.values, found.effects, found.p_values
    return {"designs": [np.asarray(each).tobytes() for each in arrays]}


class Sluggish:
    """A model that takes its time, so that something can happen meanwhile."""

    def __init__(self, seconds: float, place: int = 0) -> None:
        self.seconds, self.place = seconds, place

    def __call__(self, train: Ratings, users: Any) -> Any:
        """Wait, then rank by counts, from another place on."""
        time.sleep(self.seconds)
        return [np.roll(train.item_counts, self.place)] * len(users)


class FullDisk:
    """A model whose process cannot write files any more once it was asked."""

    def __call__(self, train: Ratings, users: Any) -> Any:
        """Limit this process alone, as `small_disks` does; Python ignores the signal for it."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        return [train.item_counts] * len(users)


def three_blocks(draws: int, seconds: float) -> list[range]:
    """Blocks of draws, three at most, however little a draw takes."""
    size = -(-draws // 3)
    return [range(start, min(start + size, draws)) for start in range(0, draws, size)]
