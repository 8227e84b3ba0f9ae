"""Workers on the nodes of a Ray cluster, of many machines or of this one alone.

Ray decides which node does a task, by the processors and the memory that the task is declared to
need. A fold is put into Ray's memory once, and each node holds one copy of it. What workers make
goes to the stores where they have the driver's disk, and back to the driver where not.
"""

from __future__ import annotations

import logging
import os
import socket
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np

from cranfield.base.errors import WorkerError
from cranfield.base.progress import screen
from cranfield.base.threads import VARIABLE, thread_count
from cranfield.workbench.definition.workers import RAY
from cranfield.workbench.execution.workers.address import remedy_of
from cranfield.workbench.execution.workers.executor import Executor, Lost
from cranfield.workbench.execution.workers.message import Message, unpack
from cranfield.workbench.execution.workers.performing import perform
from cranfield.workbench.execution.workers.task import Outcome, Task, TaskData
from cranfield.workbench.results.results import versions
from cranfield.workbench.store.upkeep import MARK

_ONE_THREAD = dict.fromkeys(
    (VARIABLE, "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1"
)
"""A task has one processor: there are more tasks than processors."""
_ADDRESS = "RAY_ADDRESS"

Shared = tuple[bytes, list[Any], tuple[bool, ...]]
"""A message as Ray holds it: its parts are arrays that it does not copy."""


class Cluster(Executor):
    """The nodes of a cluster that Ray knows; without an address, one that runs here, or a new one.

    ``stores`` are folders of the driver: whether nodes have them shows by a file in each.
    """

    def __init__(self, address: str, stores: Sequence[Path]) -> None:
        import ray
        from ray.cloudpickle import CloudPickler

        self._ray, self.pickler = ray, CloudPickler
        self._ours = not ray.is_initialized()
        self.mark: str | None = f"{MARK}{token_hex(8)}"
        self._marks = [folder / self.mark for folder in stores]
        self._folds: dict[str, Any] = {}
        self._names = count()
        self._tasks: dict[Any, int] = {}
        self._board: Any = None
        if self._ours:
            _connect(address)
        try:
            for each in self._marks:
                _leave_mark(each)
            self._nodes = _nodes()
            self.shares_files = _refuse_others(_reports(self._nodes, self._marks))
            self._perform = ray.remote(_perform)
            if screen() is not None:
                self._board = ray.remote(_Board).options(num_cpus=0).remote()
        except BaseException:
            self.close()
            raise

    @property
    def capacity(self) -> int:
        """One task for each processor."""
        return max(1, int(sum(each["Resources"].get("CPU", 0) for each in self._nodes)))

    @property
    def memory(self) -> int:
        """That of the largest node, as far as Ray gives it to tasks."""
        return int(max(each["Resources"].get("memory", 0) for each in self._nodes))

    def share(self, message: Message) -> str:
        """Put the message into Ray's memory."""
        name = f"fold-{os.getpid()}-{token_hex(4)}-{next(self._names)}"
        parts = [np.frombuffer(part, dtype=np.uint8) for part in message.parts]
        self._folds[name] = self._ray.put((message.head, parts, message.writable))
        return name

    def forget(self, name: str) -> None:
        """Let Ray have its memory back."""
        del self._folds[name]

    def submit(self, task: Task) -> None:
        """Let Ray find a node for the task."""
        wanted = {
            "num_cpus": 1,
            "memory": task.bytes,
            "max_retries": 0,
            "name": f"cranfield {task.text}",
            "runtime_env": {"env_vars": _ONE_THREAD},
        }
        made = self._perform.options(**wanted).remote(task, self._folds[task.fold], self._board)
        self._tasks[made] = task.number

    def finished(self, seconds: float) -> list[Outcome | Lost]:
        """What Ray has results of, and what it has lost."""
        done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        return [self._received(each) for each in done]

    def running(self) -> Mapping[int, str]:
        """Where tasks have begun, if somebody looks."""
        if self._board is None:
            return {}
        with suppress(self._ray.exceptions.RayError):
            found: dict[int, str] = self._ray.get(self._board.read.remote(), timeout=1)
            return {number: found[number] for number in self._tasks.values() if number in found}
        return {}

    def close(self) -> None:
        """Stop all tasks, and the cluster if it was started here."""
        for each in self._marks:
            with suppress(OSError):
                each.unlink()
        for each in self._tasks:
            with suppress(self._ray.exceptions.RayError, ValueError):
                self._ray.cancel(each, force=True)
        self._tasks, self._folds = {}, {}
        if self._ours:
            self._ray.shutdown()

    def _received(self, made: Any) -> Outcome | Lost:
        number = self._tasks.pop(made)
        try:
            outcome: Outcome = self._ray.get(made)
        except self._ray.exceptions.RayTaskError:  # a fault of ours, and of no system
            raise
        except self._ray.exceptions.RayError as error:
            return Lost(number, type(error).__name__)
        return outcome


def _connect(address: str) -> None:
    """Join the cluster of an address, one that runs on this machine, or a new one."""
    import ray

    given = address if address != RAY else os.environ.get(_ADDRESS)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    with _said_by_cranfield(given or RAY):
        try:
            ray.init(address=given or "auto", **quiet)
        except ConnectionError:
            if given is not None:
                raise
            ray.init("local", num_cpus=thread_count(), include_dashboard=False, **quiet)


@contextmanager
def _said_by_cranfield(where: str) -> Iterator[None]:
    """Let what Ray refuses be one sentence; what it warns of is not the user's concern."""
    import ray
    from ray.exceptions import RayError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except (RayError, RuntimeError, OSError, ValueError) as error:
            with suppress(Exception):  # what is left of a connection would be in the way
                ray.shutdown()
            said = " ".join(str(error).split()).removesuffix(".")
            remedy = f" {remedy_of(where)}" if where != RAY else ""
            raise WorkerError(f"{where}: the cluster cannot be used ({said}).{remedy}") from error


def _leave_mark(path: Path) -> None:
    with suppress(OSError):  # then nobody finds it, and all is sent back
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def _nodes() -> list[dict[str, Any]]:
    """The nodes that are alive, as Ray describes them."""
    import ray

    return [each for each in ray.nodes() if each["Alive"]]


def _reports(nodes: Sequence[Mapping[str, Any]], marks: Sequence[Path]) -> list[dict[str, Any]]:
    """What each node says of itself; one that has been lost meanwhile says nothing."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    asked = []
    for each in nodes:
        there = NodeAffinitySchedulingStrategy(each["NodeID"], soft=False)
        report = ray.remote(_report).options(num_cpus=0, scheduling_strategy=there)
        asked.append((report.remote(list(map(str, marks))), each))
    found = []
    for made, node in asked:
        try:
            found.append(ray.get(made))
        except ray.exceptions.RayError as error:
            if node["NodeID"] in {each["NodeID"] for each in _nodes()}:
                raise _unable(node, error) from error
    return found


def _unable(node: Mapping[str, Any], error: Exception) -> WorkerError:
    """Why a node that is alive cannot do tasks."""
    cause = str(getattr(error, "cause", None) or error).strip().splitlines()[-1]
    return WorkerError(
        f"ray: node {node['NodeManagerHostname']} cannot run Cranfield ({cause}). Install the "
        "same version there."
    )


def _report(marks: list[str]) -> dict[str, Any]:
    """What a node has: versions of what numbers depend on, and whether the driver's disk."""
    shares = all(Path(each).exists() for each in marks)
    return {"host": socket.gethostname(), "versions": versions(), "shares": shares}


def _refuse_others(reports: Sequence[Mapping[str, Any]]) -> bool:
    """Refuse nodes with other versions, whose bits may differ; whether all have our disk."""
    ours = _comparable(versions())
    for each in reports:
        theirs = _comparable(each["versions"])
        for name, number in ours.items():
            if theirs.get(name) != number:
                raise WorkerError(
                    f"ray: node {each['host']} has {name} {theirs.get(name)}, and here is "
                    f"{number}. Results would not be the same: install {number} there."
                )
    return all(each["shares"] for each in reports)


def _comparable(found: Mapping[str, str]) -> dict[str, str]:
    """Versions; of Python without the last number, which changes no results."""
    return {**found, "python": found["python"].rpartition(".")[0]}


class _Board:
    """Where tasks say that they have begun."""

    def __init__(self) -> None:
        self._places: dict[int, str] = {}

    def begin(self, number: int, where: str) -> None:
        """Note where a task is done."""
        self._places[number] = where

    def read(self) -> dict[int, str]:
        """Where every task was begun."""
        return self._places


_known: dict[str, TaskData] = {}
"""The fold that this process of a node worked on last."""


def _perform(task: Task, shared: Shared, board: Any) -> Outcome:
    """Do a task on a node."""
    if board is not None:
        board.begin.remote(task.number, f"{socket.gethostname()}, process {os.getpid()}")
    if task.fold not in _known:
        _known.clear()
        _known[task.fold] = unpack(Message(*shared))
    return perform(task, _known[task.fold])
