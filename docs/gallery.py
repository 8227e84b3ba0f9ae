"""Builds the reports of the gallery, which the site shows as they are.

    python docs/gallery.py

They are written into build/gallery/reports, from definitions in examples/ and of the package. A
report is made again only if the program or its definition has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from cranfield.workbench.cli.main import main

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "build" / "gallery"

REPORTS = {
    "demo": ("run", "examples/demo.toml"),
    "coverage": ("run", "examples/unscored-and-coverage.toml"),
    "reproduction": ("reproduce", "canamares2020", "Table 4", "--small"),
}
"""The commands that make them; the folder and the store are added."""


def build(gallery: Path = GALLERY, reports: dict[str, tuple[str, ...]] = REPORTS) -> list[str]:
    """Make what is missing or out of date, and say what was made."""
    (gallery / "reports").mkdir(parents=True, exist_ok=True)
    made = []
    for name, command in reports.items():
        page, mark = gallery / "reports" / f"{name}.html", gallery.with_name(f"{name}.sha256")
        wanted = fingerprint(command)
        if not (page.exists() and mark.exists() and mark.read_text("utf-8") == wanted):
            make(command, page)
            mark.write_text(wanted, encoding="utf-8")
            made.append(name)
    return made


def make(command: tuple[str, ...], page: Path) -> None:
    """Run a command and keep the page that it writes."""
    words = [str(ROOT / each) if each.startswith("examples/") else each for each in command]
    with TemporaryDirectory() as folder:
        left = main([*words, "--out", folder, "--store", "none", "--progress", "none"])
        if left:
            raise SystemExit(left)
        (written,) = Path(folder).glob("re*.html")
        copyfile(written, page)


def fingerprint(command: tuple[str, ...]) -> str:
    """What a report depends on: the command, its definition and the program."""
    found = sha256(repr(command).encode())
    for path in _sources(command):
        found.update(path.read_bytes())
    return found.hexdigest()


def _sources(command: tuple[str, ...]) -> Iterator[Path]:
    yield from (ROOT / each for each in command if each.startswith("examples/"))
    package = ROOT / "src" / "cranfield"
    yield from sorted(path for path in package.rglob("*") if path.suffix in (".py", ".css", ".js"))


if __name__ == "__main__":
    build()
