"""Processes: workers of this machine, each started anew rather than forked.

Every worker has a pipe of its own, so that the driver knows which task it is at. One that is
killed costs its task alone. What folds share lies in files that all workers map into memory.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import WorkerError
from cranfield.base.threads import VARIABLE, thread_count
from cranfield.workbench.execution.workers.executor import Executor, Lost, memory_here
from cranfield.workbench.execution.workers.message import (
    Message,
    read_message,
    unpack,
    write_message,
)
from cranfield.workbench.execution.workers.performing import perform
from cranfield.workbench.execution.workers.task import Outcome, Task, TaskData

_LIMITS = (
    VARIABLE, "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "POLARS_MAX_THREADS",
)  # fmt: skip
"""What tells libraries how many threads to use, when they are loaded."""
_PATIENCE = 1.0
"""Seconds in which a worker that is told to stop may clear away what it was writing."""


@dataclass(eq=False)
class _Worker:
    """A process, the driver's end of its pipe, and the task that it is at."""

    process: SpawnProcess
    pipe: connection.Connection
    task: Task | None = None
    begun: bool = False


class Processes(Executor):
    """So many processes, started when there is work for them."""

    shares_files = True
    mark = None
    pickler = pickle.Pickler

    def __init__(self, workers: int, folder: Path) -> None:
        self._most, self._folder = workers, folder
        self._threads = max(1, thread_count() // workers)
        self._workers: list[_Worker] = []
        self._waiting: deque[Task] = deque()
        self._names = count()

    @property
    def capacity(self) -> int:
        """One task for each process."""
        return self._most

    @property
    def memory(self) -> int:
        """That of this machine."""
        return memory_here()

    def share(self, message: Message) -> str:
        """Write the message to a file."""
        path = self._folder / f"fold-{next(self._names)}"
        write_message(path, message)
        return str(path)

    def forget(self, name: str) -> None:
        """Remove the file; who has it mapped keeps it."""
        with suppress(OSError):
            Path(name).unlink()

    def submit(self, task: Task) -> None:
        """Put the task in line."""
        self._waiting.append(task)

    def finished(self, seconds: float) -> list[Outcome | Lost]:
        """Hand out what waits, and see who has answered or ended."""
        self._hand_out()
        busy = {each.pipe: each for each in self._workers if each.task is not None}
        ready = connection.wait(list(busy), seconds)
        return [self._received(busy[pipe]) for pipe in ready]  # type: ignore[index]

    def running(self) -> Mapping[int, str]:
        """The process of each task."""
        busy = [each for each in self._workers if each.task is not None]
        return {each.task.number: f"process {each.process.pid}" for each in busy if each.task}

    def close(self) -> None:
        """Tell all processes to stop, then make them."""
        workers, self._workers = self._workers, []
        self._waiting.clear()
        for each in workers:
            each.process.terminate()
            each.pipe.close()
        for each in workers:
            each.process.join(_PATIENCE)
            each.process.kill()
            each.process.join()

    def _hand_out(self) -> None:
        """Give waiting tasks to idle workers, as long as they have memory for them."""
        while self._waiting and self._fits(self._waiting[0]):
            idle = next((each for each in self._workers if each.task is None), None)
            if idle is None and len(self._workers) == self._most:
                return
            worker = idle or self._started()
            worker.task = self._waiting.popleft()
            with suppress(OSError):  # it has ended, as its pipe will say
                worker.pipe.send(worker.task)

    def _fits(self, task: Task) -> bool:
        """Whether memory holds the task beside those that are being done."""
        taken = [each.task.bytes for each in self._workers if each.task is not None]
        return not taken or sum(taken) + task.bytes <= self.memory

    def _started(self) -> _Worker:
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=serve, args=(theirs,), name="cranfield")
        with _uninterrupted(), _limited_to(self._threads):
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _received(self, worker: _Worker) -> Outcome | Lost:
        """What a worker sends; that it was lost, if it ended."""
        task = worker.task
        assert task is not None  # only who has one is listened to
        try:
            answer: Outcome | str = worker.pipe.recv()
        except (EOFError, OSError):
            return self._buried(worker, task)
        worker.task, worker.begun = None, True
        if isinstance(answer, str):
            raise RuntimeError(f"a worker failed:\n{answer}")
        return answer

    def _buried(self, worker: _Worker, task: Task) -> Lost:
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join(_PATIENCE)
        code = worker.process.exitcode or 0
        if not worker.begun and code > 0:
            raise WorkerError(
                f"workers: a process ended with code {code} before it had done anything. In a "
                'script, the code that starts workers must be under: if __name__ == "__main__":'
            )
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Lost(task.number, how)


@contextmanager
def _limited_to(threads: int) -> Iterator[None]:
    """Let processes that are started inside the block use so many threads."""
    before = {name: os.environ.get(name) for name in _LIMITS}
    os.environ.update(dict.fromkeys(_LIMITS, str(threads)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done: a process that is half started would complain."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *given: came.append(given))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


def serve(pipe: connection.Connection) -> None:
    """Do the tasks that come by a pipe, until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which stops workers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    threading.Thread(target=_end_with_driver, daemon=True).start()
    known: dict[str, TaskData] = {}
    with suppress(EOFError, OSError):
        while True:
            task: Task = pipe.recv()
            pipe.send(_answer(task, known))


def _answer(task: Task, known: dict[str, TaskData]) -> Outcome | str:
    """What becomes of a task; what went wrong that is no system's fault, as text."""
    try:
        if task.fold not in known:
            known.clear()
            known[task.fold] = unpack(read_message(Path(task.fold)))
        return perform(task, known[task.fold])
    except Exception:
        return traceback.format_exc()


def _end_with_driver() -> None:
    """End this process when the driver has ended, however that came."""
    driver = parent_process()
    assert driver is not None  # a worker is started by one
    connection.wait([driver.sentinel])
    os._exit(1)
