"""Folders that are replaced: old or new files stand whole at any kill, and are restored."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from cranfield.base.errors import OutputError
from cranfield.base.folders import restore_folder, writing_folder

OLD = {"a.txt": "old", "b.txt": "old", "sub/c.txt": "old", "sub/d.txt": "old"}
NEW = {"a.txt": "new", "sub/c.txt": "new", "sub/e.txt": "new", "f.txt": "new"}
MINE = {"notes.md": "mine", "own/data.txt": "mine"}
PATTERNS = ("a.txt", "b.txt", "f.txt", "sub")

PROGRAM = f"""
PATTERNS, NEW = {PATTERNS!r}, {NEW!r}
import os, signal, sys
from pathlib import Path
from cranfield.base.folders import writing_folder

CHANGES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "open")

def killed_at(place, number):
    made = 0
    def hook(event, args):
        nonlocal made
        made += event in CHANGES
        if made == number:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    with writing_folder(place / str(number) / "out", replaces=PATTERNS) as aside:
        for name, text in NEW.items():
            (aside / name).parent.mkdir(exist_ok=True)
            (aside / name).write_text(text)
    os._exit(0)

for number in range(1, 200):
    child = os.fork()
    if child == 0:
        killed_at(Path(sys.argv[1]), number)
    if os.waitpid(child, 0)[1] == 0:
        print(number)
        break
"""
"""Writes a folder in processes that are killed before the first change of a file, the second, …"""


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def held(folder: Path) -> dict[str, str]:
    """What is in a folder, but for what is still being written."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".cranfield")
    }


def refuse(*_: object) -> None:
    raise PermissionError


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be killed so there")
@pytest.mark.skipif(
    int(version("polars").partition(".")[0]) < 2, reason="a fork of Polars 1 waits for its threads"
)
def test_old_or_new_files_stand_whole_at_any_kill(tmp_path: Path) -> None:
    for number in range(1, 200):
        fill(tmp_path / str(number) / "out", OLD | MINE)
    words = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    kills = int(subprocess.run(words, check=True, capture_output=True).stdout)
    assert 20 < kills < 200
    seen = {state_of(tmp_path / str(number)) for number in range(1, kills + 1)}
    assert seen == {"old", "sibling", "new"}
    for number in range(1, kills + 1):
        place = tmp_path / str(number)
        restore_folder(place / "out")
        assert held(place / "out") in (OLD | MINE, NEW | MINE)
        with writing_folder(place / "out", replaces=PATTERNS) as aside:
            fill(aside, NEW)
        assert held(place / "out") == NEW | MINE
        assert [path.name for path in place.iterdir()] == ["out"]
        assert not list(place.rglob(".cranfield*"))


def state_of(place: Path) -> str:
    """Where the files stand whole."""
    found = held(place / "out")
    if found in (OLD | MINE, NEW | MINE):
        return found["a.txt"]
    assert held(place / "out.cranfield-new") == NEW
    assert {name: text for name, text in found.items() if name in MINE} == MINE
    return "sibling"


def test_a_restored_folder_stays_as_it_is(tmp_path: Path) -> None:
    fill(tmp_path / "out", OLD)
    restore_folder(tmp_path / "out")
    restore_folder(tmp_path / "absent")
    assert held(tmp_path / "out") == OLD
    assert not (tmp_path / "absent").exists()


def test_files_are_copied_where_there_are_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "out", OLD | MINE)
    monkeypatch.setattr(os, "link", refuse)
    with writing_folder(tmp_path / "out", replaces=PATTERNS) as aside:
        fill(aside, NEW)
    assert held(tmp_path / "out") == NEW | MINE


def test_new_files_that_cannot_be_put_in_place_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "out.cranfield-new", NEW | {".cranfield-replaces": ""})
    fill(tmp_path / "out", OLD)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        with pytest.raises(OutputError, match=r"out\.cranfield-new holds its new files"):
            restore_folder(tmp_path / "out")
    restore_folder(tmp_path / "out")
    assert held(tmp_path / "out") == OLD | NEW
