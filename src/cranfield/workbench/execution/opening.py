"""Opening a pipeline: with workers, which end with it, or without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield.significance.resampling import sharing_blocks
from cranfield.workbench.definition.workers import read_workers
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store.store import Store


@contextmanager
def open_pipeline(
    store: Store | None = None, workers: int | str | None = None, *, ranks: bool = True
) -> Iterator[Pipeline]:
    """A pipeline for the work of the block; its workers, if any, end with the block.

    Workers without a store have one until then.
    """
    given = read_workers(workers)
    if given is None:
        yield Pipeline(store, ranks=ranks)
        return
    from cranfield.workbench.execution.workers.starting import refuse_missing_library
    from cranfield.workbench.execution.workers.workers import Workers

    refuse_missing_library(given)
    with TemporaryDirectory(prefix="cranfield-", ignore_cleanup_errors=True) as folder:
        employed = Workers(given, store or Store(None), Path(folder), ranks=ranks)
        try:
            with sharing_blocks(employed.draw):
                yield Pipeline(ranks=ranks, workers=employed)
        finally:
            employed.close()
