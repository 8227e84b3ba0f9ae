"""Ratings in several files that are parts of one table, and tables at an address."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from cranfield.base.errors import InputError, UnreadableFile
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.sources.table import RatingTable


def join_parts(tables: Sequence[RatingTable], paths: Sequence[Path], where: str) -> RatingTable:
    """The rows of several tables in one, under the names of the roles that they play."""
    for path, table in zip(paths, tables, strict=True):
        if set(table.roles) != set(tables[0].roles):
            known, other = (", ".join(each.roles) for each in (tables[0], table))
            problem = f"{paths[0].name} has columns for {known}, {path.name} for {other}"
            raise UnreadableFile(where, problem, "Give parts that have the same columns.")
    names = tables[0].roles
    frames = [
        table.frame.select(pl.col(table.roles[role]).alias(name) for role, name in names.items())
        for table in tables
    ]
    return RatingTable(pl.concat(frames, how="vertical_relaxed"), names)


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
