"""Splits on disk: Parquet parts beside a JSON record that they are verified against.

One fold lies in the folder itself, several in ``fold-1``, ``fold-2``, …; ``split.json``
is on top: options, seed, sizes, leakage, and the fingerprint of every part. Of a log, each
part lies there as ratings, its events counted, and as its events, from which it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import (
    FingerprintMismatch,
    InputError,
    OutputError,
    UnreadableFile,
)
from cranfield.base.files import fingerprint, write_json
from cranfield.base.folders import restore_folder, writing_folder
from cranfield.base.options import from_table, parse, spell, spell_fully, to_table
from cranfield.base.packed import exists, require_file
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import POSITION, TIMESTAMP
from cranfield.collection.filter import size_of
from cranfield.collection.fold import PARTS, Fold, sizes_of
from cranfield.collection.part_filters import PartFilters, PartStep
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.split import Split, Splitter
from cranfield.collection.tables.ordering import order_pairs
from cranfield.collection.tables.repeated_pairs import event_order

RECORD = "split.json"
_FORMAT, _NO_RECORD = 1, "it is not the record of a split"
_EVENTS = "-events"
"""What is added to the name of a part for its events."""
_NAMES = tuple(f"{name}{kind}.parquet" for name in PARTS for kind in ("", _EVENTS))
_OURS = (RECORD, *_NAMES, "fold-[0-9]*")
_LIBRARIES = ("cranfield", "numpy", "polars")


def write_split(split: Split, folder: Path | str, *, overwrite: bool = False) -> None:
    """Write a split into a folder, or nothing if that fails.

    Another split in the folder is replaced only if ``overwrite`` says so; other files stay.
    """
    with writing_folder(folder, replaces=_OURS) as aside:
        folds = [
            _write_fold(fold, aside / place)
            for fold, place in zip(split.folds, _places(len(split.folds)), strict=True)
        ]
        record: dict[str, Any] = {
            "format": _FORMAT,
            "split": _option(split.splitter),
            "validation": None if split.validation is None else _option(split.validation),
            **({"filters": _spelled(split.filters)} if split.filters else {}),
            "seed": split.seed,
            "data": _summary(split.ratings),
            "facts": dict(split.facts),
            "folds": folds,
            "versions": {library: version(library) for library in _LIBRARIES},
        }
        if not overwrite:
            _refuse_another(Path(folder), record)
        write_json(aside / RECORD, record | {"fingerprint": _seal(record)})


def _refuse_another(folder: Path, record: Mapping[str, Any]) -> None:
    """Refuse to replace a split that differs from the one to be written."""
    if not exists(folder / RECORD):
        return
    try:
        there = _read_record(folder / RECORD)
    except InputError:
        there = {"split": {"spelling": "one that cannot be read"}, "seed": "unknown"}
    wanted = json.loads(json.dumps(record))
    if any(there.get(key) != wanted[key] for key in wanted if key != "versions"):
        found = f"{there['split']['spelling']}, seed {there['seed']}"
        problem = f"another split is there: {found}; replace it with --overwrite"
        raise OutputError(str(folder), f"{problem}, in Python overwrite=True")


def read_split(folder: Path | str) -> Split:
    """Read a split back, and verify that nothing was changed since it was written."""
    place = Path(folder)
    restore_folder(place)
    record = _read_record(place / RECORD)
    try:
        return _read_folds(place, record)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise UnreadableFile(str(place / RECORD), _NO_RECORD) from None


def _read_folds(place: Path, record: Mapping[str, Any]) -> Split:
    """The split that a record describes, its parts verified."""
    folds: list[Fold] = []
    for entry, name in zip(record["folds"], _places(len(record["folds"])), strict=True):
        fold = _read_fold(place / name, entry)
        _verify(place / name, record["data"]["fingerprint"], fold.ratings.fingerprint)
        # The folds divide the same ratings, which need not be held more than once.
        ratings = folds[0].ratings if folds else fold.ratings
        folds.append(replace(fold, ratings=ratings))
    validation = record["validation"]
    filters = {
        part: tuple(parse("filter", each) for each in spelled)
        for part, spelled in record.get("filters", {}).items()
    }
    return Split(
        folds[0].ratings,
        tuple(folds),
        from_table("split", record["split"]["option"]),
        record["seed"],
        None if validation is None else from_table("split", validation["option"]),
        record["facts"],
        PartFilters(**filters),
    )


def _places(folds: int) -> list[str]:
    """The folder of each fold, seen from that of the split."""
    return ["."] if folds == 1 else [f"fold-{number}" for number in range(1, folds + 1)]


def _option(splitter: Splitter) -> dict[str, object]:
    return {"spelling": spell(splitter), "option": to_table(splitter)}


def _spelled(filters: PartFilters) -> dict[str, list[str]]:
    return {"train": [*map(spell_fully, filters.train)], "test": [*map(spell_fully, filters.test)]}


def _summary(ratings: Ratings) -> dict[str, object]:
    return asdict(size_of(ratings)) | {"fingerprint": ratings.fingerprint}


def _seal(record: Mapping[str, object]) -> str:
    """The fingerprint of the record itself, however it is laid out in the file."""
    return fingerprint(json.dumps(record, sort_keys=True))


def _write_fold(fold: Fold, folder: Path) -> dict[str, object]:
    """Write the parts of a fold; give back what the record says of them."""
    folder.mkdir(exist_ok=True)
    entry: dict[str, object] = {}
    for name, code in _parts_of(fold):
        rows = fold.rows(code)
        kinds = {name: rows.aggregate(), **({name + _EVENTS: rows} if rows.events else {})}
        for kind, part in kinds.items():
            part.to_polars().write_parquet(folder / f"{kind}.parquet")
            entry[kind] = _summary(part)
    leakage = fold.leakage
    entry["test_share"] = fold.test_share
    entry["leakage"] = None if leakage is None else asdict(leakage)
    entry["validation_facts"] = dict(fold.validation_facts)
    if fold.steps:
        entry["filters"] = [step.to_dict() for step in fold.steps]
    return entry


def _parts_of(fold: Fold) -> Iterator[tuple[str, np.int8]]:
    return ((name, PARTS[name]) for name in sizes_of(fold))


def _read_record(path: Path) -> dict[str, Any]:
    require_file(path)
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        recorded = record.pop("fingerprint")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise UnreadableFile(str(path), _NO_RECORD) from None
    _verify(path, recorded, _seal(record))
    if record.get("format") != _FORMAT:
        problem = f"its format is {record.get('format')}, known is {_FORMAT}"
        raise UnreadableFile(str(path), problem, "Update Cranfield.")
    return record


def _read_fold(folder: Path, entry: Mapping[str, Any]) -> Fold:
    """One fold, each part verified."""
    names = [name for name in PARTS if name in entry]
    parts = [_read_part(folder, name, entry) for name in names]
    ratings, origins = merge(parts)
    codes = np.array([PARTS[name] for name in names], dtype=np.int8)
    steps = tuple(map(PartStep.from_dict, entry.get("filters", ())))
    return Fold(ratings, codes[origins], entry["validation_facts"], steps)


def _read_part(folder: Path, name: str, entry: Mapping[str, Any]) -> Ratings:
    """The ratings of one part, or its events, if they are what they count up to."""
    part = _read_rows(folder / f"{name}.parquet", entry[name]["fingerprint"])
    if (logged := name + _EVENTS) not in entry:
        return part
    path = folder / f"{logged}.parquet"
    events = _read_rows(path, entry[logged]["fingerprint"], "events")
    _verify(path, entry[name]["fingerprint"], events.aggregate().fingerprint)
    return events


def _read_rows(path: Path, recorded: str, duplicates: Duplicates = "refuse") -> Ratings:
    require_file(path)
    try:
        table = pl.read_parquet(path)
    except (*UNREADABLE, OSError):
        raise UnreadableFile(str(path), "it is not a whole Parquet file") from None
    named = {TIMESTAMP: POSITION} if POSITION in table.columns else None
    part = Ratings.from_frame(table, named, duplicates, str(path))
    _verify(path, recorded, part.fingerprint)
    return part


def _verify(path: Path, recorded: str, found: str) -> None:
    if recorded != found:
        raise FingerprintMismatch(str(path), recorded, found)


def merge(parts: Sequence[Ratings]) -> tuple[Ratings, npt.NDArray[np.int8]]:
    """The ratings of several parts in one, and for each rating the part it came from.

    The parts must share no pair but of events, have ids of the same types, and all or none
    have times, and events.
    """
    user_ids, item_ids = parts[0].user_ids, parts[0].item_ids
    for part in parts[1:]:
        user_ids, item_ids = user_ids.union(part.user_ids), item_ids.union(part.item_ids)
    coded = [part.reindex(user_ids, item_ids) for part in parts]
    times = [part.timestamps for part in coded if part.timestamps is not None]
    assert len(times) in (0, len(parts))
    ordered = order_pairs(
        np.concatenate([part.users for part in coded]),
        np.concatenate([part.items for part in coded]),
        len(user_ids),
        len(item_ids),
        (
            np.concatenate([part.values for part in coded]),
            np.concatenate(times) if times else None,
            np.repeat(np.arange(len(parts), dtype=np.int8), [len(part) for part in parts]),
        ),
    )
    values, stamps, origins = ordered.columns
    merged = Ratings(
        user_ids,
        item_ids,
        ordered.users,
        ordered.items,
        values,
        stamps,
        positions=parts[0].positions,
    )
    if not parts[0].events:
        return merged, origins
    rows = event_order((ordered.users, ordered.items), stamps, values)
    logged = replace(merged, events=True)
    return (logged, origins) if rows is None else (logged.take(rows), origins[rows])
