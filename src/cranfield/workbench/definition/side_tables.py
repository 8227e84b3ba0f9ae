"""Tables beside the ratings: groups and weights of users, item vectors, a catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import (
    BadParameter,
    BadValue,
    CranfieldError,
    OptionError,
)
from cranfield.base.files import fingerprint
from cranfield.base.ids import Ids, as_ids, number_ids
from cranfield.base.schema import ITEM, SCORE, USER, find_columns
from cranfield.collection.items import Floats, vectors_from_labels
from cranfield.collection.tables.columns import finite, to_polars
from cranfield.collection.tables.side_table import read_side_table
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.scores import COLUMNS

Quantiles = Literal["activity", "test-size", "popularity"]
"""What is counted: the training or the test ratings of users, or all ratings of items."""

DECILES = 10


@decisions("grouping")
@dataclass(frozen=True, kw_only=True)
class Grouping:
    """By what scores are broken down: users by activity, test size or an attribute, items by
    popularity.

    ``parts`` is the number of quantiles; an attribute is a ``column`` of a ``table``, by
    quantiles where it has more different numbers.
    """

    kind: Literal["activity", "test-size", "popularity", "attribute"]
    parts: int = parameter(DECILES, at_least=1)
    table: Any = None
    column: str = ""

    def __str__(self) -> str:
        attribute = self.kind == "attribute"
        by = f"{object_text(self.table)}:{self.column}" if attribute else self.kind
        return by if self.parts == DECILES else f"{by}:{self.parts}"

    @property
    def of_users(self) -> bool:
        """Whether users are grouped, rather than items."""
        return self.kind != "popularity"


def parse_grouping(text: str) -> Grouping:
    """A grouping as it is spelled: activity, test-size, popularity or FILE:COLUMN, with or without
    a number.

    >>> parse_grouping("activity:4").parts
    4
    >>> parse_grouping("users.csv:age").column
    'age'
    >>> parse_grouping("users.csv:age:4").parts
    4
    """
    name, colon, rest = text.rpartition(":") if ":" in text else (text, "", "")
    if name in get_args(Quantiles):
        if colon and not rest.isdecimal():
            raise BadParameter("grouping", name, rest, "a whole number of at least 1")
        return Grouping(kind=cast(Quantiles, name), parts=int(rest) if colon else DECILES)
    if not colon or not name or not rest:
        wanted = "activity, activity:N, test-size, popularity, FILE:COLUMN or FILE:COLUMN:N"
        raise OptionError(f'"{text}" is not a grouping such as {wanted}.')
    file, column, parts = attribute_of(text)
    return Grouping(
        kind="attribute", table=file, column=column, parts=DECILES if parts is None else parts
    )


def attribute_of(text: str) -> tuple[str, str, int | None]:
    """File, column and number of parts of an attribute, as in ``users.csv:age:4``.

    >>> attribute_of("C:/users.csv:4")  # a column called 4
    ('C:/users.csv', '4', None)
    """
    file, _, last = text.rpartition(":")
    inner, colon, column = file.rpartition(":")
    if colon and last.isdecimal() and len(inner) > 1 and column:
        return inner, column, int(last)
    return file, last, None


def vectors_of(table: Any, item_ids: Ids) -> Floats | None:
    """One vector per item of a table: its numbers, then 1 for each label; 0 for others.

    Labels are written ``War|Drama``. None without a table.
    """
    if table is None:
        return None
    frame, where = read_side_table(table)
    item = find_columns(frame.columns, (ITEM,), where=where)[ITEM]
    ids = as_ids(frame[item], where, item)
    if ids.is_duplicated().any():
        raise BadValue(where, item, ids.filter(ids.is_duplicated())[0], "an item once")
    parts = []
    for column in frame.drop(item).iter_columns():
        if column.dtype == pl.String:
            labels = [text.split("|") if text else [] for text in column]
            parts.append(
                vectors_from_labels(dict(zip(ids.to_list(), labels, strict=True)), item_ids)
            )
        else:
            parts.append(_numbers(ids, finite(column, where, None), item_ids))
    if not parts:
        raise OptionError(f"{where}: no column other than {item} describes the items.")
    return np.concatenate(parts, axis=1)


def user_columns_of(table: Any, user_ids: Ids) -> dict[str, Floats]:
    """Every column of numbers in a table of users, by name: one number for each user here.

    NaN stands for users without a row and for empty cells. Nothing without a table.
    """
    if table is None:
        return {}
    frame, where = read_side_table(table, "user_columns")
    user = find_columns(frame.columns, (USER,), where=where)[USER]
    ids = as_ids(frame[user], where, user)
    if ids.is_duplicated().any():
        raise BadValue(where, user, ids.filter(ids.is_duplicated())[0], "a user once")
    codes, columns = user_ids.encode(ids), dict[str, Floats]()
    for column in frame.drop(user).iter_columns():
        if column.dtype.is_numeric():
            numbers = np.full(len(user_ids), np.nan)
            values = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
            numbers[codes[codes >= 0]] = values[codes >= 0]
            columns[_free_name(column.name, where)] = numbers
    return columns


def _free_name(name: str, where: str) -> str:
    """A name of a column of users, unless tables of scores have a column of that name."""
    if name in COLUMNS:
        raise OptionError(f'{where}: scores have a column "{name}" already. Give it another name.')
    return name


def _numbers(ids: pl.Series, values: Floats, item_ids: Ids) -> Floats:
    codes = item_ids.encode(ids)
    column = np.zeros((len(item_ids), 1))
    column[codes[codes >= 0], 0] = values[codes >= 0]
    return column


def catalogue_ids(given: Any) -> Ids:
    """The items of a catalogue: a file or table with a column of item ids, or a list of ids.

    >>> len(catalogue_ids([7, 8, 8]))
    2
    """
    if isinstance(given, Ids):
        return given
    if isinstance(given, list | tuple | np.ndarray | pl.Series):
        return number_ids(as_ids(pl.Series(given), "catalogue", ITEM)).ids
    frame, where = read_side_table(given, "catalogue")
    item = find_columns(frame.columns, (ITEM,), where=where)[ITEM]
    return number_ids(as_ids(frame[item], where, item)).ids


def object_text(value: Any) -> str:
    """How a record names what a user gave: files by path, objects by fingerprint.

    >>> object_text("mine.tsv"), object_text({"item": [7]}).partition(" ")[0]
    ('mine.tsv', 'table')
    """
    if value is None or isinstance(value, str | Path) or hasattr(value, "option_name"):
        return "" if value is None else str(value)
    content = getattr(value, "fingerprint", None)
    if isinstance(content, str):
        return f"{type(value).__name__} {content}"
    if isinstance(value, Run):
        lists = value.topics.users, value.offsets, value.items, value.predictions
        return f"Run {fingerprint(value.system, *lists)}"
    try:
        frame = to_polars(value, "table", (USER, ITEM, SCORE))
    except (TypeError, CranfieldError):
        return str(value)
    return f"table {fingerprint(*(part for each in frame for part in _content(each)))}"


def _content(column: pl.Series) -> tuple[str | bytes | np.ndarray[Any, Any], ...]:
    if column.dtype.is_numeric() and not column.null_count():
        return column.name, column.to_numpy()
    return column.name, "\0".join(map(str, column.to_list()))
