"""Memory: how much of it this process has, the most that it has had, and what is left."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import sleep
from types import TracebackType

_PAUSE = 0.02
"""Seconds between two looks at the memory of the process."""
_MACHINE = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def resident_bytes() -> int:
    """The memory of this process, libraries and data included; 0 where it is not told."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)  # a third of the time of a Path
    except OSError:
        return 0
    try:
        pages = os.read(file, 128).split()[1]
    finally:
        os.close(file)
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def most_bytes() -> int:
    """The most memory that this process has had; 0 where it is not told."""
    if sys.platform == "win32":
        return 0
    from resource import RUSAGE_SELF, getrusage

    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit


def machine_bytes() -> int:
    """The memory of this machine; 0 where it is not told."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def free_bytes() -> int | None:
    """What the machine has left, within the limit of this process's group; none: not told."""
    told = [found for found in (_left_here(), _left_in_group()) if found is not None]
    return min(told, default=None)


def _left_here() -> int | None:
    """What Linux estimates that can be had without swapping."""
    try:
        lines = _MACHINE.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    kilobytes = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return 1024 * int(kilobytes[0]) if kilobytes else None


def _left_in_group() -> int | None:
    """What is left of the limit of a container, if it has one (cgroup v2)."""
    try:
        most = (_GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (_GROUP / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return max(int(most) - int(used), 0) if most.isdecimal() and used.isdecimal() else None


class PeakMemory:
    """Watches the most memory that the process has within a block.

    A new maximum of the process is known exactly. A lower peak is the highest of what was
    seen every 20 ms, so that one of a moment may be missed. Where only the maximum of the
    process is told, it is that.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._before = 0

    def __enter__(self) -> PeakMemory:
        self._before, self.bytes = most_bytes(), resident_bytes()
        if self.bytes:
            _WATCHER.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _WATCHER.remove(self)
        most = most_bytes()
        if most > self._before or not self.bytes:
            self.bytes = most
        else:
            self.see(resident_bytes())

    def see(self, found: int) -> None:
        """Note how much memory there is."""
        self.bytes = max(self.bytes, found)


class _Watcher:
    """One thread for all blocks that are watched; it sleeps while there are none."""

    def __init__(self) -> None:
        self._watched: set[PeakMemory] = set()
        self._lock = Lock()
        self._wanted = Event()
        self._thread: Thread | None = None

    def add(self, block: PeakMemory) -> None:
        """Watch a block."""
        with self._lock:
            self._watched.add(block)
            self._wanted.set()
            if self._thread is None or not self._thread.is_alive():  # as after a fork
                self._start()

    def remove(self, block: PeakMemory) -> None:
        """Watch a block no more."""
        with self._lock:
            self._watched.discard(block)

    def _start(self) -> None:
        self._thread = Thread(target=self._watch, daemon=True, name="cranfield-memory")
        with suppress(RuntimeError, MemoryError):  # no room for a thread: both ends must do
            self._thread.start()

    def _watch(self) -> None:
        while self._wanted.wait():
            sleep(_PAUSE)
            found = resident_bytes()
            with self._lock:
                for each in self._watched:
                    each.see(found)
                if not self._watched:
                    self._wanted.clear()


_WATCHER = _Watcher()
