"""What the README shows is true: its Python runs, its commands exist, its pages are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    verdict, value = capsys.readouterr().out.splitlines()
    assert "designs" in verdict
    assert 0 < float(value) < 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    shown = re.findall(r"^(?:\$ )?cranfield ([a-z]+)", page.read_text("utf-8"), flags=re.MULTILINE)
    assert set(shown) <= set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_that_is_linked_exists(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link
