"""Tables beside the ratings: groups of users or items to break scores down by, item vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import (
    BadParameter,
    BadValue,
    MissingFile,
    OptionError,
    UnreadableFile,
)
from cranfield.base.ids import Ids, as_ids
from cranfield.base.schema import ITEM, USER, find_columns
from cranfield.collection.columns import finite, to_polars
from cranfield.collection.items import Floats, vectors_from_labels
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics
from cranfield.scoring.breakdown import Groups, by_activity, by_attribute, by_popularity

Quantiles = Literal["activity", "popularity"]
"""What is counted: the training ratings of users, or all ratings of items."""

DECILES = 10


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """By what scores are broken down: users by activity or an attribute, items by popularity.

    ``parts`` is the number of quantiles; an attribute is a ``column`` of a ``table``.
    """

    kind: Quantiles | Literal["attribute"]
    parts: int = DECILES
    table: Any = None
    column: str = ""

    @property
    def of_users(self) -> bool:
        """Whether users are grouped, rather than items."""
        return self.kind != "popularity"


def parse_grouping(text: str) -> Grouping:
    """A grouping as it is spelled: activity, popularity, either with a number, or FILE:COLUMN.

    >>> parse_grouping("activity:4").parts
    4
    >>> parse_grouping("users.csv:age").column
    'age'
    """
    name, colon, rest = text.rpartition(":") if ":" in text else (text, "", "")
    if name in get_args(Quantiles):
        if colon and (not rest.isdecimal() or int(rest) < 1):
            raise BadParameter("--by", name, rest, "a whole number of at least 1")
        parts = int(rest) if colon else DECILES
        return Grouping(kind=cast(Quantiles, name), parts=parts)
    if not colon or not name or not rest:
        wanted = "activity, activity:N, popularity, popularity:N or FILE:COLUMN"
        raise BadParameter("--by", "grouping", text, wanted)
    return Grouping(kind="attribute", table=name, column=rest)


def group_users(wanted: Grouping, train: Ratings, topics: Topics) -> Groups:
    """The group of each user."""
    if wanted.kind == "activity":
        if not len(train):
            raise OptionError("by activity: it is counted in training ratings; give them as train.")
        return by_activity(train, topics.users, wanted.parts)
    frame, where = read_side_table(wanted.table)
    user = find_columns(frame.columns, (USER,), where=where)[USER]
    renamed = frame.rename({user: USER}) if user != USER else frame
    return by_attribute(renamed, wanted.column, train.user_ids, where)


def group_items(wanted: Sequence[Grouping], collection: TestCollection) -> Groups | None:
    """The group of each item, if items are to be grouped."""
    chosen = [each for each in wanted if not each.of_users]
    if len(chosen) > 1:
        raise OptionError("by popularity: given twice.")
    return by_popularity(collection.popularity, chosen[0].parts) if chosen else None


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
        raise OptionError(f"{where}: no column beside {item} says what items are like.")
    return np.concatenate(parts, axis=1)


def _numbers(ids: pl.Series, values: Floats, item_ids: Ids) -> Floats:
    codes = item_ids.encode(ids)
    column = np.zeros((len(item_ids), 1))
    column[codes[codes >= 0], 0] = values[codes >= 0]
    return column


def read_side_table(source: Any) -> tuple[pl.DataFrame, str]:
    """A table, and what to call it in messages."""
    if not isinstance(source, str | Path):
        return to_polars(source, "table"), "table"
    path = Path(source).expanduser()
    if not path.is_file():
        raise MissingFile(str(path))
    try:
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path), str(path)
        first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
        separator = next((s for s in ("\t", ";", ",") if s in first), ",")
        return pl.read_csv(path, separator=separator), str(path)
    except (PolarsError, OSError) as error:
        remedy = "Give a CSV, TSV or Parquet file with a header."
        raise UnreadableFile(str(path), "it is not a table", remedy) from error
