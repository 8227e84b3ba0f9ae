"""The documentation site: every page has its place, and it builds without a warning."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = {f"tutorials/{path.stem}" for path in (ROOT / "examples").glob("*.md")}
PAGES = {path.stem for path in DOCS.glob("*.md")} | NOTEBOOKS


def contents_of(page: str) -> list[str]:
    """The pages that a page lists in its table of contents."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    listed = re.findall(r"^```\{toctree\}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for each in listed for line in each.splitlines()]
    entries = [line for line in lines if line and not line.startswith(":")]
    return [entry.removesuffix(">").rpartition("<")[2] for entry in entries]


def test_every_page_and_notebook_has_one_place_on_the_site() -> None:
    listed = [name for page in PAGES - NOTEBOOKS for name in contents_of(page)]
    assert sorted(listed) == sorted(PAGES - {"index"})


def test_the_landing_page_leads_to_every_notebook() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^:link: (\S+)$", text, flags=re.MULTILINE)) == NOTEBOOKS


def test_the_python_of_the_landing_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "index.md", "exec"), names)
    assert len(names["results"].designs) == 6
    assert (tmp_path / "report.html").exists()


@pytest.fixture(scope="module")
def configuration() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "conf.py"))


def test_notebooks_are_copied_once_and_forgotten_with_their_source(
    configuration: dict[str, Any], tmp_path: Path
) -> None:
    source, target = tmp_path / "examples", tmp_path / "tutorials"
    source.mkdir()
    for name in ("a.md", "b.md"):
        (source / name).write_text(f"# {name}", encoding="utf-8")
    configuration["gather_notebooks"](source, target)
    before = (target / "a.md").stat().st_mtime_ns
    (source / "b.md").unlink()
    (source / "c.md").write_text("# c", encoding="utf-8")
    configuration["gather_notebooks"](source, target)
    assert sorted(path.name for path in target.iterdir()) == ["a.md", "c.md"]
    assert (target / "a.md").stat().st_mtime_ns == before
    assert (target / "c.md").read_text(encoding="utf-8") == "# c"


def test_links_between_files_become_links_between_pages(configuration: dict[str, Any]) -> None:
    text = ["[a](../docs/4-scoring.md#decisions) [b](own-runs.md) [c](../CONTRIBUTING.md)"]
    configuration["follow_links"](None, "page", text)
    assert text == ["[a](../4-scoring.md#decisions) [b](own-runs.md) [c](contributing.md)"]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("myst_nb") is None, reason="the extra docs is not installed")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html"]
    done = subprocess.run(
        [*words, "-d", tmp_path / "read", DOCS, tmp_path / "site"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for page in PAGES | {"search"}:
        text = (tmp_path / "site" / f"{page}.html").read_text(encoding="utf-8")
        assert "<h1>" in text
        assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text), page
    for page in NOTEBOOKS:
        text = (tmp_path / "site" / f"{page}.html").read_text(encoding="utf-8")
        assert 'class="cranfield"' in text
