"""Buckets to test with: in memory, with machines that share them, and faults on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from cranfield.workbench.store import store as store_module
from cranfield.workbench.store.store import Entry, Store

memory: Any = pytest.importorskip("fsspec.implementations.memory").MemoryFileSystem

ADDRESS = "memory://lab/runs"
INPUTS = {"data": "ab", "seed": 0}

Machine = Callable[[], Path]


def entry(number: float = 1.0) -> Entry:
    """An entry of 8,000 bytes and a header."""
    return Entry({"numbers": np.full(1000, number)}, {"number": number})


def never() -> NoReturn:
    """Something that need not be computed."""
    raise AssertionError("computed")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Go to another machine, which has nothing yet: the folder of its caches."""

    def other() -> Path:
        caches = tmp_path / f"machine {os.urandom(4).hex()}"
        monkeypatch.setenv("XDG_CACHE_HOME", str(caches))
        return caches

    return other


@pytest.fixture
def bucket(machine: Machine) -> Iterator[None]:
    """An empty bucket at ``ADDRESS``, and a machine."""
    memory.store.clear()
    machine()
    yield
    memory.store.clear()


def contents() -> dict[str, bytes]:
    """What is in the bucket, by the names of its files."""
    top = f"/{ADDRESS.partition('://')[2]}/"
    return {path.removeprefix(top): each.getvalue() for path, each in memory.store.items()}


def overwrite(name: str, content: bytes) -> None:
    """Put something else into a file of the bucket."""
    memory().pipe_file(f"{ADDRESS}/{name}", content)


def entries_in(folder: Path) -> list[str]:
    """The names of the entries in a folder."""
    return sorted(path.name for path in folder.rglob("*.entry"))


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """A method of a filesystem that does not work."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


def filled(seeds: int = 1) -> str:
    """A bucket with entries; the name of the last."""
    store = Store(ADDRESS)
    for seed in range(seeds):
        store.fetch("fit", {"seed": seed}, lambda: entry(seed))  # noqa: B023
    store.upload()
    return name_of(store, "fit", {"seed": seeds - 1})


def name_of(store: Store, kind: str, inputs: dict[str, Any]) -> str:
    key = store.key(kind, inputs)
    return f"{kind}/{key[:2]}/{key}.entry"


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a store has had computed."""
    found, before = list[str](), store_module.coded

    def noting(made: Any, coding: Any) -> Any:
        found.append(type(made).__name__)
        return before(made, coding)

    monkeypatch.setattr(store_module, "coded", noting)
    return found
