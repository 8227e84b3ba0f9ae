"""The documentation site: every page has its place, and it builds without a warning."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from cranfield.view.glossary import glossary

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = {f"tutorials/{path.stem}" for path in (ROOT / "examples").glob("*.md")}
FOLDERS = ("concepts", "how-to")
SECTIONS = (
    "start", "tutorials", "how-to", "concepts", "reference", "papers", "performance", "reliability",
    "about",
)  # fmt: skip
PAGES = (
    {path.stem for path in DOCS.glob("*.md")}
    | {f"{folder}/{path.stem}" for folder in FOLDERS for path in (DOCS / folder).glob("*.md")}
    | NOTEBOOKS
)


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


def test_the_sections_stand_in_the_order_of_the_navigation() -> None:
    assert tuple(contents_of("index")) == SECTIONS


@pytest.mark.parametrize("page", sorted(PAGES - NOTEBOOKS))
def test_every_link_between_files_leads_to_one_and_to_a_heading_of_it(page: str) -> None:
    path = DOCS / f"{page}.md"
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text("utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not link.startswith(("http", "mailto:")):
            file, _, anchor = link.partition("#")
            there = (path.parent / file).resolve() if file else path
            if "tutorials" in there.parts:
                there = ROOT / "examples" / there.name
            assert there.exists(), link
            assert not anchor or anchor in anchors_of(there), link


def anchors_of(path: Path) -> set[str]:
    """The places of a page that links can name: its headings, as GitHub and MyST write them."""
    headings = re.findall(r"^#{1,3} (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.strip().lower()) for heading in headings)
    found: Counter[str] = Counter()
    anchors = set()
    for anchor in (heading.replace(" ", "-") for heading in plain):
        anchors.add(f"{anchor}-{found[anchor]}" if found[anchor] else anchor)
        found[anchor] += 1
    return anchors


def test_the_landing_page_leads_to_every_notebook() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    links = set(re.findall(r"^:link: (\S+)$", text, flags=re.MULTILINE))
    assert links == NOTEBOOKS | {"how-to", "concepts"}


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
    text = [
        (
            "[a](../docs/4-scoring.md#decisions) [b](own-runs.md) [c](../CONTRIBUTING.md) "
            "[d](../../CONTRIBUTING.md#habits) [e](../examples/own-runs.md) "
            "[f](../../examples/own-runs.md) [g](../examples/hydra/evaluate.py)"
        )
    ]
    configuration["follow_links"](None, "page", text)
    assert text == [
        (
            "[a](../4-scoring.md#decisions) [b](own-runs.md) [c](contributing.md) "
            "[d](../contributing.md#habits) [e](tutorials/own-runs.md) "
            "[f](../tutorials/own-runs.md) [g](../examples/hydra/evaluate.py)"
        )
    ]


def test_pictures_become_part_of_the_page(configuration: dict[str, Any]) -> None:
    text = ["Before.\n\n![A road](concepts/pictures/road.svg)\n\nAfter ![x](report.png)."]
    configuration["draw_pictures"](None, "concepts", text)
    assert '<figure><svg xmlns="http://www.w3.org/2000/svg" class="picture"' in text[0]
    assert text[0].startswith("Before.\n\n```{raw} html\n<figure>")
    assert text[0].endswith("</figure>\n```\n\nAfter ![x](report.png).")


@pytest.fixture
def gallery() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "gallery.py"))


def test_a_report_of_the_gallery_is_made_once(gallery: dict[str, Any], tmp_path: Path) -> None:
    wanted = {"small": ("run", "examples/experiment.yaml")}
    folder = tmp_path / "gallery"
    assert gallery["build"](folder, wanted) == ["small"]
    assert "<h1>" in (folder / "reports" / "small.html").read_text(encoding="utf-8")
    assert gallery["build"](folder, wanted) == []


def test_the_gallery_shows_every_report_that_is_built(gallery: dict[str, Any]) -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r'<iframe [^>]*src="reports/([a-z]+)\.html"', text)
    assert shown == list(gallery["REPORTS"])
    assert shown == re.findall(r'href="reports/([a-z]+)\.html"', text)
    for command in gallery["REPORTS"].values():
        quoted = " ".join(f'"{word}"' if " " in word else word for word in command)
        assert f"`cranfield {quoted} --out" in text


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
    text = (tmp_path / "site" / "glossary.html").read_text(encoding="utf-8")
    assert all(f'id="{term.anchor}"' in text for term in glossary())
    for name in ("demo", "coverage", "reproduction"):
        assert (tmp_path / "site" / "reports" / f"{name}.html").exists()
    for page in NOTEBOOKS:
        text = (tmp_path / "site" / f"{page}.html").read_text(encoding="utf-8")
        assert 'class="cranfield"' in text
