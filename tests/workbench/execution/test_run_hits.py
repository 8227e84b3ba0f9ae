"""Hits of runs are the same however many rows are read at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from cranfield.workbench.execution.run_hits import locate_runs

import cranfield as cf
from cranfield.workbench import inventory
from cranfield.workbench.api import make_choice

RATINGS = pl.DataFrame(
    [(u, i, 1 + (u * i) % 5) for u in range(30) for i in range(12) if (u + i) % 3],
    schema=["user", "item", "rating"],
    orient="row",
)


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, str]:
    """Two systems; the second leaves some users without a list."""
    rng = np.random.default_rng(3)
    rows = pl.DataFrame({"user": np.repeat(range(30), 12), "item": np.tile(range(12), 30)})
    for name in ("a", "b"):
        scored = rows.with_columns(pl.Series("score", rng.integers(0, 5, 360) / 2))
        kept = scored if name == "a" else scored.filter(pl.col("user") % 7 > 0)
        kept.write_parquet(tmp_path / f"{name}.parquet")
    return {name: str(tmp_path / f"{name}.parquet") for name in ("a", "b")}


@pytest.mark.parametrize("ties", ["item-id", "random", "pessimistic"])
@pytest.mark.parametrize("rows", [1, 50, 200])
def test_rows_at_once_change_nothing(runs: dict[str, str], ties: str, rows: int) -> None:
    inventory.load()
    test = cf.Ratings.from_frame(RATINGS)
    choice = make_choice(4, {"ties": ties, "seed": 2}, trained=False)
    whole = locate_runs(test, runs, choice)
    parts = locate_runs(test, runs, choice, rows_at_once=rows)
    np.testing.assert_array_equal(whole.popularity, parts.popularity)
    for name, expected in whole.hits.items():
        found = parts.hits[name]
        np.testing.assert_array_equal(found.topics.users, expected.topics.users)
        for field in ("offsets", "items", "ratings", "ranks", "lengths", "targets", "unscored"):
            np.testing.assert_array_equal(getattr(found, field), getattr(expected, field))
