"""Scores read back from the table that they were written as."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadValue, EmptyInput, MissingColumn, UnreadableFile
from cranfield.base.ids import Codes, Ids, as_ids, as_names, encode_ids
from cranfield.base.packed import require_file
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import ITEM, SCORE, SYSTEM, USER
from cranfield.collection.topics import Topics
from cranfield.scoring.scores import (
    COVERED,
    JUDGED,
    METRIC,
    OWN_COLUMNS,
    RELEVANT,
    SEGMENT,
    TOPIC_WEIGHT,
    Counts,
    Floats,
    Scores,
)


def read_scores(path: Path | str) -> Scores:
    """The scores of a Parquet file, as `Scores.to_parquet` writes them, rows in any order."""
    require_file(Path(path))
    try:
        table = pl.read_parquet(path)
    except (*UNREADABLE, OSError) as error:
        raise UnreadableFile(
            str(path),
            "it is not a Parquet file of scores",
            "`cranfield evaluate … --per-user scores.parquet` writes one.",
        ) from error
    return scores_from_table(table, str(path))


def scores_from_table(table: pl.DataFrame, where: str = "table") -> Scores:
    """The scores of a table such as `Scores.to_polars` gives, rows in any order."""
    for column in (USER, SYSTEM, METRIC, SCORE, COVERED):
        if column not in table.columns:
            raise MissingColumn(where, column, table.columns)
    if table.is_empty():
        raise EmptyInput(where, "scores")
    _refuse_wrong_types(table, where)
    table = table.with_columns(as_names(table[name], where, "a name") for name in (SYSTEM, METRIC))
    user_ids, users = encode_ids(as_ids(table[USER], where, USER))
    item_ids, items = _items(table, where)
    numbers = _whole_numbers(table, SEGMENT, where)
    segments = None if numbers is None else numbers.astype(np.int32)
    systems, metrics = (tuple(table[name].unique(maintain_order=True)) for name in (SYSTEM, METRIC))
    keys = [_places(table[METRIC], metrics), _places(table[SYSTEM], systems)]
    within = [key for key in (items, segments) if key is not None]
    rows = np.lexsort((*within, users, *keys))
    size = len(table) // (len(systems) * len(metrics))
    _refuse_gaps(table[rows], systems, metrics, size, where)
    first = rows[:size]
    shape = (len(systems), len(metrics), size)
    scores = table[SCORE].cast(pl.Float64).fill_null(np.nan).to_numpy()[rows]
    return Scores(
        Topics(
            users[first],
            None if items is None else items[first],
            None if segments is None else segments[first],
        ),
        user_ids,
        systems,
        metrics,
        scores.reshape(shape),
        table[COVERED].to_numpy()[rows].reshape(shape)[:, 0],
        item_ids,
        _whole_numbers(table[first], JUDGED, where),
        _whole_numbers(table[first], RELEVANT, where),
        user_columns=_user_columns(table, rows, size),
        topic_weights=_topic_weights(table, rows, metrics, size, where),
    )


def _topic_weights(
    table: pl.DataFrame,
    rows: npt.NDArray[np.intp],
    metrics: tuple[str, ...],
    size: int,
    where: str,
) -> dict[str, Floats]:
    """How much topics count, by the metrics to which they do not all count alike."""
    if TOPIC_WEIGHT not in table.columns:
        return {}
    given = table[TOPIC_WEIGHT]
    wrong = given.filter((given <= 0) | given.is_infinite()) if given.dtype.is_numeric() else given
    if len(wrong):
        raise BadValue(where, TOPIC_WEIGHT, wrong[0], "a finite number above 0")
    numbers = given.cast(pl.Float64).fill_null(np.nan).to_numpy()[rows]
    first = numbers.reshape(-1, len(metrics), size)[0]
    return {
        name: weights
        for name, weights in zip(metrics, first, strict=True)
        if not (weights == 1).all()
    }


def _refuse_wrong_types(table: pl.DataFrame, where: str) -> None:
    """Refuse scores that are no numbers, and a coverage that is neither true nor false."""
    score, covered = table[SCORE], table[COVERED]
    if not score.dtype.is_numeric() and score.dtype != pl.Null:
        raise BadValue(where, SCORE, score.drop_nulls().first(), "a number, or nothing")
    if covered.dtype != pl.Boolean or covered.null_count():
        odd = None if covered.null_count() else covered[0]
        raise BadValue(where, COVERED, odd, "true or false")


def _items(table: pl.DataFrame, where: str) -> tuple[Ids | None, Codes | None]:
    if ITEM not in table.columns:
        return None, None
    return encode_ids(as_ids(table[ITEM], where, ITEM))


def _places(column: pl.Series, names: tuple[str, ...]) -> Codes:
    """For each row, the place of its name."""
    return column.cast(pl.Enum(names)).to_physical().cast(pl.Int32).to_numpy()


def _whole_numbers(table: pl.DataFrame, column: str, where: str) -> Counts | None:
    """A column of whole numbers, where the table has it."""
    if column not in table.columns:
        return None
    given = table[column]
    if not given.dtype.is_numeric():
        raise BadValue(where, column, given[0], "a whole number")
    whole = given.cast(pl.Int64, strict=False)
    wrong = given.filter((given != whole).fill_null(True))
    if len(wrong):
        raise BadValue(where, column, wrong[0], "a whole number")
    return whole.to_numpy()


def _user_columns(table: pl.DataFrame, rows: npt.NDArray[np.intp], size: int) -> dict[str, Floats]:
    """All other columns of numbers that are the same whatever the system and the metric."""
    found = {}
    for column in table.iter_columns():
        own = column.name in (*OWN_COLUMNS, TOPIC_WEIGHT)
        if not own and column.dtype.is_numeric():
            numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()[rows].reshape(-1, size)
            if np.array_equal(numbers, np.broadcast_to(numbers[0], numbers.shape), equal_nan=True):
                found[column.name] = numbers[0]
    return found


def _refuse_gaps(
    ordered: pl.DataFrame,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    size: int,
    where: str,
) -> None:
    """Refuse a table in which a system lacks a topic that another one has."""
    blocks = len(systems) * len(metrics)
    known = [name for name in (USER, ITEM, SEGMENT) if name in ordered.columns]
    whole = len(ordered) == blocks * size and all(
        ordered[name].equals(pl.concat([ordered[name].head(size)] * blocks)) for name in known
    )
    if not whole:
        raise UnreadableFile(
            where,
            "not every system has a score for every topic by every metric",
            "Undefined scores are rows without a score; write all systems together.",
        )
