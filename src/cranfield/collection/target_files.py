"""Targets on disk: Parquet tables beside a JSON record that they are verified against.

``topics.parquet`` has one row per topic, ``pools.parquet`` one row per item of a listed
pool, both with the ids that the data has; ``targets.json`` holds the choice, the sizes and
the fingerprints. Whoever has the same data ranks the same items.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import FingerprintMismatch, MissingFile, OtherData, UnreadableFile
from cranfield.base.files import write_json, writing_folder
from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import Ragged, offsets_of
from cranfield.base.schema import ITEM, USER
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Eligible, Known, Pools, Targets, parse_targets
from cranfield.collection.topics import Topics

RECORD, TOPICS, POOLS = "targets.json", "topics.parquet", "pools.parquet"
_POOL, _SEGMENT = "pool", "segment"
_FORMAT = 1


def write_targets(targets: Targets, folder: Path | str) -> None:
    """Write targets into a folder, all of them or nothing; other files there stay."""
    with writing_folder(folder, replaces=(RECORD, TOPICS, POOLS)) as aside:
        _topics_table(targets).write_parquet(aside / TOPICS)
        if targets.pools is not None:
            _pools_table(targets.pools, targets.train.item_ids).write_parquet(aside / POOLS)
        write_json(aside / RECORD, _record(targets))


def read_targets(folder: Path | str, train: Ratings, judgments: Judgments) -> Targets:
    """Read targets back for the data that they were chosen for, and verify them."""
    place = Path(folder)
    record = _read_record(place / RECORD)
    for name, found in (("training", train.fingerprint), ("judgments", judgments.fingerprint)):
        if record[name] != found:
            raise OtherData(str(place), name, record[name], found)
    topics, of_topic = _read_topics(place / TOPICS, train)
    pools = None
    if record["pools"] is not None:
        lists = _read_pools(place / POOLS, train.item_ids, record["pools"]["lists"])
        pools = Pools(lists, of_topic, record["pools"]["short"])
    targets = Targets(record["targets"], topics, _eligible(record, train, judgments), pools)
    if targets.fingerprint != record["fingerprint"]:
        raise FingerprintMismatch(str(place), record["fingerprint"], targets.fingerprint)
    return targets


def _record(targets: Targets) -> dict[str, Any]:
    pools = targets.pools
    listed = None
    if pools is not None:
        items = len(pools.items.values)
        listed = {"lists": len(pools.items), "items": items, "short": pools.short}
    return {
        "format": _FORMAT,
        "targets": targets.name,
        "topics": len(targets.topics),
        "pools": listed,
        "training": targets.train.fingerprint,
        "judgments": targets.judgments.fingerprint,
        "fingerprint": targets.fingerprint,
    }


def _topics_table(targets: Targets) -> pl.DataFrame:
    topics, train = targets.topics, targets.train
    table = {USER: train.user_ids.values.gather(topics.users)}
    if topics.items is not None:
        table[ITEM] = train.item_ids.values.gather(topics.items)
    if topics.segments is not None:
        table[_SEGMENT] = pl.Series(topics.segments)
    if targets.pools is not None:
        table[_POOL] = pl.Series(targets.pools.of_topic)
    return pl.DataFrame(table)


def _pools_table(pools: Pools, item_ids: Ids) -> pl.DataFrame:
    items = item_ids.values.gather(pools.items.values)
    return pl.DataFrame({_POOL: pools.items.owners, ITEM: items})


def _eligible(record: dict[str, Any], train: Ratings, judgments: Judgments) -> Eligible:
    """What the recorded choice makes of the data."""
    choice, known = parse_targets(record["targets"]), Known(train, judgments)
    candidates = choice.candidates.choose(known)
    return Eligible(known, candidates, choice.segments_of(known, candidates))


def _read_record(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise MissingFile(str(path))
    wanted = ("format", "targets", "pools", "training", "judgments", "fingerprint")
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        known = all(name in record for name in wanted)
    except (ValueError, TypeError):
        known = False
    if not known or record["format"] != _FORMAT:
        raise UnreadableFile(str(path), f"it is not a record of targets in format {_FORMAT}")
    return record


def _read_topics(path: Path, train: Ratings) -> tuple[Topics, Any]:
    table = _read_table(path, USER)
    users = _codes(table[USER], train.user_ids, path)
    items = _codes(table[ITEM], train.item_ids, path) if ITEM in table.columns else None
    segments = table[_SEGMENT].to_numpy() if _SEGMENT in table.columns else None
    of_topic = table[_POOL].to_numpy() if _POOL in table.columns else None
    return Topics(users, items, segments), of_topic


def _read_pools(path: Path, item_ids: Ids, lists: int) -> Ragged:
    table = _read_table(path, ITEM, _POOL)
    counts = np.bincount(table[_POOL].to_numpy(), minlength=lists)
    return Ragged(_codes(table[ITEM], item_ids, path), offsets_of(counts))


def _read_table(path: Path, *columns: str) -> pl.DataFrame:
    if not path.is_file():
        raise MissingFile(str(path))
    try:
        table = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError):
        raise UnreadableFile(str(path), "it is not a Parquet file") from None
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise UnreadableFile(str(path), f'it has no column "{missing[0]}"')
    return table


def _codes(column: pl.Series, ids: Ids, path: Path) -> Codes:
    codes = ids.encode(column)
    if (codes < 0).any():
        unknown = column[int(np.flatnonzero(codes < 0)[0])]
        raise UnreadableFile(str(path), f"the ratings have no {column.name} {unknown!r}")
    return codes
