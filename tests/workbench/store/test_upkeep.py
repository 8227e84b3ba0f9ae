"""What a store takes, what goes when it is pruned, and what is damaged."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from cranfield.base.errors import UnreadableFile
from cranfield.workbench.store.locks import holding
from cranfield.workbench.store.store import Entry, Store
from cranfield.workbench.store.upkeep import stored_entries

HOUR = 3600
DAY = 24 * HOUR


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder)


def fill(store: Store, kind: str, *ages: float) -> int:
    """Keep one entry for each age in days, with its place as seed; the bytes of each."""
    for seed, age in enumerate(ages):
        store.fetch(kind, {"seed": seed}, lambda: Entry({"numbers": np.zeros(1000)}))
        used = time.time() - age * DAY
        os.utime(path_of(store, kind, seed), (used, used))
    return path_of(store, kind, 0).stat().st_size


def path_of(store: Store, kind: str, seed: int) -> Path:
    assert store.folder is not None
    key = store.key(kind, {"seed": seed})
    return store.folder / kind / key[:2] / f"{key}.entry"


def left(store: Store, kind: str = "fit", of: int = 5) -> list[int]:
    return [seed for seed in range(of) if store.has(kind, {"seed": seed})]


def test_sizes_are_shown_by_kind(store: Store) -> None:
    one = fill(store, "hits", 3, 1)
    fill(store, "fit", 2)
    fit, hits = store.sizes()
    assert (fit.kind, fit.entries, fit.bytes) == ("fit", 1, one)
    assert (hits.kind, hits.entries, hits.bytes) == ("hits", 2, 2 * one)
    assert hits.used == pytest.approx(time.time() - DAY, abs=60)


def test_the_least_recently_used_go_first(store: Store) -> None:
    one = fill(store, "fit", 3, 1, 5, 2, 4)
    removed = store.prune(keep=3 * one)
    assert left(store) == [0, 1, 3]
    assert (removed.entries, removed.bytes, removed.leftovers) == (2, 2 * one, 0)
    assert store.prune(keep=3 * one - 1).entries == 1
    assert left(store) == [1, 3]


def test_use_counts_and_not_only_making(store: Store) -> None:
    one = fill(store, "fit", 3, 2, 1)
    store.fetch("fit", {"seed": 0}, lambda: Entry({}))
    store.prune(keep=2 * one)
    assert left(store) == [0, 2]


def test_no_entry_outlives_a_more_recently_used_one(store: Store) -> None:
    """Were a large entry to go alone, an old small one could stay in its place."""
    store.fetch("fit", {"seed": 0}, lambda: Entry({"small": np.zeros(1)}))
    os.utime(path_of(store, "fit", 0), (0, 0))
    store.fetch("fit", {"seed": 1}, lambda: Entry({"large": np.zeros(10_000)}))
    store.prune(keep=5_000)
    assert left(store) == []


def test_what_was_not_used_for_days_goes(store: Store) -> None:
    one = fill(store, "fit", 3, 1, 5, 2, 4)
    assert store.prune(unused=2.5).entries == 3
    assert left(store) == [1, 3]
    fill(store, "hits", 9)
    assert store.prune(unused=2.5, keep=one).entries == 2
    assert (left(store), left(store, "hits")) == ([1], [])


def test_pruning_without_a_bound_empties_the_store(store: Store, folder: Path) -> None:
    fill(store, "fit", 0, 1)
    fill(store, "hits", 0)
    assert store.prune().entries == 3
    assert [path.name for path in folder.iterdir()] == ["locks"]
    fill(store, "fit", 0)
    assert left(store) == [0]


def test_files_of_others_are_never_touched(store: Store, folder: Path) -> None:
    fill(store, "fit", 0)
    name = path_of(store, "fit", 0).name
    others = [
        folder / "notes.txt",
        folder / "fit" / "ab" / "thesis.entry",
        folder / "fit" / ("ab" if name[:2] != "ab" else "cd") / name,
        folder / "fit" / "ab" / ".draft.part",
        folder / "locks" / "door.lock",
    ]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    assert store.prune().entries == 1
    assert all(path.read_text() == "mine" for path in others)


def test_what_killed_processes_left_is_removed(store: Store, folder: Path) -> None:
    fill(store, "fit", 0)
    entry = path_of(store, "fit", 0)
    aside = entry.with_name(f".{entry.stem}.0123abcd.part")
    aside.write_bytes(entry.read_bytes())
    stale = folder / "locks" / f"{'0' * 32}.lock"
    stale.touch()
    assert len(stored_entries(folder)) == 1, "a file aside is no entry"
    removed = store.prune(keep=10**9)
    assert (removed.entries, removed.leftovers) == (0, 1)
    assert not aside.exists()
    assert not stale.exists()
    assert entry.exists()


def test_a_file_that_is_being_written_is_left_alone_for_a_day(store: Store, folder: Path) -> None:
    fill(store, "fit", 0)
    entry = path_of(store, "fit", 0)
    aside = entry.with_name(f".{entry.stem}.0123abcd.part")
    aside.touch()
    with holding(folder, entry.stem):
        assert store.prune(keep=10**9).leftovers == 0
        assert aside.exists()
        os.utime(aside, (time.time() - 25 * HOUR,) * 2)
        assert store.prune(keep=10**9).leftovers == 1
        assert not aside.exists()


def test_checking_removes_the_damaged_alone(store: Store) -> None:
    one = fill(store, "fit", 0, 0, 0)
    path = path_of(store, "fit", 1)
    content = bytearray(path.read_bytes())
    content[-100] ^= 4
    path.write_bytes(content)
    removed = store.check()
    assert (removed.entries, removed.bytes) == (1, one)
    assert left(store) == [0, 2]


def test_an_entry_among_those_of_another_kind_is_damaged(store: Store, folder: Path) -> None:
    fill(store, "fit", 0)
    (folder / "fit").rename(folder / "hits")
    assert store.check().entries == 1


def test_a_folder_that_is_not_there_is_an_empty_store(store: Store, folder: Path) -> None:
    assert store.sizes() == []
    assert store.prune().entries == store.check().entries == 0
    assert not folder.exists()


def refuse(path: Path, *_: object, **__: object) -> NoReturn:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def test_what_may_not_be_read_is_counted_and_stays(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, "fit", 0, 0)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        checked = store.check()
    assert (checked.entries, checked.unreadable) == (0, 2)
    assert left(store) == [0, 1]


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_folder_that_may_not_be_read_is_an_error(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, level: int
) -> None:
    fill(store, "fit", 0)
    entry = path_of(store, "fit", 0)
    closed, list_folder = entry.parents[2 - level], Path.iterdir

    def listed(path: Path) -> Iterator[Path]:
        return refuse(path) if path == closed else list_folder(path)

    monkeypatch.setattr(Path, "iterdir", listed)
    for act in (store.sizes, store.check, store.prune):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            act()
    assert entry.exists()


def test_marks_of_killed_drivers_go_after_a_day(tmp_path: Path) -> None:
    old, new = tmp_path / ".shared-0123", tmp_path / ".shared-4567"
    for path in (old, new):
        path.touch()
    a_day_ago = time.time() - 25 * 60 * 60
    os.utime(old, (a_day_ago, a_day_ago))
    assert Store(tmp_path).prune(unused=1).leftovers == 1
    assert (old.exists(), new.exists()) == (False, True)
