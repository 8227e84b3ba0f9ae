"""``cranfield store`` as a user meets it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from cranfield.workbench.cli.main import main
from cranfield.workbench.store.store import Entry, Store

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of three entries of 8,000 + 192 bytes, the first of them last used in 1970."""
    folder = tmp_path / "store"
    monkeypatch.setenv("CRANFIELD_STORE", str(folder))
    store = Store(folder)
    for kind, seed in (("fit", 0), ("fit", 1), ("hits", 0)):
        store.fetch(kind, {"seed": seed}, lambda: Entry({"numbers": np.zeros(1000)}))
    os.utime(entry(folder, "fit", 0), (0, 0))
    return folder


def entry(folder: Path, kind: str, seed: int) -> Path:
    return next(folder.glob(f"{kind}/*/{Store(folder).key(kind, {'seed': seed})}.entry"))


def entries(folder: Path) -> int:
    return len(list(folder.rglob("*.entry")))


def shown(capsys: Captured, *arguments: str) -> list[str]:
    assert main(["store", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_store_is_shown_by_kind_and_in_all(folder: Path, capsys: Captured) -> None:
    title, heading, _, fit, hits, everything = shown(capsys)
    assert title == str(folder)
    assert heading.split() == ["kind", "entries", "size", "last", "used"]
    assert fit.split()[:4] == ["fit", "2", "16.4", "kB"]
    assert hits.split()[:4] == ["hits", "1", "8.2", "kB"]
    assert everything.split()[:4] == ["all", "3", "24.6", "kB"]


def test_an_empty_store_says_so(tmp_path: Path, capsys: Captured) -> None:
    place = str(tmp_path / "none")
    assert shown(capsys, "--store", place) == [f"{place}: nothing is cached"]
    assert not Path(place).exists()


def test_pruning_removes_everything(folder: Path, capsys: Captured) -> None:
    assert shown(capsys, "--prune") == [
        "3 entries (24.6 kB) removed",
        f"{folder}: nothing is cached",
    ]
    assert entries(folder) == 0


def test_pruning_keeps_a_size_of_the_most_recently_used(folder: Path, capsys: Captured) -> None:
    oldest = entry(folder, "fit", 0)
    assert shown(capsys, "--prune", "--keep", "20kB")[0] == "1 entry (8.2 kB) removed"
    assert entries(folder) == 2
    assert not oldest.exists()
    assert shown(capsys, "--prune", "--keep", "1 GiB")[0] == "0 entries removed"


def test_pruning_removes_what_was_not_used_for_days(folder: Path, capsys: Captured) -> None:
    aside = entry(folder, "fit", 1).with_name(f".{'0' * 32}.01234567.part")
    aside.touch()
    assert shown(capsys, "--prune", "--unused", "30")[0] == (
        "1 entry (8.2 kB) removed, and 1 file that a killed run had left"
    )
    assert entries(folder) == 2


def test_checking_removes_what_is_damaged(folder: Path, capsys: Captured) -> None:
    entry(folder, "hits", 0).write_bytes(b"")
    assert shown(capsys, "--check")[0] == "1 entry (0 B) was damaged and removed"
    assert entries(folder) == 2
    assert shown(capsys, "--check")[0] == "0 entries were damaged and removed"


def test_programs_get_all_figures(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "store.json"
    bytes_each = entry(folder, "fit", 0).stat().st_size
    shown(capsys, "--check", "--prune", "--unused", "1", "--json", str(out))
    content = json.loads(out.read_text())
    kinds = content.pop("kinds")
    assert content == {
        "folder": str(folder),
        "damaged": {"entries": 0, "bytes": 0},
        "unreadable": 0,
        "removed": {"entries": 1, "bytes": bytes_each, "leftovers": 0},
    }
    assert [(each["kind"], each["entries"], each["bytes"]) for each in kinds] == [
        ("fit", 1, bytes_each),
        ("hits", 1, bytes_each),
    ]
    assert all(each["last_used"].endswith("+00:00") for each in kinds)


@pytest.mark.parametrize("bound", [["--keep", "5GB"], ["--unused", "3"]])
def test_a_bound_without_pruning_is_refused(
    folder: Path, capsys: Captured, bound: list[str]
) -> None:
    assert main(["store", *bound]) == 1
    assert "give --prune too" in capsys.readouterr().err
    assert entries(folder) == 3


@pytest.mark.parametrize(
    "wrong",
    [["--keep", "5 parsecs"], ["--keep", "-1"], ["--keep", ""], ["--unused", "nan"],
     ["--unused", "-1"], ["--unused", "long"]],
)  # fmt: skip
def test_sizes_and_days_that_are_none_are_refused(
    folder: Path, capsys: Captured, wrong: list[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["store", "--prune", *wrong])
    assert capsys.readouterr().err.count("\n") == 1
    assert entries(folder) == 3


def test_a_file_is_no_store(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["store", "--store", str(tmp_path / "file"), "--prune"]) == 1
    assert "is a file, not a folder" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_may_not_be_read_is_not_called_empty(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert main(["store"]) != 0
    shown = capsys.readouterr()
    assert f"{folder}: cannot be read (Permission denied)." in shown.err
    assert "nothing is cached" not in shown.out


def test_entries_that_may_not_be_read_are_counted_apart(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        damaged, unreadable, *_ = shown(capsys, "--check")
    assert damaged == "0 entries were damaged and removed"
    assert unreadable == "3 entries could not be read"
    assert entries(folder) == 3
