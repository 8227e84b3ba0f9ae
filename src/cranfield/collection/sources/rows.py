"""Files with a line for each user: lists of items, and matrices of users by items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeGuard, get_args

import numpy as np
import polars as pl

from cranfield.base.errors import BadValue, EmptyInput, UnreadableFile
from cranfield.base.schema import ITEM, RATING, USER
from cranfield.base.text_ids import ids_from_text
from cranfield.collection.text.exact import text_lines
from cranfield.collection.text.layout import is_number

RowFormat = Literal["lists", "citeulike", "matrix", "jester"]
"""Layouts with a line for each user."""

_BETWEEN = re.compile(r"\s*[,;\t]\s*|\s+")
"""What separates the fields of a matrix."""
_NOT_RATED = 99.0
"""What Jester has in place of a rating."""


class _Row(NamedTuple):
    """A line that is filled: the file, its number there, that of its user, and its fields."""

    path: Path
    line: int
    user: int
    fields: list[str]

    @property
    def where(self) -> str:
        return f"{self.path}, line {self.line}"


class _Rated(NamedTuple):
    """What a line says: the user, the items and, in matrices, their ratings."""

    user: str
    items: list[str]
    ratings: list[float] | None = None


def is_rows(format: str) -> TypeGuard[RowFormat]:  # noqa: A002
    """Whether a format has a line for each user."""
    return format in get_args(RowFormat)


def read_rows(
    path: Path,
    format: RowFormat,  # noqa: A002
) -> tuple[pl.DataFrame, dict[str, str], Callable[[int], int]]:
    """The table that a file holds, the roles of its columns, and the line of a row."""
    users: list[str] = []
    items: list[str] = []
    ratings: list[float] = []
    lines: list[int] = []
    for row in _rows(path, format):
        user, listed, values = _READERS[format](row)
        users += [user] * len(listed)
        items += listed
        ratings += values or []
        lines += [row.line] * len(listed)
    if not items:
        raise EmptyInput(str(path))
    rated = {RATING: ratings} if ratings else {}
    frame = pl.DataFrame({USER: users, ITEM: items, **rated})
    frame = frame.with_columns(ids_from_text(frame[name]) for name in (USER, ITEM))
    places = np.array(lines)
    return frame, {name: name for name in frame.columns}, lambda row: int(places[row])


def _rows(path: Path, format: RowFormat) -> Iterator[_Row]:  # noqa: A002
    """The lines that are filled; all of a matrix must have as many fields as its first."""
    width, user = None, 0
    for number, line in enumerate(text_lines(path), start=1):
        text = line.strip()
        if not text:
            continue
        listed = format in ("lists", "citeulike")
        row = _Row(path, number, user, text.split() if listed else _BETWEEN.split(text))
        width = width or len(row.fields)
        if not listed and len(row.fields) != width:
            raise UnreadableFile(row.where, f"it has {len(row.fields)} fields, the first {width}")
        user += 1
        yield row


def _list(row: _Row) -> _Rated:
    """``user item item …``"""
    return _Rated(row.fields[0], row.fields[1:])


def _library(row: _Row) -> _Rated:
    """``count item item …``, of the users 0, 1, 2, …"""
    stated, *items = row.fields
    if stated != str(len(items)):
        problem = f'it lists {len(items)} items, and "{stated}" as their number'
        raise UnreadableFile(row.where, problem)
    return _Rated(str(row.user), items)


def _ratings(row: _Row) -> _Rated:
    """``rating rating …``, 0 where there is none."""
    return _rated(row, row.fields, 0.0)


def _jokes(row: _Row) -> _Rated:
    """``count rating rating …``, 99 where there is none."""
    stated, *ratings = row.fields
    if not is_number(stated) or not 0 <= float(stated) <= len(ratings):
        wanted = f"a number of ratings, from 0 to {len(ratings)}"
        raise BadValue(str(row.path), "count", stated, wanted, line=row.line)
    return _rated(row, ratings, _NOT_RATED)


def _rated(row: _Row, fields: list[str], missing: float) -> _Rated:
    """The items that have a rating, numbered from 1, as is the user."""
    wrong = next((at for at, each in enumerate(fields, start=1) if not is_number(each)), None)
    if wrong is not None:
        value = fields[wrong - 1] or None
        raise BadValue(str(row.path), f"item {wrong}", value, "a number", line=row.line)
    found = [(at, float(each)) for at, each in enumerate(fields, start=1)]
    kept = [(str(at), value) for at, value in found if value != missing]
    return _Rated(str(row.user + 1), [at for at, _ in kept], [value for _, value in kept])


_READERS: dict[RowFormat, Callable[[_Row], _Rated]] = {
    "lists": _list, "citeulike": _library, "matrix": _ratings, "jester": _jokes,
}  # fmt: skip
