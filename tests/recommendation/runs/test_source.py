"""Where runs are: opened ahead, held in memory, and read with the same outcome either way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue, EmptyInput, OddRun
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs import source as source_module
from cranfield.recommendation.runs.coding import Reading
from cranfield.recommendation.runs.files import open_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.source import OpenRun, RunSource, blocks_of_users, open_lists
from run_cases import ITEMS, LISTS, TABLE, TREC, USERS, lists, read, write

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


def opened(source: Any) -> OpenRun:
    return open_lists(source if isinstance(source, RunSource) else open_run(source), USERS, ITEMS)


def read_all(run: OpenRun, train: Ratings | None = None, **rules: Any) -> Reading:
    return run.read(slice(0, len(USERS)), train=train, rules=RunRules(**rules))


@pytest.mark.parametrize("name", TABLES)
def test_a_file_held_in_memory_reads_as_a_table_does(tmp_path: Path, name: str) -> None:
    pl.DataFrame(TABLES[name]).write_parquet(tmp_path / "run.parquet")
    made, expected = read_all(opened(tmp_path / "run.parquet")), read(TABLES[name])
    assert lists(made) == lists(expected)
    assert np.array_equal(made.run.predictions, expected.run.predictions, equal_nan=True)
    assert made.report == expected.report


def test_a_missing_score_without_ranks_is_refused_as_in_a_table(tmp_path: Path) -> None:
    table = {**TABLE, "score": [0.1, None, 0.5, 0.25]}
    pl.DataFrame(table).write_parquet(tmp_path / "run.parquet")
    with pytest.raises(BadValue, match=r"run.parquet, row 2.*score"):
        read_all(opened(tmp_path / "run.parquet"))


def test_a_loaded_run_is_read_from_memory(tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    pl.DataFrame(TABLE).write_parquet(path)
    source = open_run(path).loaded()
    path.unlink()
    assert open_run(source) is source
    assert source.loaded() is source
    assert lists(read_all(opened(source))) == LISTS


def test_a_run_of_many_rows_stays_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 3)
    pl.DataFrame(TABLE).write_parquet(tmp_path / "one.parquet")
    source = open_run(tmp_path / "one.parquet")
    assert source.loaded() is source


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_ranks_left_unread_change_no_list(tmp_path: Path, name: str, ending: str) -> None:
    path, table = tmp_path / f"run.{ending}", pl.DataFrame(TABLES[name])
    table.write_parquet(path) if ending == "parquet" else table.write_csv(path)
    source = open_run(path, ranks=False)
    made = read_all(opened(source))
    assert lists(made) == lists(read(TABLES[name]))


@pytest.mark.parametrize("ranks", [False, True])
def test_ranks_of_a_text_file_are_read_if_they_are_asked_for(tmp_path: Path, ranks: bool) -> None:
    table = open_run(write(tmp_path, "a.run", TREC), ranks=ranks).whole()
    assert ("rank" in table.roles, "rank" in table.frame.columns) == (ranks, ranks)


def test_ranks_left_unread_are_not_looked_at(tmp_path: Path) -> None:
    pl.DataFrame({**TABLE, "rank": ["a", "b", "c", "d"]}).write_parquet(tmp_path / "run.parquet")
    source = open_run(tmp_path / "run.parquet", ranks=False)
    assert lists(read_all(opened(source))) == LISTS
    some = source.of_users(pl.Series([USERS[0]]), gaps=False)
    assert "rank" not in some.frame.columns


MANY = {
    "user": [3, 1, 5, 1, 2, 3, 4, 1, 3],
    "item": [7, 8, 99, 9, 7, 10, 7, 98, 9],
    "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
}
"""Users 4 and 5 and items 98 and 99 are not of the collection."""
TRAIN = Ratings.from_triples([1, 3], [9, 7]).reindex(USERS, ITEMS)
OTHER = Ratings.from_triples([1, 2], [8, 7]).reindex(USERS, ITEMS)
RULES: list[dict[str, Any]] = [
    {},
    {"unknown_items": "drop"},
    {"training_items": "keep"},
    {"ties": "trec_eval", "training_items": "keep", "unknown_items": "drop"},
]


def source_of(tmp_path: Path, form: str) -> Any:
    """A run in memory, in a text file, or in a Parquet file too long to hold."""
    frame = pl.DataFrame(MANY)
    if form == "table":
        return frame
    path = tmp_path / f"run.{form}"
    frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
    return path


@pytest.mark.parametrize("form", ["table", "csv", "parquet"])
def test_an_open_run_is_read_under_any_rules_and_training_as_if_opened_anew(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 4)
    run = opened(source_of(tmp_path, form))
    assert (run.coded is None) == (form == "parquet")
    for rules in RULES:
        for train in (None, TRAIN, OTHER):
            made = read_all(run, train, **rules)
            expected = read(MANY, train=train, system=made.run.system, rules=RunRules(**rules))
            assert made.run == expected.run
            assert run.report([made.report], RunRules(**rules)) == expected.report


@pytest.mark.parametrize("form", ["table", "parquet"])
def test_lists_of_some_users_at_a_time_are_those_of_all(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 4)
    run = opened(source_of(tmp_path, form))
    blocks = blocks_of_users([run], most=3)
    assert len(blocks) > 1
    for rules in RULES:
        chosen = RunRules(**rules)
        whole = read_all(run, TRAIN, **rules)
        parts = [run.read(some, train=TRAIN, rules=chosen) for some in blocks]
        assert [u for part in parts for u in part.run.topics.users] == [*whole.run.topics.users]
        found = {user: items for part in parts for user, items in lists(part).items()}
        assert found == lists(whole)
        joined = run.report([part.report for part in parts], chosen)
        assert joined == run.report([whole.report], chosen)


def test_a_part_is_parsed_once_for_several_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 4)
    path = source_of(tmp_path, "parquet")
    part = opened(path).part(slice(0, 2))
    path.unlink()
    made = [part.read(train, RunRules()) for train in (TRAIN, OTHER)]
    assert [lists(each) for each in made] == [{1: [8, 98], 2: [7]}, {1: [9, 98]}]


@pytest.mark.parametrize("form", ["table", "csv", "parquet"])
def test_unknown_users_are_refused_whichever_users_are_read(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "_FEW_ROWS", 4)
    run, rules = opened(source_of(tmp_path, form)), RunRules(unknown_users="refuse")
    shown = {"table": r"first 5 \(row 3\)", "csv": r"first 5 \(line 4\)", "parquet": "such as 4"}
    for users in (slice(0, 3), slice(0, 1)):
        with pytest.raises(OddRun, match=f"2 rows name users .*, {shown[form]}"):
            run.read(users, train=None, rules=rules)
    with pytest.raises(OddRun, match="2 rows name users"):
        run.report([], rules)
    run.check(RunRules())


def test_a_run_of_which_no_list_is_left_is_refused_by_its_report() -> None:
    run = opened({"user": [1], "item": [9], "score": [1.0]})
    made = read_all(run, TRAIN)
    assert len(made.run) == 0
    with pytest.raises(EmptyInput, match="once training items are left out"):
        run.report([made.report], RunRules())
