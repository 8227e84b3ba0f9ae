"""Runs made elsewhere: read from files and tables of any usual form, and written to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import (
    BadParameter,
    EmptyInput,
    MissingFile,
    OddRun,
    UnreadableFile,
)
from cranfield.base.ids import Ids, as_names
from cranfield.base.packed import PARQUET, exists, first_bytes, reading
from cranfield.base.schema import ITEM, SCORE, SYSTEM, USER
from cranfield.collection.columns import to_polars
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.coding import Reading, refuse_empty
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.source import RunSource, open_lists
from cranfield.recommendation.runs.table import RunTable
from cranfield.recommendation.runs.text import WHAT, RunFormat, read_text, roles_of

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
    """The lists of one system, from a file (plain, .gz, .zst) or any table.

    A list is ordered by falling score, then by ``rules.ties``; by rank where there is no
    score. ``system`` names the run, or picks one where the table holds several; else its
    name is what the table says, or the file's. ``train`` shows which items are no
    recommendation, since the user has them.

    >>> ids = Ids(pl.Series([1, 2])), Ids(pl.Series([7, 8]))
    >>> table = {"user": [2, 2], "item": [7, 8], "score": [0.5, 0.9]}
    >>> read_run(table, user_ids=ids[0], item_ids=ids[1]).run.items
    array([1, 0], dtype=int32)
    """
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

    A source that is open already stays as it is. Without ``ranks`` those of a file are left
    alone, unless a score is missing.
    """
    if isinstance(source, RunSource):
        return source
    if format not in get_args(RunFormat):
        raise BadParameter("run", "format", format, f"one of {', '.join(get_args(RunFormat))}")
    scanned = _scan(source, columns, format)
    if scanned is None:
        table = _table(source, columns, format, ranks=ranks)
        name, several = _system(_systems(table), system, source, table.where)
        table = _of(table, name) if several else table
        return RunSource(name, table.frame.lazy(), table.roles, table.where, held=table)
    path, rows, roles = scanned
    name, several = _system(_tags(path, rows, roles), system, source, str(path))
    if several:
        tag = pl.col(roles[SYSTEM]).cast(pl.String)
        return RunSource(name, rows.filter(tag == name), roles, f"{path}, {name}", ranks=ranks)
    return RunSource(name, rows, roles, str(path), ranks=ranks)


def refuse_missing(sources: Iterable[Any]) -> None:
    """Refuse files of runs that are not there; tables are."""
    for source in sources:
        if isinstance(source, str | Path) and not exists(Path(source).expanduser()):
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


def _table(
    source: Any,
    columns: Mapping[str, str] | None,
    format: RunFormat,  # noqa: A002
    *,
    ranks: bool,
) -> RunTable:
    """The table of a run in a text file or in memory."""
    if isinstance(source, str | Path):
        return read_text(Path(source).expanduser(), format, columns, ranks=ranks)
    frame = to_polars(source, "table", (USER, ITEM, SCORE))
    if frame.is_empty():
        raise EmptyInput("table", WHAT)
    return RunTable(frame, roles_of(tuple(frame.columns), columns, "table"), "table")


def _scan(
    source: Any,
    columns: Mapping[str, str] | None,
    format: RunFormat,  # noqa: A002
) -> tuple[Path, pl.LazyFrame, dict[str, str]] | None:
    """The rows of a Parquet file and the roles of its columns; None for anything else."""
    if not isinstance(source, str | Path):
        return None
    refuse_missing([source])
    path = Path(source).expanduser()
    if path.is_dir():
        raise UnreadableFile(str(path), "it is a folder", "Name the file of the run in it.")
    is_parquet = first_bytes(path).startswith(PARQUET)
    if not (format == "parquet" or is_parquet or path.suffix.lower() == ".parquet"):
        return None
    with _whole_parquet(path):
        scanned = pl.scan_parquet(path, glob=False)
        roles = roles_of(tuple(scanned.collect_schema().names()), columns, str(path))
        return path, scanned.select(roles.values()), roles


def _tags(path: Path, rows: pl.LazyFrame, roles: Mapping[str, str]) -> list[str]:
    """The systems that a Parquet file names, in order; none if it names none."""
    if SYSTEM not in roles:
        return []
    with _whole_parquet(path):
        few = rows.unique(roles[SYSTEM], keep="any").collect()
    return _systems(RunTable(few, roles, str(path)))


@contextmanager
def _whole_parquet(path: Path) -> Iterator[None]:
    try:
        with reading(path):
            yield
    except PolarsError:
        problem = "it is not a whole Parquet file"
        raise UnreadableFile(str(path), problem, "Fetch or make the file again.") from None


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
    """A name for a run that has none: that of its file without suffixes."""
    return Path(source).name.split(".")[0] if isinstance(source, str | Path) else "run"
