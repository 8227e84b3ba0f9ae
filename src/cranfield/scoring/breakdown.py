"""Breakdown: who is served well, and which items are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadParameter, BadValue, MissingColumn
from cranfield.base.ids import Codes, Ids, as_ids
from cranfield.base.ragged import offsets_of
from cranfield.base.schema import SYSTEM, USER
from cranfield.collection.columns import to_polars
from cranfield.collection.items import by_quantiles
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measure import measure
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
    """What one system reached by one metric in one group; ``users`` entered the value."""

    group: str
    system: str
    metric: str
    value: float
    users: int
    covered: int
    undefined: int


@dataclass(frozen=True, eq=False)
class Breakdown:
    """Values by group: one part for each group, system and metric, groups in order."""

    name: str
    parts: tuple[BreakdownRow, ...]

    def to_polars(self) -> pl.DataFrame:
        """A table with a row for each part; the first column is named by the grouping."""
        values = pl.Series([part.value for part in self.parts], dtype=pl.Float64)
        return pl.DataFrame(
            {
                self.name: [part.group for part in self.parts],
                SYSTEM: [part.system for part in self.parts],
                METRIC: [part.metric for part in self.parts],
                "value": values.fill_nan(None),
                "users": [part.users for part in self.parts],
                "covered": [part.covered for part in self.parts],
                "undefined": [part.undefined for part in self.parts],
            }
        )


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


def by_attribute(table: Any, column: str, user_ids: Ids, where: str = "table") -> Groups:
    """Users by a column of any table that has one row for each of some users.

    Users without a row, or without a value, are in a group called unknown.
    """
    frame = to_polars(table, where)
    for name in (USER, column):
        if name not in frame.columns:
            raise MissingColumn(where, "by", frame.columns, named=name)
    if frame[USER].is_duplicated().any():
        again = frame[USER].filter(frame[USER].is_duplicated())[0]
        raise BadValue(where, USER, again, "a user who occurs once")
    codes = user_ids.encode(as_ids(frame[USER], where, USER))
    values = frame[column].cast(pl.String).fill_null(UNKNOWN)
    names = [*sorted(set(values) - {UNKNOWN}), UNKNOWN]
    places = {name: place for place, name in enumerate(names)}
    of_code = np.full(len(user_ids), places[UNKNOWN], dtype=np.int32)
    for code, value in zip(codes, values, strict=True):
        if code >= 0:
            of_code[code] = places[value]
    return Groups(column, tuple(names), of_code)


def _at_least_one(parts: int, asker: str) -> int:
    if parts < 1:
        raise BadParameter(asker, "parts", parts, "a whole number of at least 1")
    return parts


def _ranges(counts: npt.NDArray[Any], of_code: Codes, parts: int) -> tuple[str, ...]:
    """Names such as "3: 40 to 57", the number of the group and the counts in it."""
    names = []
    for part in range(parts):
        held = counts[of_code == part]
        ends = f"{held.min()} to {held.max()}" if len(held) else "none"
        names.append(f"{part + 1}: {ends}")
    return tuple(names)


def break_down(scores: Scores, groups: Groups, choice: SummaryChoice | None = None) -> Breakdown:
    """The value of every system and metric within each group of users that has a topic."""
    found = groups.of_code[scores.topics.users]
    parts = []
    for place in np.unique(found).tolist():
        summary = summarise(scores.take(found == place), choice)
        name = groups.names[place]
        parts += [_part(name, row) for row in summary.rows]
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
        parts += [_part(groups.names[place], row) for row in summarise(within, choice).rows]
    return Breakdown(groups.name, tuple(parts))


def only(hits: Hits, items: npt.NDArray[np.bool_]) -> Hits:
    """The hits as if nothing but these items were judged."""
    kept = items[hits.items]
    counts = np.bincount(hits.owners[kept], minlength=len(hits))
    return replace(
        hits,
        offsets=offsets_of(counts),
        items=hits.items[kept],
        ratings=hits.ratings[kept],
        ranks=hits.ranks[kept],
        first=hits.first[kept],
        last=hits.last[kept],
    )


def _part(group: str, row: Row) -> BreakdownRow:
    return BreakdownRow(
        group, row.system, row.metric, row.value, row.users, row.covered, row.undefined
    )
