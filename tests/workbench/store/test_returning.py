"""A store that holds what its folder cannot take."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cranfield.workbench.store.returning import ReturningStore
from cranfield.workbench.store.store import Entry, Store
from small_disks import files_of_at_most

INPUTS = {"seed": 1}


def entry(number: float = 1.0) -> Entry:
    return Entry({"values": np.full(100, number)}, {"number": number})


def test_it_stores_in_its_folder_as_any_store_does(tmp_path: Path) -> None:
    store = ReturningStore(tmp_path)
    made = store.fetch("hits", INPUTS, entry)
    assert store.held == {}
    assert Store(tmp_path).has("hits", INPUTS)
    np.testing.assert_array_equal(made.arrays["values"], entry().arrays["values"])


def test_what_a_full_disk_does_not_take_is_held_and_used(tmp_path: Path) -> None:
    said = list[str]()
    store = ReturningStore(tmp_path, say=said.append)
    with files_of_at_most(100):
        store.fetch("hits", INPUTS, entry)
        store.note("fit-time", INPUTS, {"seconds": 2.0})
    assert [each.kind for each in store.held.values()] == ["hits", "fit-time"]
    assert store.has("hits", INPUTS)
    again = store.fetch("hits", INPUTS, lambda: entry(9))
    assert again.facts["number"] == 1
    assert store.noted("fit-time", INPUTS) == {"seconds": 2.0}
    assert said == []


def test_what_is_held_can_be_put_into_another_store(tmp_path: Path) -> None:
    away = ReturningStore(tmp_path / "nowhere", shared=False)
    away.fetch("hits", INPUTS, entry)
    home = Store(tmp_path / "home")
    for each in away.held.values():
        home.put(*each)
    found = home.get("hits", INPUTS)
    assert found is not None
    np.testing.assert_array_equal(found.arrays["values"], entry().arrays["values"])


def test_the_folder_of_another_machine_is_neither_read_nor_made(tmp_path: Path) -> None:
    Store(tmp_path / "here").fetch("hits", INPUTS, entry)
    store = ReturningStore(tmp_path / "here", shared=False)
    assert not store.has("hits", INPUTS)
    assert store.get("hits", INPUTS) is None
    assert store.fetch("hits", INPUTS, lambda: entry(2)).facts["number"] == 2
    away = ReturningStore(tmp_path / "away", shared=False)
    away.fetch("hits", INPUTS, entry)
    assert not (tmp_path / "away").exists()


def test_a_disk_that_has_room_again_takes_what_was_held(tmp_path: Path) -> None:
    store = ReturningStore(tmp_path)
    with files_of_at_most(100):
        store.fetch("hits", INPUTS, entry)
    store.put("hits", INPUTS, entry())
    assert store.held == {}
    assert Store(tmp_path).has("hits", INPUTS)


def test_kinds_that_are_not_cached_are_made_each_time(tmp_path: Path) -> None:
    for store in (
        Store(tmp_path / "a", uncached=("fit",)),
        ReturningStore(tmp_path / "b", uncached=("fit",), shared=False),
    ):
        numbers = iter([1.0, 2.0])
        made = [store.fetch("fit", INPUTS, lambda: entry(next(numbers))) for _ in range(2)]  # noqa: B023
        assert [each.facts["number"] for each in made] == [1, 2]
        assert not store.has("fit", INPUTS)
        store.put("fit", INPUTS, entry())
        assert not store.has("fit", INPUTS)
        store.fetch("hits", INPUTS, entry)
        assert store.has("hits", INPUTS)
