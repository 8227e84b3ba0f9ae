"""Run: ranked lists of one system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.ids import Codes, Ids
from cranfield.base.nouns.display import Plotted, Tabular
from cranfield.base.nouns.preview import preview
from cranfield.base.ragged import count_marked, offsets_of
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.base.storable import storable
from cranfield.collection.topics import Topics

Mask = npt.NDArray[np.bool_]

NO_IDS = Ids(pl.Series([], dtype=pl.Int64))


@storable
@dataclass(frozen=True, eq=False)
class Run(Plotted, Tabular):
    """Ranked lists of one system, one per topic, best first.

    Topic t owns rows ``offsets[t]:offsets[t + 1]`` of ``items`` and ``predictions``; no
    item twice in a list; predictions never rise down a list, and are NaN for items that
    were appended without one. ``tied`` counts the positions of each list whose item
    shares its prediction with a neighbour.

    A run made elsewhere may hold items that are not in the collection. They keep their places,
    for otherwise all items below would move up; nobody judged them, and they are never
    targets. Their codes are negative: −1 − k stands for ``unknown_items[k]``. ``known``
    tells which codes index the collection's items.
    """

    system: str
    topics: Topics
    offsets: npt.NDArray[np.int64]
    items: Codes
    predictions: npt.NDArray[np.float64]
    tied: npt.NDArray[np.int64]
    unknown_items: Ids = NO_IDS

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Run)
            and self.system == other.system
            and self.unknown_items == other.unknown_items
            and _same_topics(self.topics, other.topics)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.items, other.items)
            and np.array_equal(self.predictions, other.predictions, equal_nan=True)
            and np.array_equal(self.tied, other.tied)
        )

    def __hash__(self) -> int:
        return hash((self.system, len(self), len(self.items)))

    def __repr__(self) -> str:
        sizes = counted(len(self), "list"), counted(len(self.items), "ranked item")
        return preview("Run", [self.system, *sizes])

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of items in each list."""
        return np.diff(self.offsets)

    @property
    def tied_share(self) -> float:
        """The share of positions, over all lists, that are tied."""
        return float(self.tied.sum() / max(len(self.items), 1))

    @property
    def known(self) -> Mask:
        """For each row, whether its item is one of the collection."""
        return self.items >= 0

    @property
    def ranks(self) -> npt.NDArray[np.int64]:
        """For each row, its place in its list, from 1."""
        return np.arange(1, len(self.items) + 1) - np.repeat(self.offsets[:-1], self.lengths)

    def for_users(self, topics: Topics) -> Run:
        """The lists of exactly these users, in their order; empty for a user without one.

        Both runs have one topic per user.
        """
        if np.array_equal(self.topics.users, topics.users):
            return replace(self, topics=topics)
        at = np.searchsorted(self.topics.users, topics.users)
        at = np.minimum(at, max(len(self) - 1, 0))
        has = self.topics.users[at] == topics.users if len(self) else np.zeros(len(topics), bool)
        lengths = np.where(has, self.lengths[at], 0) if len(self) else np.zeros(len(topics), int)
        offsets = offsets_of(lengths)
        starts = self.offsets[:-1][at] if len(self) else offsets[:-1]
        rows = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return replace(
            self,
            topics=topics,
            offsets=offsets,
            items=self.items[rows],
            predictions=self.predictions[rows],
            tied=np.where(has, self.tied[at], 0) if len(self) else lengths,
        )

    def with_empty(self, users: Codes) -> Run:
        """The same lists, and an empty one for each of these users who has none."""
        if np.isin(users, self.topics.users).all():
            return self
        return self.for_users(Topics(np.union1d(self.topics.users, users).astype(np.int32)))

    def cut(self, depth: int) -> Run:
        """The same lists down to a depth."""
        return self.take(self.ranks <= depth)

    def without_unknown_items(self) -> Run:
        """The same lists without items that are not in the collection; what is below moves up."""
        if not len(self.unknown_items):
            return self
        return replace(self.take(self.known), unknown_items=NO_IDS)

    def take(self, rows: Mask) -> Run:
        """The same lists without the other rows."""
        offsets = offsets_of(count_marked(rows, self.offsets))
        items, predictions = self.items[rows], self.predictions[rows]
        left = replace(self, offsets=offsets, items=items, predictions=predictions)
        return replace(left, tied=count_marked(is_tied(left), offsets))

    def to_polars(self) -> pl.DataFrame:
        """The lists by codes: ``user_code, item_code, score, rank``; `table` has the ids."""
        users = pl.Series(np.repeat(self.topics.users, self.lengths))
        scores = pl.Series(self.predictions).fill_nan(None)
        codes = {"user_code": users, "item_code": pl.Series(self.items)}
        return pl.DataFrame({**codes, SCORE: scores, RANK: pl.Series(self.ranks)})

    def table(self, user_ids: Ids, item_ids: Ids) -> pl.DataFrame:
        """The lists as a table of ``user_id, item_id, score, rank``; no score is null."""
        users = user_ids.take(np.repeat(self.topics.users, self.lengths))
        scores = pl.Series(self.predictions).fill_nan(None)
        ids = {USER: users, ITEM: self._item_ids(item_ids)}
        return pl.DataFrame({**ids, SCORE: scores, RANK: pl.Series(self.ranks)})

    def _item_ids(self, item_ids: Ids) -> pl.Series:
        """The id of each row's item; all as text where unknown items are of the other kind."""
        names, unknown_items = item_ids.values, self.unknown_items.values
        if not len(unknown_items):
            return names.gather(self.items)
        if names.dtype != unknown_items.dtype:
            names, unknown_items = names.cast(pl.String), unknown_items.cast(pl.String)
        places = np.where(self.known, self.items, len(names) - 1 - self.items)
        return pl.concat([names, unknown_items]).gather(places)


def is_tied(run: Run) -> Mask:
    """For each row of a run, whether the item above or below has the same prediction."""
    same = run.predictions[1:] == run.predictions[:-1]
    starts = run.offsets[1:-1]
    same[starts[(starts > 0) & (starts < len(run.items))] - 1] = False
    tied = np.zeros(len(run.items), dtype=bool)
    tied[1:] |= same
    tied[:-1] |= same
    return tied


def _same_topics(left: Topics, right: Topics) -> bool:
    pairs = ((left.users, right.users), (left.items, right.items), (left.segments, right.segments))
    return all(
        (one is None) == (other is None)
        and (one is None or other is None or np.array_equal(one, other))
        for one, other in pairs
    )
