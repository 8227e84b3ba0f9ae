"""One lock per entry of the store, so that no entry is made twice at the same time.

A lock is an advisory lock on ``locks/<key>.lock``, which the system frees when its holder
ends, however it ends. The file is removed while the lock is held; a process that then gets the
lock of a file that is gone starts over with a new one.

Waiting cannot go round in a circle: an entry is made from entries of earlier stages only
and waits for these alone, and no two entries share a lock. Where the system has no such
locks, or the folder cannot be written, there are none: an entry may then be made twice,
but is whole all the same.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_mine = threading.local()


def lock_path(folder: Path, key: str) -> Path:
    """The file whose lock is that of a key."""
    return folder / "locks" / f"{key}.lock"


@contextmanager
def holding(folder: Path, key: str) -> Iterator[None]:
    """Hold the lock of a key, after waiting for the process that holds it."""
    path = lock_path(folder, key)
    held: set[Path] = _mine.__dict__.setdefault("held", set())
    assert path not in held, "an entry cannot be made from itself"
    handle = None
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = _take(path, wait=True)
    held.add(path)
    try:
        yield
    finally:
        held.discard(path)
        _give_back(path, handle)


@contextmanager
def trying(folder: Path, key: str) -> Iterator[bool]:
    """Hold the lock of a key if nobody else does; whether it is held."""
    path = lock_path(folder, key)
    handle = None
    with suppress(OSError):
        handle = _take(path, wait=False)
    try:
        yield handle is not None
    finally:
        _give_back(path, handle)


def _take(path: Path, wait: bool) -> int | None:
    """The locked file; None where the system has no locks, OSError if it cannot be had."""
    if sys.platform == "win32":
        return None
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            if _is_at(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Whether the open file still has its name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _give_back(path: Path, handle: int | None) -> None:
    """Remove the file while nobody else can hold its lock, then free the lock."""
    if handle is not None:
        with suppress(OSError):
            path.unlink()
        os.close(handle)
