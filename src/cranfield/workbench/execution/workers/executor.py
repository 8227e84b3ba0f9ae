"""Executor: who does tasks, and where; processes of this machine, or the nodes of a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from cranfield.base.dataclass import dataclass
from cranfield.workbench.execution.workers.message import Message
from cranfield.workbench.execution.workers.task import Outcome, Task


@dataclass(frozen=True)
class Lost:
    """A task whose worker ended before it was done, and how it ended."""

    number: int
    how: str


class Executor(Protocol):
    """Does tasks at the same time, some here and some there; which does not matter to results."""

    shares_files: bool
    """Whether the folders of this machine are those of all workers."""
    pickler: Callable[..., Any]
    """How objects are pickled for the workers."""
    mark: str | None
    """The name of a file in the folders of stores, by which workers see whether they have them;
    None where there is no doubt."""

    @property
    def capacity(self) -> int:
        """How many tasks can be done at a time."""
        ...

    @property
    def memory(self) -> int:
        """The bytes of memory of the largest place where a task can be done."""
        ...

    def share(self, message: Message) -> str:
        """Give all workers a message that many tasks need; the name that tasks call it by."""
        ...

    def forget(self, name: str) -> None:
        """Take a message away that no task needs any more."""
        ...

    def submit(self, task: Task) -> None:
        """Have a task done, once there is a place for it."""
        ...

    def finished(self, seconds: float) -> Sequence[Outcome | Lost]:
        """The tasks that ended since; waits for one, but for so many seconds at most."""
        ...

    def running(self) -> Mapping[int, str]:
        """Where each task is done that has begun, by its number."""
        ...

    def close(self) -> None:
        """Stop all workers, whatever they are at."""
        ...


def memory_here() -> int:
    """The bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # it does not say
        return 1 << 62
