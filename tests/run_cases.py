"""Small runs, and how the tests of reading them look at what was read."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.ids import Ids
from cranfield.base.ragged import offsets_of
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.coding import Reading
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.run import Run

USERS, ITEMS = Ids(pl.Series([1, 2, 3])), Ids(pl.Series([7, 8, 9, 10]))
TABLE = {"user_id": [2, 1, 1, 1], "item_id": [7, 8, 9, 7], "score": [0.1, 0.25, 0.5, 0.25]}
LISTS = {1: [9, 7, 8], 2: [7]}


def read(source: Any, **options: Any) -> Reading:
    return read_run(source, **{"user_ids": USERS, "item_ids": ITEMS, **options})


def lists(reading: Reading, users: Ids = USERS, items: Ids = ITEMS) -> dict[Any, list[Any]]:
    table = reading.run.table(users, items)
    return {user[0]: part["item_id"].to_list() for user, part in table.group_by("user_id")}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


TREC = "2 Q0 7 1 0.1 sys\n1 Q0 8 2 0.25 sys\n1 Q0 9 1 0.5 sys\n1 Q0 7 3 0.25 sys\n"


def run_of(*lists: list[int]) -> Run:
    """Lists of item codes of users 0, 1, …; those below 0 are unknown_items."""
    items = np.array([item for one in lists for item in one], dtype=np.int32)
    unknown_items = [100 + number for number in range(-items.min(initial=0))]
    return Run(
        "A",
        Topics(np.arange(len(lists), dtype=np.int32)),
        offsets_of(np.array([len(one) for one in lists], dtype=np.int64)),
        items,
        -np.arange(len(items), dtype=np.float64),
        np.zeros(len(lists), dtype=np.int64),
        Ids(pl.Series(unknown_items, dtype=pl.Int64)),
    )
