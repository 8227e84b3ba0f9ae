"""A store in a bucket: machines share what they make."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bucket_cases import (
    ADDRESS,
    INPUTS,
    Machine,
    bucket,
    contents,
    entries_in,
    entry,
    filled,
    machine,
    memory,
    name_of,
    never,
    overwrite,
    raising,
)
from cranfield.workbench.store import bucket as bucket_module
from cranfield.workbench.store.store import Store

__all__ = ["bucket", "machine"]

pytestmark = pytest.mark.usefixtures("bucket")


def test_an_entry_is_the_same_file_in_the_bucket_as_in_a_folder(tmp_path: Path) -> None:
    name = filled()
    Store(tmp_path).fetch("fit", {"seed": 0}, lambda: entry(0))
    assert contents() == {name: (tmp_path / name).read_bytes()}


def test_another_machine_computes_nothing(machine: Machine) -> None:
    filled(3)
    caches = machine()
    store = Store(ADDRESS)
    assert store.has("fit", {"seed": 2})
    assert entries_in(caches) == []
    for seed in range(3):
        found = store.fetch("fit", {"seed": seed}, never)
        np.testing.assert_array_equal(found.arrays["numbers"], np.full(1000, float(seed)))
    assert len(entries_in(caches)) == 3


def test_what_is_looked_up_comes_from_the_bucket_too(machine: Machine) -> None:
    Store(ADDRESS).note("fit-time", INPUTS, {"seconds": 2.0})
    Store(ADDRESS).upload()
    machine()
    assert Store(ADDRESS).noted("fit-time", INPUTS) == {"seconds": 2.0}
    assert Store(ADDRESS).noted("fit-time", {"seed": 1}) is None


def test_what_is_here_is_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    filled()
    monkeypatch.setattr(memory, "get_file", raising(AssertionError("downloaded")))
    assert Store(ADDRESS).fetch("fit", {"seed": 0}, never).facts == {"number": 0}


def test_kinds_that_are_not_cached_are_not_looked_for() -> None:
    filled()
    store = Store(ADDRESS, uncached=("fit",))
    assert not store.has("fit", {"seed": 0})
    assert not store.bring("fit", {"seed": 0})
    assert store.fetch("fit", {"seed": 0}, lambda: entry(9)).facts == {"number": 9}


def test_entries_are_sent_together_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, before = list[str](), memory.put_file

    def put(self: Any, source: str, target: str, **more: Any) -> None:
        sent.append(Path(source).name)
        before(self, source, target, **more)

    monkeypatch.setattr(memory, "put_file", put)
    store = Store(ADDRESS)
    for seed in range(5):
        store.fetch("fit", {"seed": seed}, entry)
    assert sent == []
    monkeypatch.setattr(bucket_module, "_GATHERED", 0.0)
    store.fetch("fit", {"seed": 5}, entry)
    assert len(sent) == len(set(sent)) == 6
    store.upload()
    Store(ADDRESS).upload()
    assert len(sent) == 6


def test_what_a_killed_run_had_not_sent_is_sent_by_the_next() -> None:
    Store(ADDRESS).fetch("fit", INPUTS, entry)
    assert contents() == {}
    Store(ADDRESS).upload()
    assert list(contents()) == [name_of(Store(ADDRESS), "fit", INPUTS)]


def test_a_mark_without_its_entry_is_left_to_who_is_writing_it() -> None:
    store = Store(ADDRESS)
    store.fetch("fit", INPUTS, entry)
    assert store.folder is not None
    path = store.folder / name_of(store, "fit", INPUTS)
    aside = path.rename(path.with_suffix(".later"))
    store.upload()
    assert contents() == {}
    aside.rename(path)
    store.upload()
    assert len(contents()) == 1


def test_a_listing_is_renewed_in_time(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine()
    here = Store(ADDRESS)
    assert not here.has("fit", {"seed": 0})
    machine()
    filled()
    assert not here.has("fit", {"seed": 0})
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    assert here.has("fit", {"seed": 0})


def test_two_buckets_have_their_own_copies(machine: Machine) -> None:
    caches = machine()
    for place in ("memory://lab/one", "memory://lab/two/"):
        store = Store(place)
        store.fetch("fit", INPUTS, entry)
        store.upload()
    assert len(list((caches / "cranfield" / "buckets").iterdir())) == 2
    assert Store("memory://lab/two").folder == Store("memory://lab/two/").folder
    assert len(memory.store) == 2


def test_files_of_others_are_no_entries() -> None:
    name = filled()
    key = name[-38:-6]
    for other in ("readme.txt", f"fit/{key}.entry", f"fit/zz/{key}.entry", f"deep/{name}"):
        overwrite(other, b"not ours")
    store = Store(ADDRESS)
    assert [each.name for each in store.bucket.files()] == [name]  # type: ignore[union-attr]


def test_a_file_address_is_a_bucket_too(tmp_path: Path, machine: Machine) -> None:
    address = f"file://{tmp_path / 'shared' / 'deep'}"
    store = Store(address)
    store.connect()
    store.fetch("fit", INPUTS, entry)
    store.upload()
    machine()
    assert Store(address).fetch("fit", INPUTS, never).facts == {"number": 1}
    files = [path for path in (tmp_path / "shared").rglob("*") if path.is_file()]
    assert files == [tmp_path / "shared" / "deep" / name_of(store, "fit", INPUTS)]


def test_a_store_in_a_folder_loads_nothing_for_buckets(tmp_path: Path) -> None:
    code = (
        "import sys; from cranfield.workbench.api import run; from cranfield.workbench.cli import "
        "store; from cranfield.workbench.store.store import Entry, Store\n"
        f"made = Store({str(tmp_path / 'store')!r})\n"
        "made.fetch('fit', {}, lambda: Entry({})); made.upload(); made.check(); made.prune()\n"
        "print(sorted({'fsspec', 's3fs'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
