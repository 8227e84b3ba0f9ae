"""A browser and pages that tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser
from report_pages import write_pages


@pytest.fixture(scope="session")
def running() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    with Browser() as opened:
        yield opened


@pytest.fixture
def browser(running: Browser) -> Iterator[Browser]:
    """The browser, whose tabs are closed after each test."""
    yield running
    running.close_pages()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports as files, by name."""
    return write_pages(tmp_path_factory.mktemp("pages"))
