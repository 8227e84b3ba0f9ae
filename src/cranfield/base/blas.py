"""One BLAS thread: dense linear algebra whose bits do not depend on the processors at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

_taking_turns = Lock()
"""Limits are the process's own: who leaves first would lift them for who is still inside."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS and LAPACK use one thread inside the block; blocks take turns.

    With several threads they add in another order, and the last bits differ.
    """
    with _taking_turns, threadpool_limits(limits=1, user_api="blas"):
        yield
