"""Ratings in several files that are parts of one table, and tables at an address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from cranfield.base.errors import InputError, UnreadableFile
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.sources.table import RatingTable

_KINDS = (".parquet", ".csv", ".tsv", ".txt", ".dat", ".inter")
_PACKED = (".gz", ".zst")


def part_files(folder: Path) -> list[Path]:
    """The parts of one table in a folder, in order of their names; none if it holds no such.

    They are of one kind, and their names begin with "part" or differ in numbers alone, as
    Spark, Dask, Polars, DuckDB and BigQuery write them. What begins with _ or . is a note of
    the writer.
    """
    files = sorted(each for each in folder.iterdir() if each.is_file())
    files = [each for each in files if not each.name.startswith(("_", "."))]
    kinds = {_kind(each) for each in files}
    unnumbered = {re.sub(r"\d+", "0", each.name) for each in files}
    numbered = len(unnumbered) == 1 and any(map(str.isdigit, files[0].name))
    named = all(each.name.lower().startswith("part") for each in files)
    return files if len(kinds) == 1 and "" not in kinds and (numbered or named) else []


def _kind(path: Path) -> str:
    """The suffix that says how a file is written; empty for none of those that are read."""
    suffixes = [each.lower() for each in path.suffixes if each.lower() not in _PACKED]
    return suffixes[-1] if suffixes and suffixes[-1] in _KINDS else ""


def join_parts(tables: Sequence[RatingTable], paths: Sequence[Path], where: str) -> RatingTable:
    """The rows of several tables in one, under the names of the roles that they play."""
    for path, table in zip(paths, tables, strict=True):
        if set(table.roles) != set(tables[0].roles):
            known, other = (", ".join(each.roles) for each in (tables[0], table))
            problem = f"{paths[0].name} has columns for {known}, {path.name} for {other}"
            raise UnreadableFile(where, problem, "Give parts that have the same columns.")
    roles = list(tables[0].roles)
    frames = [
        table.frame.select(pl.col(table.roles[role]).alias(role) for role in roles)
        for table in tables
    ]
    return RatingTable(pl.concat(frames, how="vertical_relaxed"), {role: role for role in roles})


def ratings_of_parts(
    tables: Sequence[RatingTable], paths: Sequence[Path], duplicates: Duplicates, where: str
) -> Ratings:
    """The ratings of several tables; what is wrong within one is told with its own file."""
    joined = join_parts(tables, paths, where)
    try:
        return joined.ratings(duplicates, where)
    except InputError:
        for path, table in zip(paths, tables, strict=True):
            table.ratings(duplicates, str(path))
        raise
