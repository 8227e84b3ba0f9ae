"""What the README shows is true: its Python runs, its commands exist, its pages are there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_python_of_the_readme_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(code.splitlines()) <= 20
    exec(compile(code, "README.md", "exec"), {})
    verdict, summary, *rows = capsys.readouterr().out.splitlines()
    assert "designs" in verdict
    assert summary.startswith("Summary(2 systems")
    assert any(row.startswith("kNN") for row in rows)
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_the_readme_is_a_screen_and_a_half() -> None:
    assert len(README.splitlines()) <= 90
    assert max(map(len, README.splitlines())) <= 110


def test_every_make_target_that_is_shown_exists() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for page in PAGES:
        shown = re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE)
        assert set(shown) <= set(targets), page.name
    assert {"demo", "test"} <= set(re.findall(r"^make ([a-z-]+)", README, re.MULTILINE))


def test_extras_that_are_shown_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for page in PAGES:
        for extras in re.findall(r'pip install "[a-z.]+\[([a-z,]+)\]"', page.read_text("utf-8")):
            assert set(extras.split(",")) <= set(project["optional-dependencies"]), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    shown = re.findall(
        r"^(?:\$ )?cranfield ([a-z][a-z-]*)", page.read_text("utf-8"), flags=re.MULTILINE
    )
    assert set(shown) <= set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_that_is_linked_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    for link in re.findall(r"\]\(([^)#:]+)[)#]", text) + re.findall(r'<img src="([^"]+)"', text):
        assert (page.parent / link).exists(), link
