"""Entries that somebody forged, with fingerprint and checksum to match: damaged, never run."""

from __future__ import annotations

import json
import os
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.recommenders.popularity import Popularity
from cranfield.recommendation.recommenders.pure_svd import PureSVD
from cranfield.testing.strategies import random_ratings
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store import encoding
from cranfield.workbench.store.entry import Damaged, Unreadable, read_entry, write_entry
from cranfield.workbench.store.store import Entry, Store
from experiment_cases import experiment_of, same_scores
from forgeries import FORGED, MAGIC, START, Change, Header, joined, split_file

INPUTS = {"seed": 7}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "an.entry"
    arrays = {"ranks": np.array([3, 1, 2], np.int32), "values": np.arange(6.0).reshape(2, 3)}
    write_entry(place, "fit", INPUTS, Entry(arrays, {"users": 3}))
    return place


def test_there_are_many_forgeries() -> None:
    assert len(FORGED) > 100


@pytest.mark.parametrize("name", FORGED)
def test_forged_headers_are_damage(path: Path, name: str) -> None:
    header, body = split_file(path.read_bytes())
    path.write_bytes(joined(json.dumps(header), body))
    read_entry(path, "fit", INPUTS)
    FORGED[name](header)
    path.write_bytes(joined(json.dumps(header), body))
    with pytest.raises(Damaged):
        read_entry(path, "fit", INPUTS)


@pytest.mark.parametrize(
    "text",
    [
        b"", b"[]", b"3", b"null", b"{", b"NaN", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000,
        b'{"size": ' + b"9" * 9999 + b"}",
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_headers_that_are_no_table_are_damage(path: Path, text: bytes) -> None:
    path.write_bytes(joined(text, b""))
    with pytest.raises(Damaged):
        read_entry(path, "fit", INPUTS)


@pytest.mark.parametrize("name", ["facts", "inputs"])
@pytest.mark.parametrize("levels", [400, 900, 3000, 60_000])
def test_tables_nested_without_end_are_damage(path: Path, name: str, levels: int) -> None:
    header, body = split_file(path.read_bytes())
    header[name] = "HERE"
    deep = '{"a":' * levels + "1" + "}" * levels
    path.write_bytes(joined(json.dumps(header).replace('"HERE"', deep), body))
    coding, store = (
        encoding.object_coding(object),
        Store(path.parent / "store", say=list[str]().append),
    )
    made = Popularity().fit(random_ratings(5, 6, 0.5), Seeds(1))
    place = path.parent / "store" / "fit" / (key := store.key("fit", INPUTS))[:2] / f"{key}.entry"
    place.parent.mkdir(parents=True)
    path.rename(place)
    assert type(store.load("fit", INPUTS, lambda: made, coding)) is type(made)


def test_a_header_of_all_memory_is_damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(START.pack(MAGIC, 1 << 40, bytes(16)))
        file.truncate(1 << 41)  # takes no room on the disk
    with pytest.raises(Damaged):
        read_entry(path, "fit", INPUTS)


def test_a_body_of_all_memory_is_not_read(path: Path) -> None:
    header, _ = split_file(path.read_bytes())
    header["size"] = 1 << 43
    start = joined(json.dumps(header), b"")
    with path.open("wb") as file:
        file.write(start)
        file.truncate(len(start) + (1 << 43))
    with pytest.raises((Damaged, Unreadable)):
        read_entry(path, "fit", INPUTS)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_is_damage(path: Path, make: Callable[[Path], None]) -> None:
    path.unlink()
    make(path)
    with pytest.raises(Damaged, match="no file"):
        read_entry(path, "fit", INPUTS)


class Bomb:
    """What runs a command as soon as it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.mark}",)


@pytest.mark.parametrize("name", ["predictor", "comparison", "assessment", "object"])
def test_a_pickle_is_damage_and_does_not_run(tmp_path: Path, name: str) -> None:
    mark, said = tmp_path / "mark", list[str]()
    store = Store(tmp_path / "store", say=said.append)
    train = random_ratings(5, 6, 0.5)
    fitted = Popularity().fit(train, Seeds(1))
    coding = encoding.predictor_coding(train)
    store.load("fit", INPUTS, lambda: fitted, coding)
    (place,) = (tmp_path / "store").rglob("*.entry")
    hostile = np.frombuffer(pickle.dumps(Bomb(mark)), np.uint8)
    facts = {"object": {"array": name}} if name == "object" else {}
    write_entry(place, "fit", INPUTS, Entry({name: hostile}, facts))
    found = store.load("fit", INPUTS, lambda: fitted, coding)
    users = np.arange(5, dtype=np.int32)
    assert found.predict(users).tobytes() == fitted.predict(users).tobytes()
    assert not mark.exists()
    assert "damaged" in said[0]
    assert "removed and recomputed" in said[0]


@pytest.mark.parametrize(
    ("recommender", "change"),
    [
        (Popularity(), {"predictions": np.zeros(7)}),
        (Popularity(), {"predictions": np.zeros((6, 1))}),
        (Popularity(), {"predictions": np.zeros(6, np.float32)}),
        (PureSVD(factors=2), {"users": np.zeros((5, 3))}),
        (PureSVD(factors=2), {"items": np.zeros((2, 9))}),
        (PureSVD(factors=2), {"known.users": np.zeros(4, bool)}),
        (PureSVD(factors=2), {"known.items": np.zeros(6, np.int8)}),
    ],
)
def test_a_forged_model_of_another_shape_is_damage(recommender: Any, change: Any) -> None:
    train = random_ratings(5, 6, 0.5)
    coding = encoding.predictor_coding(train)
    entry = coding.encode(recommender.fit(train, Seeds(1)))
    coding.decode(entry)
    with pytest.raises(ValueError, match=r"fit together|is no"):
        coding.decode(Entry({**entry.arrays, **change}, entry.facts))


def forget_facts(header: Header) -> None:
    header["facts"] = {}


def forget_arrays(header: Header) -> None:
    header["arrays"] = []


def shorten_arrays(header: Header) -> None:
    for each in header["arrays"]:
        each[2] = [max(length - 1, 0) for length in each[2]]


def another_type(header: Header) -> None:
    for each in header["arrays"]:
        each[1] = "|u1"


@pytest.mark.parametrize("change", [forget_facts, forget_arrays, shorten_arrays, another_type])
def test_no_forgery_of_any_kind_of_entry_changes_a_result(tmp_path: Path, change: Change) -> None:
    systems = {"Popularity": "Popularity", "kNN": "user-kNN(k=5)", "SVD": "PureSVD(factors=3)"}
    asked = experiment_of(systems=systems, assess=["discriminative-power"])
    plain, said = execute(asked), list[str]()
    store = Store(tmp_path, say=said.append)
    execute(asked, Pipeline(store=store))
    entries = sorted(tmp_path.rglob("*.entry"))
    kinds = {path.parent.parent.name for path in entries}
    assert kinds >= {"fit", "hits", "scores", "split", "comparison", "assessment"}
    for path in entries:
        header, body = split_file(path.read_bytes())
        change(header)
        header["checksum"] = zlib.crc32(body)
        path.write_bytes(joined(json.dumps(header), body))
    found = execute(asked, Pipeline(store=store))
    assert same_scores(found.scores, plain.scores)
    assert found.assessments[0].to_dict() == plain.assessments[0].to_dict()
    assert said
