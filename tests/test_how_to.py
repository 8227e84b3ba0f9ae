"""The how-to pages: every block of Python runs, every command does what the page says."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cranfield.base import options
from cranfield.workbench import inventory
from cranfield.workbench.cli.main import main

FOLDER = Path(__file__).parents[1] / "docs" / "how-to"
PAGES = sorted(FOLDER.glob("*.md"))
UNTESTED = {"mlflow"}
"""Pages about a library that is not installed here; tests/parity has what they say."""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def _own_options() -> Iterator[None]:
    """Options that a page registers are forgotten after it."""
    inventory.load()
    registries: tuple[dict[str, Any], ...] = (options._options, options._names)
    before = [{kind: dict(known) for kind, known in each.items()} for each in registries]
    yield
    for each, known in zip(registries, before, strict=True):
        each.clear()
        each.update(known)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """The blocks of code of a page: their language and text."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def run_commands(text: str) -> None:
    """Commands of Cranfield, each on a line; a comment tells another exit code than 0."""
    for line in text.replace("\\\n", " ").splitlines():
        command, _, said = line.partition("  # exit code ")
        if command.startswith("cranfield "):
            assert main(shlex.split(command)[1:]) == int(said or 0), line


def test_there_is_a_page_for_each_task() -> None:
    assert len(PAGES) == 9
    index = FOLDER.with_suffix(".md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(how-to/([a-z-]+)\.md\)", index)) == {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_short_and_its_code_fits(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 75
    for language, text in blocks_of(page):
        if language == "python":
            assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.long
@pytest.mark.usefixtures("_own_options")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem not in UNTESTED], ids=lambda page: page.stem
)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    module = ModuleType(f"how_to_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where dataclasses look
    ran = 0
    for language, text in blocks_of(page):
        if language == "python":
            exec(compile(text, page.name, "exec"), module.__dict__)
            ran += 1
        elif language == "sh":
            run_commands(text)
    assert ran
    assert capsys.readouterr().out
