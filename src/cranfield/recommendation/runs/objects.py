"""Runs of other libraries in Python, recognised by their structure, as tables.

No library is imported: a user who holds such an object has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import EmptyInput, InputError, NotARun, counted
from cranfield.base.schema import ITEM, SCORE, USER, columns_for
from cranfield.collection.tables.by_user import library_of, plain_mapping
from cranfield.collection.tables.columns import as_column, to_polars
from cranfield.recommendation.runs.text_layout import WHAT

_UNSCORED = float(np.finfo(np.float32).min)
"""What implicit gives for an item that it was told to leave out."""
_LISTS = (Mapping, list, tuple, np.ndarray, pl.Series)


def is_run_object(given: Any, columns: Mapping[str, str] | None = None) -> bool:
    """Whether something is no table, but may be a run that `run_table` makes a table of."""
    if isinstance(given, list | tuple):
        return True
    if isinstance(given, Mapping):
        return not _holds_columns(given, columns)
    return library_of(given) in ("lenskit", "ranx", "pyspark") or _has_records(given)


def _has_records(given: Any) -> bool:
    """Whether something is a pandas table with lists or arrays of records in its cells.

    Spark puts its own rows there, or mappings where it goes by way of Arrow.
    """
    if library_of(given) != "pandas" or getattr(given, "ndim", 0) != 2:
        return False
    cells = [cell for _, column in given.items() if column.dtype == object for cell in column]
    filled = (cell[0] for cell in cells if isinstance(cell, list | np.ndarray) and len(cell))
    first = next(filled, None)
    return isinstance(first, Mapping) or hasattr(first, "asDict")


def run_table(given: Any, where: str, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Any run in Python as a table, with a row for each item or a list in each cell.

    It is any table; ``{user: {item: score}}``, ``{user: [item, …]}`` and ``{user: [(item,
    score), …]}``; a list of rows, which are mappings, named tuples such as the predictions of
    Surprise, or ``(user, item, score)``; ``(ids, scores, users, items)`` of implicit, where
    ``items`` are the ids of its columns; a run of ranx, an ItemListCollection of LensKit, or a
    DataFrame of Spark.
    """
    if not is_run_object(given, columns):
        return to_polars(given, where, (USER, ITEM, SCORE))
    lists, handed = plain_mapping(given), _handed_over(given)
    if handed is not None:
        return run_table(handed, where, columns)
    if lists is not None:
        return _by_user(lists, where)
    if isinstance(given, tuple) and given and getattr(given[0], "ndim", 1) == 2:
        return _from_matrices(given, where)
    rows = given.to_dict("records") if _has_records(given) else given
    if isinstance(rows, list | tuple):
        return _from_rows(rows, where)
    raise NotARun(where, given)


def _handed_over(given: Any) -> Any:
    """The table that an object of LensKit or Spark makes of itself; None for any other."""
    makers = {"lenskit": ("to_arrow",), "pyspark": ("toArrow", "toPandas")}
    names = [name for name in makers.get(library_of(given), ()) if hasattr(given, name)]
    return getattr(given, names[0])() if names else None


def _holds_columns(given: Mapping[Any, Any], columns: Mapping[str, str] | None) -> bool:
    """Whether the keys of a mapping are the names of columns, rather than users."""
    names = [key for key in given if isinstance(key, str)]
    named = set((columns or {}).values()) & set(names)
    scalar = any(isinstance(each, Mapping) for each in given.values())
    return not scalar and bool(named or columns_for(USER, names))


def _by_user(lists: Mapping[Any, Any], where: str) -> pl.DataFrame:
    """The lists of a mapping: items with their scores, or in their order."""
    if not lists:
        raise EmptyInput(where, WHAT)
    for user, each in lists.items():
        if not isinstance(each, _LISTS):
            raise NotARun(f"{where}, user {user}", each)
    kinds = {_kind(each) for each in lists.values()} - {"empty"}
    if len(kinds) > 1:
        raise InputError(f"{where}: some lists have {' and some '.join(sorted(kinds))}.")
    lengths = [len(each) for each in lists.values()]
    if kinds <= {"items alone"}:
        found = {ITEM: list(chain.from_iterable(lists.values()))}
    else:
        pairs = [pair for each in lists.values() for pair in _pairs(each)]
        found = {ITEM: [item for item, _ in pairs], SCORE: [score for _, score in pairs]}
    parts = {name: as_column(values) for name, values in found.items()}
    return _nested(as_column(list(lists)), np.array(lengths), parts)


def _kind(each: Any) -> str:
    """What a list holds."""
    if isinstance(each, Mapping):
        return "scores"
    if not len(each):
        return "empty"
    pairs = all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in each)
    return "scores" if pairs else "items alone"


def _pairs(each: Any) -> Iterable[tuple[Any, Any]]:
    return each.items() if isinstance(each, Mapping) else each


def _nested(
    users: pl.Series, lengths: npt.NDArray[np.int64], parts: Mapping[str, pl.Series]
) -> pl.DataFrame:
    """A row for each user, with lists of so many of the values that follow each other."""
    places = np.arange(len(users))
    flat = pl.DataFrame({"place": np.repeat(places, lengths), **parts})
    lists = flat.group_by("place", maintain_order=True).agg(pl.all())
    whose = pl.DataFrame({"place": places, USER: users})
    return whose.join(lists, on="place", how="left", maintain_order="left").drop("place")


def _from_rows(rows: Sequence[Any], where: str) -> pl.DataFrame:
    """The table of a list of rows."""
    if not rows:
        raise EmptyInput(where, WHAT)
    named = [_named(row) for row in rows]
    lacking = next((row for row, each in zip(rows, named, strict=True) if each is None), None)
    if lacking is not None:
        raise NotARun(where, lacking)
    records: list[Mapping[str, Any]] = [each for each in named if each is not None]
    names = dict.fromkeys(chain.from_iterable(records))
    columns = {name: [each.get(name) for each in records] for name in names}
    # A mapping in a cell tells something else of the row, as the details of Surprise do.
    return pl.DataFrame(
        {
            str(name): as_column(values)
            for name, values in columns.items()
            if not any(isinstance(each, Mapping) for each in values)
        }
    )


def _named(row: Any) -> Mapping[str, Any] | None:
    """The values of a row by the names of their columns."""
    if isinstance(row, Mapping):
        return {name: _plain_cell(value) for name, value in row.items()}
    if hasattr(row, "asDict"):  # a row of Spark
        return dict(row.asDict(recursive=True))
    if hasattr(row, "_asdict"):
        return dict(row._asdict())
    if isinstance(row, list | tuple) and len(row) == 3:
        return dict(zip((USER, ITEM, SCORE), row, strict=True))
    return None


def _plain_cell(value: Any) -> Any:
    """A cell, with a list for an array, and mappings for the rows of Spark in it."""
    listed = value.tolist() if isinstance(value, np.ndarray) else value
    rows = isinstance(listed, list) and listed and hasattr(listed[0], "asDict")
    return [row.asDict(recursive=True) for row in listed] if rows else listed


def _from_matrices(given: tuple[Any, ...], where: str) -> pl.DataFrame:
    """The lists of implicit: a row of numbers of items, and one of scores, for each user."""
    if not 3 <= len(given) <= 4:
        asked = "Give (ids, scores, users), or (ids, scores, users, items)"
        raise InputError(f"{where}: arrays of ids and scores do not say of whom. {asked}.")
    ids, scores, users = np.asarray(given[0]), np.asarray(given[1]), as_column(given[2])
    if ids.shape != scores.shape or len(users) != len(ids):
        sizes = " × ".join(map(str, ids.shape)), " × ".join(map(str, scores.shape))
        problem = f"ids are {sizes[0]}, scores {sizes[1]}"
        raise InputError(f"{where}: {problem}, and there are {counted(len(users), 'user')}.")
    listed = scores > _UNSCORED
    if len(given) > 3:
        listed &= ids >= 0
    items = as_column(ids[listed])
    if len(given) > 3:
        names = as_column(given[3])
        if len(items) and int(ids[listed].max()) >= len(names):
            last = int(ids[listed].max())
            raise InputError(f"{where}: item {last} is beyond the {len(names):,} items given.")
        items = names.gather(items)
    parts = {ITEM: items, SCORE: as_column(scores[listed])}
    return _nested(users, listed.sum(axis=1), parts)
