"""Runs made elsewhere: read from files and tables of any usual form, and written to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
import polars as pl

from cranfield.base.errors import BadParameter, EmptyInput, MissingFile, OddRun
from cranfield.base.ids import Ids, as_names
from cranfield.base.schema import SYSTEM
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.addresses import holds_parquet, local_copies
from cranfield.collection.tables.locations import file_name, is_address, names_files
from cranfield.recommendation.runs.coding import Reading, refuse_empty
from cranfield.recommendation.runs.json_files import is_json, read_json
from cranfield.recommendation.runs.large_text import copy_rows, is_large
from cranfield.recommendation.runs.nested import FlatRows, flatten
from cranfield.recommendation.runs.objects import run_table
from cranfield.recommendation.runs.parts import (
    is_parquet,
    join_tables,
    run_files,
    scan_address,
    scan_parquet,
    whole_parquet,
)
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.run import Run
from cranfield.recommendation.runs.source import RunSource, open_lists
from cranfield.recommendation.runs.table import RunTable
from cranfield.recommendation.runs.text import read_text
from cranfield.recommendation.runs.text_layout import WHAT, RunFormat

_RULES = RunRules()


def read_run(
    source: Any,
    *,
    user_ids: Ids,
    item_ids: Ids,
    train: Ratings | None = None,
    system: str | None = None,
    columns: Mapping[str, str] | None = None,
    format: RunFormat = "auto",  # noqa: A002
    rules: RunRules = _RULES,
) -> Reading:
    """The lists of one system, from a file (plain, .gz, .zst), a folder or pattern of its
    parts, an address, any table, or any form of a run that `run_table` knows.

    A list is ordered by falling score, then by ``rules.ties``; by rank where there is no
    score. ``system`` names the run, or picks one where the table holds several; else its
    name is what the table says, or the file's. ``train`` shows which items are no
    recommendation, since the user has them.

    >>> ids = Ids(pl.Series([1, 2])), Ids(pl.Series([7, 8]))
    >>> table = {"user": [2, 2], "item": [7, 8], "score": [0.5, 0.9]}
    >>> read_run(table, user_ids=ids[0], item_ids=ids[1]).run.items
    array([1, 0], dtype=int32)
    """
    if isinstance(source, Run):
        opened = source_of_run(source, user_ids, item_ids)
    else:
        opened = open_run(source, system=system, columns=columns, format=format)
    lists = open_lists(replace(opened, held=opened.whole()), user_ids, item_ids)
    known = None if train is None else _reindexed(train, user_ids, item_ids)
    made = lists.read(slice(0, len(user_ids)), train=known, rules=rules)
    refuse_empty(opened.where, made.report)
    return made


def _reindexed(train: Ratings, user_ids: Ids, item_ids: Ids) -> Ratings:
    """The training ratings under other ids; those of users and items that these lack are left
    out.
    """
    if (train.user_ids, train.item_ids) == (user_ids, item_ids):
        return train
    users = user_ids.encode(train.user_ids.values)[train.users]
    items = item_ids.encode(train.item_ids.values)[train.items]
    both = (users >= 0) & (items >= 0)
    return train.take(both).compact().reindex(user_ids, item_ids)


def open_run(
    source: Any,
    *,
    system: str | None = None,
    columns: Mapping[str, str] | None = None,
    format: RunFormat = "auto",  # noqa: A002
    ranks: bool = True,
) -> RunSource:
    """Where the rows of one system are; a Parquet file is looked at, and not yet read.

    An address such as s3://bucket/run.parquet or https://host/run.csv is read by Polars.

    A source that is open already stays as it is. Without ``ranks`` those of a file are left
    alone, unless a score is missing.
    """
    if isinstance(source, RunSource):
        return source
    if format not in get_args(RunFormat):
        raise BadParameter("run", "format", format, f"one of {', '.join(get_args(RunFormat))}")
    if not isinstance(source, str | Path):
        flat = flatten(run_table(source, "table", columns).lazy(), columns, "table")
        return _held(flat, source, system)
    asked = _Asked(str(source), system, columns, format, ranks)
    return _at_address(asked) if is_address(asked.source) else _in_files_here(asked)


class _Asked(NamedTuple):
    """Which run is to be opened, and how."""

    source: str
    system: str | None
    columns: Mapping[str, str] | None
    format: RunFormat
    ranks: bool


def _in_files_here(asked: _Asked) -> RunSource:
    files, where = run_files(asked.source), str(Path(asked.source).expanduser())
    if is_parquet(files, asked.format):
        return _in_parquet(scan_parquet(files, asked.columns, where), asked)
    return _in_text(files, where, asked)


def _at_address(asked: _Asked) -> RunSource:
    """A run at an address; lines of its text are not known later, when the copy is gone."""
    where = asked.source
    if asked.format == "parquet" or (asked.format == "auto" and holds_parquet(where)):
        return _in_parquet(scan_address(where, asked.columns), asked)
    with local_copies(where, WHAT) as files:
        made = _in_text(files, where, asked)
    return replace(made, where=where, held=replace(made.whole(), where=where, line_of=None))


def _in_parquet(flat: FlatRows, asked: _Asked) -> RunSource:
    """The source of rows that stay in Parquet files."""
    name, several = _system(_tags(flat), asked.system, asked.source, flat.where)
    flat = flat.of(name) if several else flat
    empty = flat.empty_users
    return RunSource(name, flat.rows, flat.roles, flat.where, ranks=asked.ranks, empty=empty)


def _in_text(files: Sequence[Path], where: str, asked: _Asked) -> RunSource:
    """The source of rows in text or JSON, which are read at once unless they are large."""
    copied = copy_rows(files, asked.format, asked.columns, where) if is_large(files) else None
    if copied is not None:
        return replace(_in_parquet(copied.flat, asked), copied=copied)
    if is_json(files[0], asked.format):
        return _held(read_json(files, asked.columns, where), asked.source, asked.system)
    tables = [read_text(each, asked.format, asked.columns, ranks=asked.ranks) for each in files]
    table = tables[0] if len(tables) == 1 else join_tables(tables, files, where)
    name, several = _system(_systems(table), asked.system, asked.source, table.where)
    table = _of(table, name) if several else table
    return RunSource(name, table.frame.lazy(), table.roles, table.where, held=table)


def source_of_run(run: Run, user_ids: Ids, item_ids: Ids) -> RunSource:
    """Where the rows of a `Run` are, whose codes are those of the collection."""
    if run.topics.items is not None:
        problem, remedy = "it has several lists per user", "Give runs with one list per user"
        raise OddRun(run.system, problem, remedy)
    ends = run.topics.users.max(initial=-1), run.items.max(initial=-1)
    if ends[0] >= len(user_ids) or ends[1] >= len(item_ids):
        problem = "it is a Run under the ids of another collection"
        raise OddRun(run.system, problem, "Give its table, as in run.table(user_ids, item_ids)")
    opened = open_run(run.table(user_ids, item_ids), system=run.system)
    nothing = run.topics.users[run.lengths == 0]
    return replace(opened, empty=Ids(user_ids.take(nothing)) if len(nothing) else None)


def _held(flat: FlatRows, source: Any, system: str | None) -> RunSource:
    """The source of rows that are in memory."""
    table = RunTable(flat.rows.collect(), flat.roles, flat.where)
    if table.frame.is_empty():
        raise EmptyInput(flat.where, WHAT)
    name, several = _system(_systems(table), system, source, flat.where)
    if several:
        flat = flat.of(name)
        table = RunTable(flat.rows.collect(), flat.roles, flat.where)
    rows, empty = table.frame.lazy(), flat.empty_users
    return RunSource(name, rows, table.roles, table.where, held=table, empty=empty)


def refuse_missing(sources: Iterable[Any]) -> None:
    """Refuse files of runs that are not there; tables are."""
    for source in sources:
        if isinstance(source, str | Path) and not names_files(str(source)):
            raise MissingFile(str(Path(source).expanduser()))


def _system(names: list[str], asked: str | None, source: Any, where: str) -> tuple[str, bool]:
    """The name of the system to read, and whether there are others in the table."""
    if len(names) < 2:
        return asked or (names[0] if names else _name_of(source)), False
    if asked in names:
        return str(asked), True
    lacking = "" if asked is None else f', and none is called "{asked}"'
    problem = f"{len(names)} systems are in it, such as {names[0]} and {names[1]}{lacking}"
    raise OddRun(where, problem, "Say which one with system = NAME, or read all of them")


def _tags(flat: FlatRows) -> list[str]:
    """The systems that Parquet files name, in order; none if they name none."""
    if SYSTEM not in flat.roles:
        return []
    with whole_parquet(flat.where):
        few = flat.rows.unique(flat.roles[SYSTEM], keep="any").collect()
    return _systems(RunTable(few, flat.roles, flat.where))


def _systems(table: RunTable) -> list[str]:
    """The systems that a table names, in order; none if it names none."""
    if SYSTEM in table.ids:
        return table.ids[SYSTEM].ids.values.to_list()
    column = table.column(SYSTEM)
    if column is None:
        return []
    return as_names(column, table.where, "the name of a system").unique().sort().to_list()


def _of(table: RunTable, system: str) -> RunTable:
    """The rows of one system, which still know their lines."""
    if SYSTEM in table.ids:
        names, numbers, places, _ = table.ids[SYSTEM]
        rows = np.flatnonzero((places == names.encode([system])[0])[numbers])
    else:
        rows = (table.frame[table.roles[SYSTEM]].cast(pl.String) == system).arg_true().to_numpy()
    return table.take(rows, f"{table.where}, {system}")


def _name_of(source: Any) -> str:
    """A name for a run that has none: that of its file without suffixes, or its own."""
    if isinstance(source, str | Path):
        name = file_name(str(source)) if is_address(str(source)) else Path(source).name
        return name.split(".")[0]
    named = getattr(source, "name", None)
    return named if isinstance(named, str) and named else "run"
