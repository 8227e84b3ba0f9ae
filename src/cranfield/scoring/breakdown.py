"""Breakdown: who is served well, and which items are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, BadValue, MissingColumn
from cranfield.base.ids import Codes, Ids, as_ids
from cranfield.base.schema import SYSTEM, USER
from cranfield.collection.items import by_quantiles
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import to_polars
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import METRIC, Floats, Scores
from cranfield.scoring.summary import Row, SummaryChoice, summarise

UNKNOWN = "unknown"
"""The group of users of whom a table says nothing."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Which group each user, or each item, is in: ``of_code[code]`` indexes ``names``."""

    name: str
    names: tuple[str, ...]
    of_code: Codes


@dataclass(frozen=True)
class BreakdownRow:
    """What one system reached by one metric in one group; ``users`` entered the value.

    Where values are means, ``low`` and ``high`` are the ends of a 95 % interval, and ``gap``
    is the value less that of all other users, with its own ends and the adjusted p-value of
    no gap: see `cranfield.significance.group_gaps`. NaN where something is not known.
    """

    group: str
    system: str
    metric: str
    value: float
    users: int
    covered: int
    undefined: int
    standard_error: float = nan
    low: float = nan
    high: float = nan
    gap: float = nan
    gap_low: float = nan
    gap_high: float = nan
    gap_p: float = nan


@dataclass(frozen=True, eq=False)
class Breakdown:
    """Values by group: one part for each group, system and metric, groups in order."""

    name: str
    parts: tuple[BreakdownRow, ...]

    def to_polars(self) -> pl.DataFrame:
        """A table with a row for each part; the first column is named by the grouping."""
        types = {"float": pl.Float64, "int": pl.Int64, "str": pl.String}
        columns = {
            {"group": self.name, "system": SYSTEM, "metric": METRIC}.get(each.name, each.name): (
                pl.Series([getattr(part, each.name) for part in self.parts], dtype=kind)
            )
            for each in fields(BreakdownRow)
            for kind in (types[str(each.type)],)
        }
        return pl.DataFrame(columns).fill_nan(None)


def by_activity(train: Ratings, users: Codes, parts: int = 10) -> Groups:
    """Users by their number of training ratings, in parts of about equal size.

    The quantiles are those of the given users; users of equal activity stay together, so
    a part may be larger, or empty. Group 1 is the least active.
    """
    return _by_user_counts("activity", train.user_counts, users, parts)


def by_test_size(counts: npt.NDArray[np.int64], users: Codes, parts: int = 10) -> Groups:
    """Users by their number of test ratings, in parts as those of `by_activity`."""
    return _by_user_counts("test-size", counts, users, parts)


def _by_user_counts(name: str, counts: npt.NDArray[np.int64], users: Codes, parts: int) -> Groups:
    given = np.unique(users)
    of_code = np.zeros(len(counts), dtype=np.int32)
    of_code[given] = by_quantiles(counts[given], _at_least_one(parts, f"by {name}"))
    return Groups(name, _ranges(counts[given], of_code[given], parts), of_code)


def by_popularity(popularity: npt.NDArray[np.integer], parts: int = 10) -> Groups:
    """Items by their number of ratings, in parts of about equal size, the rarest first."""
    of_code = by_quantiles(popularity, _at_least_one(parts, "by_popularity"))
    return Groups("popularity", _ranges(popularity, of_code, parts), of_code)


def by_attribute(
    table: Any, column: str, user_ids: Ids, where: str = "table", parts: int = 10
) -> Groups:
    """Users by a column of any table that has one row for each of some users.

    A column with more different numbers than ``parts`` is divided into so many parts of
    about equal size, by the users here. Users without a row, or without a value, are in a
    group called unknown.
    """
    frame = to_polars(table, where)
    for name in (USER, column):
        if name not in frame.columns:
            raise MissingColumn(where, "by", frame.columns, named=name)
    if frame[USER].is_duplicated().any():
        again = frame[USER].filter(frame[USER].is_duplicated())[0]
        raise BadValue(where, USER, again, "a user who occurs once")
    codes = user_ids.encode(as_ids(frame[USER], where, USER))
    numbers = frame[column].filter(codes >= 0)
    if numbers.dtype.is_numeric() and numbers.drop_nulls().n_unique() > parts:
        return _by_numbers(column, codes[codes >= 0], numbers, len(user_ids), parts)
    values = frame[column].cast(pl.String).fill_null(UNKNOWN)
    names = [*sorted(set(values) - {UNKNOWN}), UNKNOWN]
    places = {name: place for place, name in enumerate(names)}
    of_code = np.full(len(user_ids), places[UNKNOWN], dtype=np.int32)
    for code, value in zip(codes, values, strict=True):
        if code >= 0:
            of_code[code] = places[value]
    return Groups(column, tuple(names), of_code)


def _by_numbers(name: str, codes: Codes, values: pl.Series, size: int, parts: int) -> Groups:
    """Users by quantiles of their numbers, which may be missing."""
    numbers = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = np.isfinite(numbers)
    of_known = by_quantiles(numbers[known], _at_least_one(parts, f"by {name}"))
    of_code = np.full(size, parts, dtype=np.int32)
    of_code[codes[known]] = of_known
    return Groups(name, (*_ranges(numbers[known], of_known, parts), UNKNOWN), of_code)


def _at_least_one(parts: int, asker: str) -> int:
    if parts < 1:
        raise BadParameter(asker, "parts", parts, "a whole number of at least 1")
    return parts


def _ranges(counts: npt.NDArray[Any], of_code: Codes, parts: int) -> tuple[str, ...]:
    """Names such as "3: 40 to 57", the number of the group and the counts in it."""
    names = []
    for part in range(parts):
        held = counts[of_code == part]
        ends = f"{held.min():.12g} to {held.max():.12g}" if len(held) else "none"
        names.append(f"{part + 1}: {ends}")
    return tuple(names)


def break_down(scores: Scores, groups: Groups, choice: SummaryChoice | None = None) -> Breakdown:
    """The value of every system and metric within each group of users that has a topic."""
    found = groups.of_code[scores.topics.users]
    parts = []
    for place in np.unique(found).tolist():
        summary = summarise(scores.take(found == place), choice)
        name = groups.names[place]
        parts += [_part(name, row, choice) for row in summary.rows]
    return Breakdown(groups.name, tuple(parts))


def measure_by_item(
    hits: Hits, metrics: Sequence[Metric], groups: Groups, *, popularity: Floats | None = None
) -> Floats:
    """Scores (groups × metrics × topics) as if only the items of one group were judged.

    Lists stay as they are; judged items of other groups count as unjudged, so a topic
    without a relevant item of the group is undefined.
    """
    return np.array(
        [
            measure(only(hits, groups.of_code == place), metrics, popularity=popularity)
            for place in np.unique(groups.of_code)
        ]
    )


def break_down_values(
    scores: Scores,
    metrics: tuple[str, ...],
    values: Mapping[str, Floats],
    groups: Groups,
    choice: SummaryChoice | None = None,
) -> Breakdown:
    """The breakdown of what `measure_by_item` found for each system."""
    parts = []
    for at, place in enumerate(np.unique(groups.of_code).tolist()):
        found = np.array([values[system][at] for system in scores.systems])
        within = replace(scores, metrics=metrics, values=found)
        rows = summarise(within, choice).rows
        parts += [_part(groups.names[place], row, choice) for row in rows]
    return Breakdown(groups.name, tuple(parts))


def only(hits: Hits, items: npt.NDArray[np.bool_]) -> Hits:
    """The hits as if nothing but these items were judged."""
    return hits.only(items[hits.items])


def _part(group: str, row: Row, choice: SummaryChoice | None) -> BreakdownRow:
    aggregation = (choice or SummaryChoice()).aggregation
    linear = isinstance(aggregation, LinearAggregation)  # the interval is that of the value
    known = (row.standard_error, row.low, row.high) if linear else (nan, nan, nan)
    counts = row.users, row.covered, row.undefined
    return BreakdownRow(group, row.system, row.metric, row.value, *counts, *known)
