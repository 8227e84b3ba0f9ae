"""How many threads work, and over how much at a time."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice
from typing import Generic, TypeVar

from cranfield.base.errors import BadParameter, ForkedProcess

A = TypeVar("A")
B = TypeVar("B")

VARIABLE = "CRANFIELD_THREADS"


_users: set[int] = set()
"""The process that uses Polars, whose threads do not survive a fork."""


def refuse_forked() -> None:
    """Refuse to work in a process forked from one that has worked already."""
    if not _users:
        _users.add(os.getpid())
    elif os.getpid() not in _users:
        raise ForkedProcess


def thread_count() -> int:
    """The number of threads to use: ``$CRANFIELD_THREADS``, else the available processors."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return processor_count()
    if not given.isdecimal() or int(given) < 1:
        raise BadParameter("environment", VARIABLE, given, "a whole number of at least 1")
    return int(given)


def processor_count() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _cores()


def _cores() -> int:
    return os.cpu_count() or 1


def chunks(size: int, most: int) -> Iterator[slice]:
    """Consecutive slices of at most so many that cover a size.

    >>> list(chunks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return (slice(start, min(start + most, size)) for start in range(0, size, most))


def shares(size: int, least: int, most: int) -> list[slice]:
    """Consecutive slices that cover a size, one for each thread, within bounds if that can be.

    >>> shares(5, 10, 100)
    [slice(0, 5, None)]
    """
    return list(chunks(size, min(most, max(least, -(-size // thread_count())))))


def in_threads(work: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
    """The results of work on each part, in order, a few parts ahead at most.

    Work must release the GIL to gain anything; work that itself asks for threads does its
    parts one by one. The order and the results are the same for any number of threads. The
    caller is one of the threads: to wake another takes longer than some of the work. When it
    goes on, no other is at work any more, unless it was interrupted.
    """
    if _is_alone():
        yield from map(work, parts)
        return
    threads = thread_count()
    pool, waiting = _workers(threads - 1, os.getpid()), iter(parts)
    tasks = deque(_submitted(pool, work, islice(waiting, 2 * threads)))
    try:
        while tasks:
            while not tasks[0].outcome.done() and any(task.run() for task in tasks):
                pass
            done = tasks.popleft().outcome.result()
            tasks.extend(_submitted(pool, work, islice(waiting, 1)))
            yield done
    except KeyboardInterrupt:
        for task in tasks:
            task.take()
        tasks.clear()
        raise
    finally:
        wait([task.outcome for task in tasks if not task.take()])


class _Task(Generic[A, B]):
    """Work on a part, done by the thread that takes it first."""

    def __init__(self, work: Callable[[A], B], part: A) -> None:
        self.outcome: Future[B] = Future()
        self._work, self._part, self._taken = work, part, threading.Lock()

    def take(self) -> bool:
        """Take the task; false if another thread has it. The thread that took it must do it."""
        return self._taken.acquire(blocking=False)

    def run(self) -> bool:
        """Do the task, unless it is taken; whether it was done now."""
        if not self.take():
            return False
        try:
            self.outcome.set_result(self._work(self._part))
        except BaseException as error:  # the caller's to raise
            self.outcome.set_exception(error)
            if not isinstance(error, Exception):
                raise
        return True


def _submitted(
    pool: ThreadPoolExecutor, work: Callable[[A], B], parts: Iterable[A]
) -> Iterator[_Task[A, B]]:
    for part in parts:
        task = _Task(partial(_alone, work), part)
        pool.submit(task.run)
        yield task


def _alone(work: Callable[[A], B], part: A) -> B:
    """Work that does by itself whatever it would ask others for."""
    _here.at_work = True
    try:
        return work(part)
    finally:
        _here.at_work = False


def run_concurrently(work: Callable[[], A], other: Callable[[], B]) -> tuple[A, B]:
    """The results of two functions that are called at the same time, if there are threads.

    Each may use threads itself; within a task of `in_threads` they are called one by one. If
    both fail, the error is that of the first. Who interrupts the first leaves the second to
    its end.

    >>> run_concurrently(lambda: 1, lambda: 2)
    (1, 2)
    """
    if _is_alone():
        return work(), other()
    task = _Task(lambda _: other(), None)
    _second(os.getpid()).submit(task.run)
    try:
        done = work()
    except BaseException as error:
        if not task.take() and not isinstance(error, KeyboardInterrupt):
            wait([task.outcome])
        raise
    task.run()
    return done, task.outcome.result()


class Ahead(Generic[A, B]):
    """Work on some parts, each done by one more thread before it is asked for, in order.

    What that thread has not begun is left to who asks for it. Parts are told apart by equality.
    """

    def __init__(self, work: Callable[[A], B], parts: Iterable[A]) -> None:
        waiting, pool = list(parts), ThreadPoolExecutor(1, "cranfield-ahead")
        self._tasks = dict(zip(waiting, _submitted(pool, work, waiting), strict=True))
        pool.shutdown(wait=False)  # the thread ends with the last part

    def result(self, part: A) -> B | None:
        """The result for a part, told once; None if nothing was begun, or it failed."""
        task = self._tasks.pop(part, None)
        if task is None or task.take():
            return None
        with suppress(Exception):  # who does the work meets it again, and where it is expected
            return task.outcome.result()
        return None

    def leave(self) -> None:
        """Begin no more parts."""
        for task in self._tasks.values():
            task.take()


_here = threading.local()
"""Whether the present thread is at work on a task. Were tasks to wait for each other, all might."""


def _is_alone() -> bool:
    """Whether the present thread is to do all by itself."""
    return thread_count() == 1 or getattr(_here, "at_work", False)


@lru_cache(maxsize=1)
def _workers(threads: int, process: int) -> ThreadPoolExecutor:
    """Threads that stay for all calls to come; those of a parent process do not work here."""
    return ThreadPoolExecutor(threads, f"cranfield-{process}")


@lru_cache(maxsize=1)
def _second(process: int) -> ThreadPoolExecutor:
    """The thread that works while callers do, and may use the other threads for them."""
    return ThreadPoolExecutor(1, f"cranfield-second-{process}")
