"""A bucket that is damaged, out of reach or read-only: no half entry, and no work lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bucket_cases import (
    ADDRESS,
    INPUTS,
    Machine,
    bucket,
    contents,
    entry,
    filled,
    machine,
    memory,
    name_of,
    never,
    overwrite,
    raising,
)
from cranfield.base.errors import BadStore, MissingLibrary
from cranfield.workbench.store import bucket as bucket_module
from cranfield.workbench.store.address import Address
from cranfield.workbench.store.store import Store

__all__ = ["bucket", "machine"]

pytestmark = pytest.mark.usefixtures("bucket")


def half(put: Callable[..., None], error: BaseException) -> Callable[..., None]:
    """A transfer that ends after half of the file."""

    def transfer(self: Any, source: str, target: str, **_: Any) -> None:
        put(self, source, target)
        path = Path(target)
        if put.__name__ == "get_file":
            path.write_bytes(path.read_bytes()[:4000])
        else:
            self.pipe_file(target, self.cat_file(target)[:4000])
        raise error

    return transfer


@pytest.mark.parametrize("error", [OSError("cut off"), SystemExit()], ids=repr)
def test_an_upload_that_ends_half_way_leaves_no_entry(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = list[str]()
    store = Store(ADDRESS, say=said.append)
    store.fetch("fit", INPUTS, entry)
    with monkeypatch.context() as cut:
        cut.setattr(memory, "put_file", half(memory.put_file, error))
        if isinstance(error, OSError):
            store.upload()
        else:
            with pytest.raises(SystemExit):
                store.upload()
    assert not [name for name in contents() if name.endswith(".entry")]
    assert not Store(ADDRESS).has("hits", INPUTS)
    wanted = "cannot be written (cut off). What is computed stays here."
    assert said == ([f"{ADDRESS}: {wanted}"] if isinstance(error, OSError) else [])
    Store(ADDRESS).upload()
    assert name_of(store, "fit", INPUTS) in contents()


@pytest.mark.parametrize("error", [OSError("cut off"), SystemExit()], ids=repr)
def test_a_download_that_ends_half_way_leaves_no_entry(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, machine: Machine
) -> None:
    filled()
    caches, said = machine(), list[str]()
    store = Store(ADDRESS, say=said.append)
    with monkeypatch.context() as cut:
        cut.setattr(memory, "get_file", half(memory.get_file, error))
        if isinstance(error, OSError):
            assert store.fetch("fit", {"seed": 0}, lambda: entry(5)).facts == {"number": 5}
            assert said == [f"{ADDRESS}: cannot be read (cut off). Only local copies are used."]
        else:
            with pytest.raises(SystemExit):
                store.fetch("fit", {"seed": 0}, never)
            assert [path for path in caches.rglob("*") if path.is_file()] == []
    assert list(caches.rglob("*.part")) == []
    number = 5 if isinstance(error, OSError) else 0
    assert Store(ADDRESS).fetch("fit", {"seed": 0}, never).facts == {"number": number}


@pytest.mark.parametrize("cut", [0, 100, 5000])
def test_a_damaged_object_is_said_and_replaced(cut: int, machine: Machine) -> None:
    name, said = filled(), list[str]()
    whole = contents()[name]
    overwrite(name, whole[:cut])
    machine()
    store = Store(ADDRESS, say=said.append)
    assert store.fetch("fit", {"seed": 0}, lambda: entry(0)).facts == {"number": 0}
    assert len(said) == 1
    assert said[0].startswith(f"{ADDRESS}/{name}: damaged (")
    assert said[0].endswith("). It is recomputed and replaced.")
    store.upload()
    assert contents() == {name: whole}
    assert store.fetch("fit", {"seed": 0}, never).facts == {"number": 0}


def test_a_damaged_copy_is_brought_anew(machine: Machine) -> None:
    name, said = filled(), list[str]()
    store = Store(ADDRESS, say=said.append)
    assert store.folder is not None
    (store.folder / name).write_bytes(b"")
    assert store.fetch("fit", {"seed": 0}, never).facts == {"number": 0}
    assert "damaged" in said[0]


def test_an_entry_of_other_inputs_is_not_taken(machine: Machine) -> None:
    name, said = filled(2), list[str]()
    store = Store(ADDRESS, say=said.append)
    overwrite(name_of(store, "fit", {"seed": 0}), contents()[name])
    machine()
    store = Store(ADDRESS, say=said.append)
    assert store.fetch("fit", {"seed": 0}, lambda: entry(0)).facts == {"number": 0}
    assert "other inputs" in said[0]


def test_an_object_that_was_removed_since_it_was_listed_is_computed(machine: Machine) -> None:
    name, said = filled(), list[str]()
    machine()
    store = Store(ADDRESS, say=said.append)
    assert store.has("fit", {"seed": 0})
    memory().rm_file(f"{ADDRESS}/{name}")
    assert store.fetch("fit", {"seed": 0}, lambda: entry(7)).facts == {"number": 7}
    assert said == []


@pytest.mark.parametrize(
    "error", [OSError("no route to host"), RuntimeError("no route to host"), PermissionError("no")]
)
def test_a_bucket_out_of_reach_is_said_once_and_stops_nothing(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, asked = list[str](), list[int]()

    def fail(*_: object, **__: object) -> None:
        asked.append(1)
        raise error

    with monkeypatch.context() as away:
        for method in ("find", "get_file", "put_file", "mv", "makedirs"):
            away.setattr(memory, method, fail)
        store = Store(ADDRESS, say=said.append)
        store.connect()
        for seed in range(3):
            assert not store.has("fit", {"seed": seed})
            assert store.fetch("fit", {"seed": seed}, entry).facts == {"number": 1}
            assert store.fetch("fit", {"seed": seed}, never).facts == {"number": 1}
        store.upload()
    assert said == [f"{ADDRESS}: cannot be read ({error}). Only local copies are used."]
    assert len(asked) == 1, "it is left alone"
    Store(ADDRESS).upload()
    assert len(contents()) == 3, "what was made meanwhile is sent later"


def test_a_bucket_that_is_lost_on_the_way_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said, now = list[str](), [0.0]
    store = Store(ADDRESS, say=said.append)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for method in ("find", "put_file"):
        monkeypatch.setattr(memory, method, raising(OSError("gone")))
    for hour in range(1, 4):
        now[0] = hour * 3600.0
        store.fetch("fit", {"seed": hour}, entry)
        now[0] += 1800
        store.upload()
    assert said == [
        f"{ADDRESS}: cannot be read (gone). Only local copies are used.",
        f"{ADDRESS}: cannot be written (gone). What is computed stays here.",
    ]


def test_a_bucket_is_tried_again_after_five_minutes(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled()
    machine()
    said, now = list[str](), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    store = Store(ADDRESS, say=said.append)
    with monkeypatch.context() as away:
        away.setattr(memory, "find", raising(OSError("gone")))
        assert not store.has("fit", {"seed": 0})
    found = []
    for now[0] in (299.0, 301.0):
        found.append(store.has("fit", {"seed": 0}))
    assert found == [False, True]
    assert len(said) == 1


def test_a_bucket_that_may_not_be_written_is_read(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(2)
    machine()
    said = list[str]()
    store = Store(ADDRESS, say=said.append)
    tried = list[str]()

    def refuse(_: object, source: str, __: str) -> None:
        tried.append(source)
        raise PermissionError("Access Denied")

    monkeypatch.setattr(memory, "put_file", refuse)
    monkeypatch.setattr(bucket_module, "_GATHERED", 0.0)
    assert store.fetch("fit", {"seed": 0}, never).facts == {"number": 0}
    for seed in (5, 6):
        store.fetch("fit", {"seed": seed}, entry)
    assert store.fetch("fit", {"seed": 1}, never).facts == {"number": 1}
    assert said == [f"{ADDRESS}: cannot be written (Access Denied). What is computed stays here."]
    assert len(tried) == 1


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "fsspec"]:
        monkeypatch.setitem(sys.modules, name, None)
    wanted = r"^a store at s3://lab needs cranfield\[cloud\]\. Install it: pip install"
    with pytest.raises(MissingLibrary, match=wanted):
        Store("s3://lab")
    with pytest.raises(MissingLibrary, match=r"pip install cranfield\[cloud\]$"):
        Store("memory://lab")


def test_a_missing_bucket_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """As object storage says it; elsewhere, a folder that is missing is made."""
    store = Store(ADDRESS)
    monkeypatch.setattr(memory, "find", raising(FileNotFoundError("no such bucket")))
    store.connect()
    monkeypatch.setattr(Address, "is_object_storage", True)
    with pytest.raises(BadStore, match=r"^memory://lab/runs: there is no such bucket\. Create it"):
        Store(ADDRESS).connect()


class NoCredentialsError(Exception):
    """As libraries of clouds name it."""


def test_missing_credentials_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "find", raising(NoCredentialsError("none found")))
    wanted = r"^memory://lab/runs: none found\. Set those that fsspec expects for memory\.$"
    with pytest.raises(BadStore, match=wanted):
        Store(ADDRESS).connect()
