"""Memory: how much of it this process has, and the most that it has had."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

_PAUSE = 0.02
"""Seconds between two looks at the memory of the process."""


def resident_bytes() -> int:
    """The memory of this process, libraries and data included; 0 where it is not told."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
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


class PeakMemory:
    """Watches the most memory that the process has within a block.

    A new maximum of the process is known exactly. A lower peak is the highest of what was
    seen every 20 ms, so that one of a moment may be missed. Where only the maximum of the
    process is told, it is that.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._before = 0
        self._over = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> PeakMemory:
        self._before, self.bytes = most_bytes(), resident_bytes()
        if self.bytes:
            self._thread = Thread(target=self._watch, daemon=True)
            try:
                self._thread.start()
            except (RuntimeError, MemoryError):  # no room for a thread: the ends must do
                self._thread = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        most = most_bytes()
        self.bytes = most if most > self._before or not self.bytes else self._seen()

    def _seen(self) -> int:
        return max(self.bytes, resident_bytes())

    def _watch(self) -> None:
        while not self._over.wait(_PAUSE):
            self.bytes = self._seen()
