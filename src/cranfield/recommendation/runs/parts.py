"""The files of a run: one, the parts of a table in a folder, or those that a pattern means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import MissingFile, UnreadableFile
from cranfield.base.packed import PARQUET, exists, first_bytes, reading
from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER
from cranfield.collection.tables.addresses import reading_address
from cranfield.collection.tables.locations import (
    is_address,
    matching_files,
    part_files,
    partitioned_files,
)
from cranfield.recommendation.runs.json_files import SUFFIXES
from cranfield.recommendation.runs.nested import FlatRows, flatten
from cranfield.recommendation.runs.table import RunTable
from cranfield.recommendation.runs.text_layout import RunFormat


def run_files(source: str | Path) -> list[Path]:
    """The file of a run, or those that are its parts in order of their names."""
    path = Path(source).expanduser()
    if not exists(path):
        found = matching_files(str(path))
        if not found:
            raise MissingFile(str(path))
        return found
    if not path.is_dir():
        return [path]
    parts = part_files(path, SUFFIXES) or partitioned_files(path)
    if not parts:
        remedy = "Name the file of the run in it, or its files by a pattern such as part-*.parquet."
        raise UnreadableFile(
            str(path), "it is a folder that does not hold the parts of a table", remedy
        )
    return parts


def is_parquet(files: Sequence[Path], format: RunFormat) -> bool:  # noqa: A002
    """Whether files are of Parquet, as stated, or as the first of them shows."""
    found = first_bytes(files[0]).startswith(PARQUET)
    return format == "parquet" or found or files[0].suffix.lower() == ".parquet"


def scan_parquet(files: Sequence[Path], columns: Mapping[str, str] | None, where: str) -> FlatRows:
    """The rows of Parquet files, which stay there, and the roles of their columns."""
    with whole_parquet(where):
        for path in files[1:]:
            first_bytes(path)
        # Folders in the folder that was given tell columns; those around it do not.
        divided = Path(where).is_dir() and files[0].parent != Path(where)
        rows = pl.scan_parquet(list(files), glob=False, hive_partitioning=divided)
        return flatten(rows, columns, where)


def scan_address(address: str, columns: Mapping[str, str] | None) -> FlatRows:
    """The same of Parquet files at an address such as s3://bucket/run/*.parquet."""
    with whole_parquet(address):
        return flatten(pl.scan_parquet(address), columns, address)


@contextmanager
def whole_parquet(where: str) -> Iterator[None]:
    """What goes wrong with Parquet files while they are read, said in one sentence."""
    try:
        with reading_address(where) if is_address(where) else reading(Path(where)):
            yield
    except PolarsError:
        problem = "it is not a whole Parquet file"
        raise UnreadableFile(where, problem, "Download or create the file again.") from None


def join_tables(tables: Sequence[RunTable], files: Sequence[Path], where: str) -> RunTable:
    """The rows of several tables in one, under the names of the roles that they play.

    Numbers are read here, so that what is wrong with one is told with its file and line.
    """
    for path, table in zip(files, tables, strict=True):
        refuse_other_columns((files[0], tables[0].roles), (path, table.roles), where)
    frames = list(map(columns_of, tables))
    roles = frames[0].columns
    text = [role for role in roles if any(each.schema[role] == pl.String for each in frames)]
    frames = [each.with_columns(pl.col(text).cast(pl.String)) for each in frames]
    return RunTable(
        pl.concat(frames, how="vertical_relaxed"), {role: role for role in roles}, where
    )


Part = tuple[Path, Mapping[str, str]]
"""A file, and the roles of its columns."""


def refuse_other_columns(first: Part, other: Part, where: str) -> None:
    """Refuse a part whose columns play other roles than those of the first part."""
    if set(first[1]) == set(other[1]):
        return
    known, found = (", ".join(_ordered(roles)) for _, roles in (first, other))
    problem = f"{first[0].name} has columns for {known}, {other[0].name} for {found}"
    raise UnreadableFile(where, problem, "Give parts that have the same columns.")


def _ordered(roles: Mapping[str, str]) -> list[str]:
    return [role for role in (USER, ITEM, SCORE, RANK, SYSTEM) if role in roles]


def columns_of(table: RunTable) -> pl.DataFrame:
    """The columns of a table under the names of the roles that they play, numbers converted."""
    return pl.DataFrame({role: _column(table, role) for role in _ordered(table.roles)})


def _column(table: RunTable, role: str) -> pl.Series:
    """A column of a table, its ids spelled out and its numbers converted."""
    if role in table.ids:
        ids, numbers, places, _ = table.ids[role]
        return pl.Series(ids.take(places[numbers]))
    if role == SCORE and table.gaps is None:
        return pl.Series(table.floats(role))
    return table.frame[table.roles[role]]
