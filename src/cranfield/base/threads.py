"""How many threads work, and over how much at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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


def in_threads(work: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
    """The results of work on each part, in order, a few parts ahead at most.

    Work must release the GIL to gain anything. The order and the results are the same
    for any number of threads.
    """
    threads = thread_count()
    if threads == 1:
        yield from map(work, parts)
        return
    waiting = iter(parts)
    with ThreadPoolExecutor(threads) as pool:
        under_way = [pool.submit(work, part) for part in islice(waiting, 2 * threads)]
        try:
            while under_way:
                done = under_way.pop(0).result()
                under_way.extend(pool.submit(work, part) for part in islice(waiting, 1))
                yield done
        finally:
            for unwanted in under_way:
                unwanted.cancel()
