"""Tables whose columns are of any type are read or refused in a sentence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import BadValue, CranfieldError
from cranfield.base.ids import as_ids
from cranfield.collection.source import read_ratings
from cranfield.scoring.score_files import read_scores
from cranfield.workbench.definition.side_tables import catalogue_ids
from fuzz_cases import read_known_run
from suites import spread

USUAL: dict[str, Any] = {
    "user_id": ["u1", "u2"], "item_id": ["i1", "i2"], "rating": [1.0, 2.0], "timestamp": [1, 2],
    "score": [1.0, 0.5], "rank": [1, 2], "system": ["s", "s"], "metric": ["m", "m"],
    "covered": [True, True], "judged": [1, 1], "relevant": [1, 1],
}  # fmt: skip
ODD = {
    "spans": pl.Series([dt.timedelta(1), dt.timedelta(2)]),
    "times": pl.Series([dt.time(1), dt.time(2)]),
    "dates": pl.Series([dt.date(2000, 1, 1), dt.date(2000, 1, 2)]),
    "moments": pl.Series([dt.datetime(2000, 1, 1), dt.datetime(2000, 1, 2)]),
    "decimals": pl.Series([Decimal("1.5"), Decimal("2")]),
    "categories": pl.Series(["a", "b"], dtype=pl.Categorical),
    "enum": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])),
    "lists": pl.Series([[1], [2]]),
    "arrays": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)),
    "records": pl.Series([{"a": 1}, {"a": 2}]),
    "bytes": pl.Series([b"a", b"\xff"]),
    "nothing": pl.Series([None, None]),
    "wide": pl.Series([2**100, 1], dtype=pl.Int128),
    "unsigned": pl.Series([2**63, 1], dtype=pl.UInt64),
    "booleans": pl.Series([True, False]),
    "floats": pl.Series([1.0, 2.5], dtype=pl.Float32),
    "broken": pl.Series([float("nan"), float("inf")]),
    "gaps": pl.Series(["x", None]),
}
READERS: dict[str, Callable[[Path], Any]] = {
    "ratings": read_ratings,
    "run": read_known_run,
    "scores": read_scores,
    "catalogue": lambda path: catalogue_ids(str(path)),
}


@pytest.mark.parametrize(("odd", "column"), spread(product(ODD, USUAL), every=4))
def test_a_column_of_any_type_is_read_or_refused(tmp_path: Path, column: str, odd: str) -> None:
    pl.DataFrame({**USUAL, column: ODD[odd]}).write_parquet(tmp_path / "t.parquet")
    for read in READERS.values():
        with suppress(CranfieldError):
            read(tmp_path / "t.parquet")


@pytest.mark.parametrize("odd", ["spans", "lists", "arrays", "records", "bytes", "nothing", "gaps"])
def test_ids_without_a_text_are_refused_by_row(odd: str) -> None:
    with pytest.raises(BadValue, match=r'^t, row [12], column "u": .* is not an id\.$'):
        as_ids(ODD[odd], "t", "u")
