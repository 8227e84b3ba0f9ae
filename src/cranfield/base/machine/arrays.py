"""Room for large arrays, in pages that are used again.

Fresh pages are dear: the system clears each one, and a virtual machine may have to get it
from its host first, which can take longer than all the work on what is put there. So some
of those that are no longer needed are kept for the next array. Those of the largest arrays
are huge where the system has such: fewer of them need to be looked up.
"""

from __future__ import annotations

import mmap
import threading
import weakref
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

_LARGE = 1 << 18
"""Bytes from which an array has pages of its own."""
_HUGE = 1 << 21
"""Bytes from which an array has huge pages."""
_KEPT = 1 << 26
"""Bytes that are kept for arrays to come."""

_free: list[mmap.mmap] = []
_lock = threading.RLock()  # arrays may go, and their pages come back, while it is held


def empty_array(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A new array to be filled.

    >>> len(empty_array(3, np.int32))
    3
    """
    kind = np.dtype(dtype)
    if size * kind.itemsize < _LARGE:
        return np.empty(size, kind)
    wanted = size * kind.itemsize
    return _array(_used_pages(wanted) or _new_pages(wanted), size, kind)


def _new_pages(size: int) -> mmap.mmap:
    pages = mmap.mmap(-1, size, access=mmap.ACCESS_COPY)  # this process's own
    if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system may know of huge pages and have none
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


def _used_pages(size: int) -> mmap.mmap | None:
    """Pages that nobody uses any more, and not many more than needed."""
    with _lock:
        fitting = [pages for pages in _free if size <= len(pages) <= 2 * size]
        if not fitting:
            return None
        chosen = min(fitting, key=len)
        _free.remove(chosen)
        return chosen


def _array(pages: mmap.mmap, size: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """An array in some pages, which are free again when it and all its views are gone."""
    array = np.ndarray(size, kind, buffer=pages)
    weakref.finalize(array, _keep, pages).atexit = False
    return array


def _keep(pages: mmap.mmap) -> None:
    with _lock:
        if sum(map(len, _free)) + len(pages) <= _KEPT:
            _free.append(pages)
