"""Where runs are: opened ahead, kept in memory, and read with the same outcome either way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue
from cranfield.recommendation.runs.coding import Collection
from cranfield.recommendation.runs.files import open_first, open_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.source import RunSource, open_lists
from run_cases import ITEMS, LISTS, TABLE, TREC, USERS, lists, read, write

KNOWN = Collection(USERS, ITEMS, None)
RANKS = {"rank": [1, 2, 1, 3]}
TABLES: dict[str, dict[str, Any]] = {
    "scores": TABLE,
    "scores and ranks": {**TABLE, **RANKS},
    "single precision": {**TABLE, "score": np.array(TABLE["score"], np.float32)},
    "ranks alone": {**{name: TABLE[name] for name in ("user_id", "item_id")}, **RANKS},
    "ranks for missing scores": {**TABLE, **RANKS, "score": [0.1, None, 0.5, 0.25]},
    "no score at all": {**TABLE, **RANKS, "score": pl.Series([None] * 4, dtype=pl.Float64)},
    "text": {**TABLE, "score": ["0.1", "0.25", "0.5", "0.25"]},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_file_kept_in_memory_reads_as_a_table_does(tmp_path: Path, name: str) -> None:
    pl.DataFrame(TABLES[name]).write_parquet(tmp_path / "run.parquet")
    opened = open_lists(open_run(tmp_path / "run.parquet"), KNOWN, RunRules())
    made, expected = opened.read(slice(0, len(USERS))), read(TABLES[name])
    assert lists(made) == lists(expected)
    assert np.array_equal(made.run.predictions, expected.run.predictions, equal_nan=True)
    assert made.report == expected.report


def test_a_missing_score_without_ranks_is_refused_as_in_a_table(tmp_path: Path) -> None:
    table = {**TABLE, "score": [0.1, None, 0.5, 0.25]}
    pl.DataFrame(table).write_parquet(tmp_path / "run.parquet")
    opened = open_lists(open_run(tmp_path / "run.parquet"), KNOWN, RunRules())
    with pytest.raises(BadValue, match=r"run.parquet, row 2.*score"):
        opened.read(slice(0, len(USERS)))


def test_the_first_of_several_runs_is_read_and_the_others_stay(tmp_path: Path) -> None:
    pl.DataFrame(TABLE).write_parquet(tmp_path / "one.parquet")
    runs = {"one": tmp_path / "one.parquet", "two": write(tmp_path, "two.run", TREC)}
    opened = open_first(runs)
    assert list(opened) == ["one", "two"]
    assert opened["two"] == runs["two"]
    (tmp_path / "one.parquet").unlink()
    source = open_run(opened["one"], system="one")
    assert isinstance(source, RunSource)
    assert lists(open_lists(source, KNOWN, RunRules()).read(slice(0, len(USERS)))) == LISTS


def test_no_run_is_none_to_open() -> None:
    assert open_first({}) == {}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_ranks_left_unread_change_no_list(tmp_path: Path, name: str, ending: str) -> None:
    path, table = tmp_path / f"run.{ending}", pl.DataFrame(TABLES[name])
    table.write_parquet(path) if ending == "parquet" else table.write_csv(path)
    source = open_run(path, ranks=False)
    made = open_lists(source, KNOWN, RunRules()).read(slice(0, len(USERS)))
    assert lists(made) == lists(read(TABLES[name]))


@pytest.mark.parametrize("ranks", [False, True])
def test_ranks_of_a_text_file_are_read_if_they_are_asked_for(tmp_path: Path, ranks: bool) -> None:
    table = open_run(write(tmp_path, "a.run", TREC), ranks=ranks).whole()
    assert ("rank" in table.roles, "rank" in table.frame.columns) == (ranks, ranks)


def test_ranks_left_unread_are_not_looked_at(tmp_path: Path) -> None:
    pl.DataFrame({**TABLE, "rank": ["a", "b", "c", "d"]}).write_parquet(tmp_path / "run.parquet")
    source = open_run(tmp_path / "run.parquet", ranks=False)
    assert lists(open_lists(source, KNOWN, RunRules()).read(slice(0, len(USERS)))) == LISTS
    some = source.of_users(pl.Series([USERS[0]]), gaps=False)
    assert "rank" not in some.frame.columns
