"""Starting executors: processes, or Ray."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from cranfield.base.errors import MissingLibrary
from cranfield.workbench.execution.workers.executor import Executor
from cranfield.workbench.execution.workers.processes import Processes


def refuse_missing_library(workers: int | str) -> None:
    """Refuse a cluster, before any work, where Ray is not installed."""
    if isinstance(workers, str) and find_spec("ray") is None:
        raise MissingLibrary(f"--workers {workers}", "cranfield[ray]")


def open_executor(workers: int | str, folder: Path, stores: Sequence[Path]) -> Executor:
    """Start the executor that was asked for.

    ``folder`` is for what goes between driver and workers, ``stores`` are the folders that
    workers may have as well.
    """
    if isinstance(workers, int):
        return Processes(workers, folder)
    from cranfield.workbench.execution.workers.cluster import Cluster

    return Cluster(workers, stores)
