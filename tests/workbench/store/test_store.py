"""The store: what is cached comes back as it was, or is recomputed, whatever happened to it."""

from __future__ import annotations

import errno
import json
import os
import pickle
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import numba
import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_st

from cranfield.base.errors import OutputError
from cranfield.workbench.store import store as store_module
from cranfield.workbench.store.encoding import object_coding
from cranfield.workbench.store.entry import Damaged, read_entry, write_entry
from cranfield.workbench.store.locks import holding, lock_path
from cranfield.workbench.store.store import Entry, Store, default_folder
from suites import tries

INPUTS = {"data": "ab", "seed": 0}
PLAIN = st.one_of(
    arrays_st.boolean_dtypes(),
    arrays_st.integer_dtypes(endianness="?"),
    arrays_st.floating_dtypes(endianness="?"),
    arrays_st.complex_number_dtypes(),
    arrays_st.unicode_string_dtypes(),
    arrays_st.datetime64_dtypes(),
)
FACTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)

TEXT_KINDS = [np.dtypes.StringDType] if hasattr(np.dtypes, "StringDType") else []
"""The type of text of any length, which NumPy 2 has."""


class Maker:
    """Makes the same entry at every call, and counts the calls."""

    def __init__(self, entry: Entry | None = None) -> None:
        self.entry = entry or Entry({"ranks": np.array([3, 1, 2], np.int32)}, {"users": 3})
        self.calls = 0

    def __call__(self) -> Entry:
        self.calls += 1
        return self.entry


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def store(tmp_path: Path, said: list[str]) -> Store:
    return Store(tmp_path / "store", say=said.append)


def files(folder: Path, pattern: str = "*") -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def only_entry(store: Store) -> Path:
    assert store.folder is not None
    (path,) = files(store.folder, "*.entry")
    return path


def same_bits(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


@settings(deadline=None, max_examples=tries(80))
@given(
    arrays=st.dictionaries(
        st.text(max_size=5),
        arrays_st.arrays(PLAIN, arrays_st.array_shapes(min_dims=0, max_dims=3, min_side=0)),
        max_size=3,
    ),
    facts=st.dictionaries(st.text(max_size=5), FACTS, max_size=3),
)
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    arrays: dict[str, npt.NDArray[Any]],
    facts: dict[str, Any],
) -> None:
    path = tmp_path_factory.mktemp("entry") / "an.entry"
    write_entry(path, "fit", INPUTS, Entry(arrays, facts))
    read = read_entry(path, "fit", INPUTS)
    assert list(read.arrays) == list(arrays)
    assert all(same_bits(read.arrays[name], arrays[name]) for name in arrays)
    assert all(array.ctypes.data % 64 == 0 for array in read.arrays.values() if array.size)
    assert read.facts == facts
    assert path.stat().st_size % 64 == 0


def test_an_entry_just_made_looks_like_one_that_was_read(store: Store) -> None:
    grid = np.arange(6.0).reshape(2, 3)
    maker = Maker(
        Entry({"t": grid.T, "every other": grid[0, ::2]}, {"sizes": (1, 2), "by rank": {3: None}})
    )
    made, read = (store.fetch("fit", INPUTS, maker) for _ in range(2))
    assert maker.calls == 1
    assert made.facts == read.facts == {"sizes": [1, 2], "by rank": {"3": None}}
    for name, array in made.arrays.items():
        assert same_bits(array, read.arrays[name])
        assert not array.flags.writeable
        assert not read.arrays[name].flags.writeable
    assert grid.flags.writeable


@pytest.mark.parametrize(
    "array",
    [
        np.array([None, "x"]),
        np.zeros(2, [("a", "i4")]),
        *(np.array(["x"], kind()) for kind in TEXT_KINDS),
    ],
)
def test_arrays_whose_bytes_are_not_their_values_are_refused(array: npt.NDArray[Any]) -> None:
    with pytest.raises(TypeError, match="'odd'"):
        Entry({"odd": array})


def test_every_difference_of_inputs_makes_another_entry(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {
        store.key("fit", {"data": "ab", "seed": 0}),
        store.key("hits", {"data": "ab", "seed": 0}),
        store.key("fit", {"data": "ab", "seed": 1}),
        store.key("fit", {"data": "ab", "seed": "0"}),
        store.key("fit", {"data": "ab"}),
    }
    assert len(keys) == 5
    assert store.key("fit", {"seed": 0, "data": "ab"}) in keys
    monkeypatch.setattr(store_module, "VERSIONS", "another")
    assert store.key("fit", INPUTS) not in keys


def test_keys_of_a_version_are_the_same_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "VERSIONS", "1.0")
    assert store.key("fit", INPUTS) == "fabeeb3da002d811dfe0f94998cda5d0"


def test_every_library_that_numbers_depend_on_is_part_of_the_key() -> None:
    assert json.loads(store_module.VERSIONS) == {
        "cranfield": version("cranfield"),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "polars": pl.__version__,
        "scipy": scipy.__version__,
    }


@pytest.mark.parametrize("kind", ["locks", "", "../up", "Fit", "a/b", ".hidden"])
def test_a_kind_is_the_name_of_a_folder(store: Store, kind: str) -> None:
    with pytest.raises(AssertionError):
        store.key(kind, {})


def test_has_tells_what_is_kept(store: Store) -> None:
    assert not store.has("fit", INPUTS)
    store.fetch("fit", INPUTS, Maker())
    assert store.has("fit", INPUTS)
    assert not store.has("fit", {"data": "ab", "seed": 1})


def test_a_store_of_nothing_makes_every_time() -> None:
    store, maker = Store(None), Maker()
    assert store.fetch("fit", INPUTS, maker) is store.fetch("fit", INPUTS, maker) is maker.entry
    assert maker.calls == 2
    assert not store.has("fit", INPUTS)
    assert store.sizes() == []
    assert store.prune().entries == store.check().entries == 0


def test_only_the_entry_is_left_behind(store: Store, said: list[str]) -> None:
    assert store.folder is not None
    assert not store.folder.exists()
    store.fetch("fit", INPUTS, Maker())
    key = store.key("fit", INPUTS)
    assert files(store.folder) == [store.folder / "fit" / key[:2] / f"{key}.entry"]
    assert said == []


def damaged(content: bytes) -> Iterator[bytes]:
    """The content with every byte changed in two ways, cut at every length, and too long."""
    for place, value in enumerate(content):
        for other in (value ^ 0x01, value ^ 0x80):
            yield content[:place] + bytes([other]) + content[place + 1 :]
    for length in range(len(content)):
        yield content[:length]
    yield content + b"\0"
    yield content + bytes(64)


def test_every_damage_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "an.entry"
    write_entry(path, "fit", INPUTS, Maker().entry)
    for wrong in damaged(path.read_bytes()):
        path.write_bytes(wrong)
        with pytest.raises(Damaged):
            read_entry(path, "fit", INPUTS)


def test_damage_is_said_once_and_mended(store: Store, said: list[str]) -> None:
    maker = Maker()
    store.fetch("fit", INPUTS, maker)
    path = only_entry(store)
    content = path.read_bytes()
    for number, wrong in enumerate((b"", content[:-1], b"x" + content[1:]), start=1):
        path.write_bytes(wrong)
        for _ in range(2):
            found = store.fetch("fit", INPUTS, maker)
            assert same_bits(found.arrays["ranks"], maker.entry.arrays["ranks"])
        assert path.read_bytes() == content
        assert maker.calls == 1 + number
        assert len(said) == number
    assert said[0] == f"{path}: damaged (it is cut short). It is removed and recomputed."


def test_an_entry_of_other_inputs_is_not_taken(store: Store, said: list[str]) -> None:
    other = Maker(Entry({"ranks": np.zeros(2)}))
    store.fetch("fit", {"seed": 1}, other)
    wrong = only_entry(store)
    key = store.key("fit", INPUTS)
    right = wrong.parent.parent / key[:2] / f"{key}.entry"
    right.parent.mkdir(exist_ok=True)
    wrong.rename(right)
    maker = Maker()
    assert store.fetch("fit", INPUTS, maker).facts == {"users": 3}
    assert maker.calls == 1
    assert "other inputs" in said[0]


def test_what_may_not_be_read_is_recomputed_and_left_alone(
    store: Store, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = Maker()
    for seed in (1, 2):
        store.fetch("fit", {"seed": seed}, maker)
    assert store.folder is not None
    before = {path: path.stat().st_ino for path in files(store.folder)}

    def refuse(path: Path, *_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        for seed in (1, 2):
            store.fetch("fit", {"seed": seed}, maker)
    assert maker.calls == 4
    assert {path: path.stat().st_ino for path in files(store.folder)} == before
    assert len(said) == 1, "one sentence for all of them"
    assert said[0].endswith(": cannot be read (Permission denied). It is recomputed.")


class Unstorable:
    """A model of somebody's own, which does not say how it is stored."""


def test_what_does_not_say_how_it_is_stored_is_made_every_time(store: Store) -> None:
    own, calls = Unstorable(), list[int]()

    def make() -> Unstorable:
        calls.append(1)
        return own

    for _ in range(2):
        assert store.load("fit", INPUTS, make, object_coding(object)) is own
    assert len(calls) == 2
    assert not store.has("fit", INPUTS)


def test_a_damaged_entry_goes_even_if_it_cannot_be_made_again(store: Store) -> None:
    def fail() -> Entry:
        raise ZeroDivisionError

    store.fetch("fit", INPUTS, Maker())
    path = only_entry(store)
    path.write_bytes(b"")
    with pytest.raises(ZeroDivisionError):
        store.fetch("fit", INPUTS, fail)
    assert not path.exists()
    assert store.folder is not None
    assert files(store.folder) == []
    maker = Maker()
    store.fetch("fit", INPUTS, maker)
    assert maker.calls == 1


def fill_disk(*args: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def files_of_at_most(count: int) -> Iterator[None]:
    """A disk that takes part of a large file and then no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_once_and_the_run_goes_on(
    store: Store, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = Maker()
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fill_disk)
        for seed in range(3):
            assert store.fetch("fit", {"seed": seed}, maker) is maker.entry
    assert said == [
        f"{store.folder}: cannot be written (No space left on device). Results are not cached."
    ]
    assert store.folder is not None
    assert files(store.folder) == []
    store.fetch("fit", INPUTS, maker)
    assert store.has("fit", INPUTS), "there is room again"


def test_half_an_entry_is_never_left(store: Store, said: list[str]) -> None:
    maker = Maker(Entry({"large": np.zeros(100_000)}))
    with files_of_at_most(50_000):
        assert store.fetch("fit", INPUTS, maker) is maker.entry
    assert "cannot be written" in said[0]
    assert store.folder is not None
    assert files(store.folder) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder is sure to be read-only")
def test_a_folder_that_cannot_be_made_is_said_once_and_the_run_goes_on(said: list[str]) -> None:
    store, maker = Store("/proc/self/store", say=said.append), Maker()
    assert not store.has("fit", INPUTS)
    for _ in range(2):
        assert store.fetch("fit", INPUTS, maker) is maker.entry
    assert len(said) == 1
    assert store.sizes() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be written by the superuser")
def test_a_read_only_store_is_read(store: Store, said: list[str]) -> None:
    assert store.folder is not None
    maker = Maker()
    store.fetch("fit", INPUTS, maker)
    folders = [store.folder, *(path for path in store.folder.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        store.fetch("fit", INPUTS, maker)
        assert maker.calls == 1
        store.fetch("hits", INPUTS, maker)
        assert maker.calls == 2
        assert len(said) == 1
    finally:
        for folder in folders:
            folder.chmod(0o700)


@pytest.mark.parametrize("below", ["", "store", "deep/store"])
def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path, below: str) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(OutputError, match="taken is a file, not a folder"):
        Store(tmp_path / "taken" / below)


def test_entries_are_made_from_entries(store: Store) -> None:
    inner, calls = Maker(), 0

    def outer() -> Entry:
        nonlocal calls
        calls += 1
        found = store.fetch("fit", INPUTS, inner)
        return Entry({"sum": found.arrays["ranks"].sum()})

    for _ in range(2):
        assert store.fetch("hits", INPUTS, outer).arrays["sum"] == 6
    assert (calls, inner.calls) == (1, 1)


def test_an_entry_made_from_itself_is_refused_instead_of_waited_for(store: Store) -> None:
    def circle() -> Entry:
        return store.fetch("fit", INPUTS, circle)

    with pytest.raises(AssertionError, match="from itself"):
        store.fetch("fit", INPUTS, circle)
    store.fetch("fit", INPUTS, Maker())


def run_at_once(*tasks: Callable[[], object]) -> None:
    threads = [threading.Thread(target=task, daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
        assert not thread.is_alive(), "a thread waits for ever"


def test_threads_that_want_the_same_at_once_make_it_once(store: Store) -> None:
    barrier, maker = threading.Barrier(8), Maker()
    found: list[Any] = []

    def task() -> None:
        barrier.wait(timeout=10)
        found.extend(store.fetch("fit", {"seed": seed}, maker).facts for seed in range(20))

    run_at_once(*[task] * 8)
    assert maker.calls == 20
    assert found == [{"users": 3}] * 160
    assert store.folder is not None
    assert files(store.folder, "*.lock") == []


def test_nested_fetches_of_many_threads_never_wait_for_each_other(store: Store) -> None:
    """Each entry is made from two of the level below, asked for in either order."""
    calls: list[tuple[int, int]] = []

    def get(level: int, number: int, turn: int) -> Entry:
        def make() -> Entry:
            calls.append((level, number))
            below = [number, (number + 1) % 3][::turn] if level else []
            parts = [get(level - 1, each, turn).arrays["sum"] for each in below]
            return Entry({"sum": np.array(1 + sum(parts))})

        return store.fetch(f"level-{level}", {"number": number}, make)

    tasks = [lambda n=n: get(4, n % 3, 1 if n % 2 else -1) for n in range(6)]
    run_at_once(*tasks)
    assert sorted(calls) == [(level, number) for level in range(5) for number in range(3)]
    assert get(4, 0, 1).arrays["sum"] == 1 + 2 + 4 + 8 + 16


def test_the_lock_of_a_file_that_is_gone_is_no_lock(tmp_path: Path) -> None:
    """Were it one, somebody else could hold the lock of the new file at the same time."""
    path, entered = lock_path(tmp_path, "0" * 32), threading.Event()

    def task() -> None:
        with holding(tmp_path, "0" * 32):
            assert path.exists(), "the file whose lock is held is gone"
            entered.set()

    with holding(tmp_path, "0" * 32):
        waiting = threading.Thread(target=task, daemon=True)
        waiting.start()
        time.sleep(0.05)
        assert not entered.is_set()
    waiting.join(timeout=10)
    assert entered.is_set()
    assert not path.exists()


def test_a_store_can_be_sent_to_another_process(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.fetch("fit", INPUTS, Maker())
    assert pickle.loads(pickle.dumps(store)).has("fit", INPUTS)


def test_damage_is_told_on_stderr_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path / "a\nb")
    store.fetch("fit", INPUTS, Maker())
    only_entry(store).write_bytes(b"nothing of the kind")
    store.fetch("fit", INPUTS, Maker())
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("cranfield: ")
    assert told.err.count("\n") == 1


def test_the_default_folder_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/kim")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("CRANFIELD_STORE", raising=False)
    assert default_folder() == Path("/home/kim/.cache/cranfield/store")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert default_folder() == Path("/caches/cranfield/store")
    monkeypatch.setenv("CRANFIELD_STORE", "/kept")
    assert default_folder() == Path("/kept")
