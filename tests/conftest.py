"""What tests of several stages share."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, settings

from cranfield.base.errors import MissingLibrary
from cranfield.significance import intervals
from cranfield.workbench.store.store import STORE_VARIABLE

_BUSY: dict[str, Any] = {"suppress_health_check": [HealthCheck.too_slow], "deadline": None}
"""What a busy machine would fail, whatever is drawn, is not asked for."""
settings.register_profile("some", max_examples=10, **_BUSY)
settings.register_profile("all", max_examples=100, **_BUSY)
settings.load_profile(os.environ.get("CRANFIELD_CASES", "some"))
"""How many cases a property is tried on that does not say so itself: some in the fast suite, all
with `make test-slow`."""


def pytest_configure(config: pytest.Config) -> None:
    """Cache in a folder of this session, which its workers share: never in the user's own."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="cranfield-store-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ[STORE_VARIABLE] = folder.name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """With an older Polars, what asks for the SQL of Polars 2 is skipped; all else must pass."""
    try:
        return (yield)
    except MissingLibrary as error:
        if int(pl.__version__.partition(".")[0]) < 2 and "polars>=2" in str(error):
            pytest.skip(str(error))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is collected stays to the end: it is not searched for garbage again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


_FIRST = (("base", "recommendation"), ("collection", "scoring", "significance", "validity"))
"""Stages whose tests need different kernels."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let two processes that begin without compiled kernels compile different ones.

    They are given an eighth of all tests each to begin with, one after the other.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    stages = [item.path.relative_to(config.rootpath).parts[1] for item in items]
    places = [
        [at for at, stage in enumerate(stages) if stage in these][: len(items) // 8]
        for these in _FIRST
    ]
    early = {at: None for some in places for at in some}
    items[:] = [items[at] for at in (*early, *(at for at in range(len(items)) if at not in early))]


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals by drawing users take few draws: how many is not what is tested."""
    monkeypatch.setattr(intervals, "_DRAWS", 50)
