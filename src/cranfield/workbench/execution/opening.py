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

    Workers without a store have one until then. What was stored is in the bucket, if there is
    one, when the block ends.
    """
    given, used = read_workers(workers), store or Store(None)
    if given is not None:
        # Most runs have no workers, and start sooner without their modules.
        from cranfield.workbench.execution.workers.starting import refuse_missing_library

        refuse_missing_library(given)
    with _uploading(used):
        if given is None:
            yield Pipeline(used, ranks=ranks)
        else:
            with _employed(given, used, ranks=ranks) as pipeline:
                yield pipeline


@contextmanager
def _employed(given: int | str, store: Store, *, ranks: bool) -> Iterator[Pipeline]:
    """A pipeline with workers, which end with the block."""
    from cranfield.workbench.execution.workers.workers import Workers

    with TemporaryDirectory(prefix="cranfield-", ignore_cleanup_errors=True) as folder:
        employed = Workers(given, store, Path(folder), ranks=ranks)
        try:
            with sharing_blocks(employed.draw):
                yield Pipeline(ranks=ranks, workers=employed)
        finally:
            employed.close()


@contextmanager
def _uploading(store: Store) -> Iterator[None]:
    """Refuse a bucket that there is not, and send it at the end what was made.

    Ctrl-C does not wait for that: what is unsent is sent by the next run.
    """
    store.connect()
    try:
        yield
    except Exception:
        store.upload()
        raise
    store.upload()
