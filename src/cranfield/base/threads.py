"""How many threads work, and over how much at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from cranfield.base.errors import BadParameter

A = TypeVar("A")
B = TypeVar("B")

VARIABLE = "CRANFIELD_THREADS"


def thread_count() -> int:
    """The number of threads to use: ``$CRANFIELD_THREADS``, else the processors at hand."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _cores()
    if not given.isdecimal() or int(given) < 1:
        raise BadParameter("environment", VARIABLE, given, "a whole number of at least 1")
    return int(given)


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
    parts one by one. The order and the results are the same for any number of threads.
    """
    threads = thread_count()
    if threads == 1 or getattr(_here, "is_worker", False):
        yield from map(work, parts)
        return
    waiting = iter(parts)
    pool = _workers(threads, os.getpid())
    under_way = [pool.submit(work, part) for part in islice(waiting, 2 * threads)]
    try:
        while under_way:
            done = under_way.pop(0).result()
            under_way.extend(pool.submit(work, part) for part in islice(waiting, 1))
            yield done
    finally:
        for unwanted in under_way:
            unwanted.cancel()
        wait(under_way)


_here = threading.local()
"""Whether the present thread is a worker. Were workers to wait for each other, all might."""


@lru_cache(maxsize=1)
def _workers(threads: int, process: int) -> ThreadPoolExecutor:
    """Threads that stay for all calls to come; those of a parent process do not work here."""
    return ThreadPoolExecutor(threads, f"cranfield-{process}", initializer=_become_worker)


def _become_worker() -> None:
    _here.is_worker = True
