"""A pytest plugin for `make coverage`: which file of tests reaches a line, and how long it takes.

coverage.py notes lines under the name of the test file that runs, also in processes that a test
starts. Times go to a file of JSON lines, one for each test: its name, its seconds, and whether it
did not fail.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

TIMES = "CRANFIELD_TEST_TIMES"
"""The variable that names the file of times."""
TEST_FILE = "CRANFIELD_TEST_FILE"
"""The variable that tells coverage.py in processes that a test starts which file it is of."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Name the file to coverage.py, once for all its tests that follow each other."""
    import coverage

    file = item.nodeid.partition("::")[0]
    measured = coverage.Coverage.current()
    if measured is not None and os.environ.get(TEST_FILE) != file:
        measured.switch_context(file)
    os.environ[TEST_FILE] = file
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down how a test went, in the one process that hears of all tests."""
    if report.when == "call" and TIMES in os.environ and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(os.environ[TIMES]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.duration, not report.failed]) + "\n")
