"""A bucket in order: what it holds, what goes by when it was written, what is damaged."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bucket_cases import (
    ADDRESS,
    Machine,
    bucket,
    contents,
    entries_in,
    entry,
    filled,
    machine,
    memory,
    name_of,
    overwrite,
    raising,
)
from cranfield.base.errors import OutputError, UnreadableFile
from cranfield.workbench.cli.main import main
from cranfield.workbench.store.store import Store

__all__ = ["bucket", "machine"]

pytestmark = pytest.mark.usefixtures("bucket")

Captured = pytest.CaptureFixture[str]


def aged(name: str, days: float) -> None:
    """Let a file of the bucket be written so many days ago."""
    memory.store[f"/lab/runs/{name}"].created = datetime.now(tz=UTC) - timedelta(days=days)


@pytest.fixture
def names() -> list[str]:
    """Three entries, written 5, 1 and 3 days ago; on this machine, all were used just now."""
    filled(3)
    found = [name_of(Store(ADDRESS), "fit", {"seed": seed}) for seed in range(3)]
    for name, days in zip(found, (5, 1, 3), strict=True):
        aged(name, days)
    return found


def test_sizes_are_those_of_the_bucket(names: list[str], machine: Machine) -> None:
    Store(ADDRESS).fetch("hits", {}, entry)  # not sent yet
    machine()
    (fit,) = Store(ADDRESS).sizes()
    assert (fit.kind, fit.entries, fit.bytes) == ("fit", 3, sum(map(len, contents().values())))
    assert fit.used == pytest.approx(datetime.now(tz=UTC).timestamp() - 86400, abs=60)


def test_pruning_counts_days_since_writing(names: list[str]) -> None:
    store = Store(ADDRESS)
    removed = store.prune(unused=2)
    assert (removed.entries, removed.leftovers) == (2, 0)
    assert list(contents()) == [names[1]]
    assert store.folder is not None
    assert entries_in(store.folder) == [Path(names[1]).name]
    assert [store.has("fit", {"seed": seed}) for seed in range(3)] == [False, True, False]


def test_pruning_keeps_what_was_written_last(names: list[str]) -> None:
    size = len(contents()[names[0]])
    removed = Store(ADDRESS).prune(keep=2 * size)
    assert (removed.entries, removed.bytes) == (1, size)
    assert sorted(contents()) == sorted(names[1:])


def test_pruning_everything_leaves_nothing_anywhere(names: list[str], machine: Machine) -> None:
    other = machine()
    assert Store(ADDRESS).prune().entries == 3
    assert contents() == {}
    assert entries_in(other) == []


def test_pruning_leaves_what_is_not_ours(names: list[str]) -> None:
    overwrite("readme.txt", b"mine")
    Store(ADDRESS).prune()
    assert contents() == {"readme.txt": b"mine"}


def test_pruning_removes_what_killed_uploads_left_after_a_day(names: list[str]) -> None:
    folder, name = names[0].rsplit("/", 1)
    asides = [f"{folder}/.{name.removesuffix('.entry')}.0123456{each}.part" for each in range(2)]
    for aside in asides:
        overwrite(aside, b"half")
    aged(asides[0], 1.5)
    assert Store(ADDRESS).prune(unused=100).leftovers == 1
    assert set(contents()) == {*names, asides[1]}


def test_old_marks_of_entries_that_are_gone_are_removed() -> None:
    store = Store(ADDRESS)
    assert store.folder is not None
    for seed in range(3):
        store.fetch("fit", {"seed": seed}, entry)
    marks = sorted((store.folder / "unsent").iterdir())
    for mark in marks[:2]:
        os.utime(mark, (0, 0))
    for mark in marks[1:]:
        next(store.folder.rglob(f"{mark.stem}.entry")).unlink()
    Store(store.folder).prune(unused=1)
    assert sorted((store.folder / "unsent").iterdir()) == [marks[0], marks[2]]


def test_checking_reads_every_object(names: list[str], machine: Machine) -> None:
    here = Store(ADDRESS)
    machine()
    there = Store(ADDRESS)
    assert there.check().entries == 0
    overwrite(names[1], contents()[names[1]][:-1])
    removed = there.check()
    assert (removed.entries, removed.unreadable) == (1, 0)
    assert sorted(contents()) == sorted([names[0], names[2]])
    assert there.folder is not None
    assert entries_in(there.folder) == [], "nothing is left of what was read"
    assert here.check().entries == 0


def test_checking_reads_local_copies_too(names: list[str]) -> None:
    store = Store(ADDRESS)
    assert store.folder is not None
    (store.folder / names[2]).write_bytes(b"")
    assert store.check().entries == 1
    assert not (store.folder / names[2]).exists()
    assert names[2] in contents()


def test_objects_that_may_not_be_read_are_counted_and_stay(
    names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "get_file", raising(PermissionError("Access Denied")))
    found = Store(ADDRESS).check()
    assert (found.entries, found.unreadable) == (0, 3)
    assert sorted(contents()) == sorted(names)


def test_a_bucket_out_of_reach_is_not_called_empty(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(memory, "find", raising(OSError("no route to host")))
    with pytest.raises(UnreadableFile, match=r"^memory://lab/runs: cannot be read \(no route"):
        Store(ADDRESS, say=lambda _: None).sizes()
    assert main(["store", "--store", ADDRESS]) != 0
    assert "nothing is cached" not in capsys.readouterr().out


def test_what_may_not_be_removed_is_said(names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "rm", raising(PermissionError("Access Denied")))
    with pytest.raises(OutputError, match=r"memory://lab/runs: .*\(Access Denied\)"):
        Store(ADDRESS).prune()


def test_the_command_shows_the_bucket_and_where_copies_are(
    names: list[str], capsys: Captured, tmp_path: Path
) -> None:
    out = tmp_path / "store.json"
    assert main(["store", "--store", f"{ADDRESS}/", "--json", str(out)]) == 0
    title, heading, _, fit, _, copies = capsys.readouterr().out.splitlines()
    assert title == ADDRESS
    assert heading.split() == ["kind", "entries", "size", "last", "written"]
    assert fit.split()[:2] == ["fit", "3"]
    assert copies == f"local copies: {Store(ADDRESS).folder}"
    content = json.loads(out.read_text())
    assert content["folder"] == ADDRESS
    assert content["kinds"][0].keys() == {"kind", "entries", "bytes", "last_written"}


def test_the_command_prunes_and_checks_the_bucket(
    names: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD_STORE", ADDRESS)
    overwrite(names[0], b"")
    assert main(["store", "--check"]) == 0
    assert capsys.readouterr().out.startswith("1 entry (0 B) was damaged and removed\n")
    assert main(["store", "--prune", "--unused", "2"]) == 0
    assert capsys.readouterr().out.startswith("1 entry (8.2 kB) removed\n")
    assert list(contents()) == [names[1]]
