"""Ratings: who rated what, how, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base import schema
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput, MissingLibrary, counted
from cranfield.base.files import fingerprint
from cranfield.base.ids import Coded, Codes, Ids, as_ids, encode_ids, used_codes
from cranfield.base.nouns.display import Plotted, Tabular
from cranfield.base.ragged import frozen
from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER, find_columns
from cranfield.base.threads import in_threads
from cranfield.collection.tables import repeated_pairs
from cranfield.collection.tables.columns import Floats, LineOf, Times, ids_at, rated, to_polars
from cranfield.collection.tables.ordering import Column, Ordered, Resolution, order_pairs, resolve

if TYPE_CHECKING:
    import pyarrow as pa
    import scipy.sparse

Rows = npt.NDArray[Any]
Duplicates = repeated_pairs.Duplicates


@dataclass(frozen=True, eq=False)
class Ratings(Plotted, Tabular):
    """Who rated what, how, and when.

    One row per pair of user and item, in ascending order of (user, item); no pair twice;
    every value is finite. Codes index ``user_ids`` and ``item_ids``, which may hold ids
    without a rating (the parts of a split share the ids of the whole). Timestamps are
    whole numbers, seconds since 1970 where the source had dates, or absent altogether. They
    may be ``positions`` instead: each user's own order, which says nothing of other users.

    Rows may be the ``events`` of a log instead, such as plays: then a pair occurs as often
    as it happened, in order of time, and a value is what the event counts, above 0. Events
    are divided by splits, and become ratings when `aggregate` counts them.
    """

    user_ids: Ids
    item_ids: Ids
    users: Codes
    items: Codes
    values: Floats
    timestamps: Times | None = None
    events: bool = False
    positions: bool = False

    def __post_init__(self) -> None:
        for name in ("users", "items", "values", "timestamps"):
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, frozen(array))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        columns: Mapping[str, str] | None = None,
        duplicates: Duplicates = "refuse",
        where: str = "table",
        line_of: LineOf = None,
    ) -> Ratings:
        """Ratings from a table of any library that `to_polars` knows, or a mapping of columns.

        Columns are found by their usual names, or named: ``columns={"user_id": "who"}``. An
        array without names has users, items, ratings and times in this order; of a sparse
        matrix, whatever is stored is the rating of its row by its column.
        Without a rating column every pair counts 1. Times in a column called ``position`` are
        positions. ``line_of`` tells the line of a row in its file, for messages.

        >>> Ratings.from_frame({"user": ["b", "a"], "item": [7, 7], "rating": [3, 4]})
        Ratings(2 users, 1 item, 2 ratings)
        """
        repeated_pairs.refuse_unknown(duplicates)
        table = to_polars(frame, where, schema.RATING_COLUMNS)
        more = (RATING, TIMESTAMP)
        found = find_columns(table.columns, (USER, ITEM), columns, optional=more, where=where)
        if table.is_empty():
            raise EmptyInput(where)
        ids = [as_ids(table[found[r]], where, found[r], line_of, narrow=True) for r in (USER, ITEM)]
        further = rated(table, found, where, line_of)
        made = _ordered(in_threads(encode_ids, ids), further, duplicates, where, line_of)
        return replace(made, positions=found.get(TIMESTAMP, "").casefold() == schema.POSITION)

    @classmethod
    def from_codes(
        cls,
        users: Coded,
        items: Coded,
        ratings: pl.Series | None,
        duplicates: Duplicates = "refuse",
        *,
        where: str = "table",
        line_of: LineOf = None,
    ) -> Ratings:
        """Ratings from columns whose ids are numbered already, and finite values."""
        return _ordered((users, items), (ratings, None), duplicates, where, line_of)

    @classmethod
    def from_triples(
        cls,
        users: npt.ArrayLike,
        items: npt.ArrayLike,
        ratings: npt.ArrayLike | None = None,
        timestamps: npt.ArrayLike | None = None,
        duplicates: Duplicates = "refuse",
    ) -> Ratings:
        """Ratings from parallel arrays of ids, ratings and, perhaps, times."""
        given = {USER: users, ITEM: items, RATING: ratings, TIMESTAMP: timestamps}
        arrays = {name: column for name, column in given.items() if column is not None}
        return cls.from_frame(arrays, duplicates=duplicates, where="arrays")

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        user_ids: npt.ArrayLike | None = None,
        item_ids: npt.ArrayLike | None = None,
    ) -> Ratings:
        """Ratings from a SciPy sparse matrix of users by items; what is stored is a rating.

        Rows and columns are numbered from 0 unless ids are given for them.
        """
        stored = matrix.tocoo()
        columns = {
            USER: ids_at(stored.row, user_ids, stored.shape[0], "user_ids"),
            ITEM: ids_at(stored.col, item_ids, stored.shape[1], "item_ids"),
            RATING: stored.data,
        }
        return cls.from_frame(columns, where="matrix")

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        rated = (int(np.count_nonzero(n)) for n in (self.user_counts, self.item_counts))
        rows = "event" if self.events else "rating"
        words = map(counted, (*rated, len(self)), ("user", "item", rows))
        return f"Ratings({', '.join(words)})"

    @property
    def n_users(self) -> int:
        """The number of user ids, with or without ratings."""
        return len(self.user_ids)

    @property
    def n_items(self) -> int:
        """The number of item ids, with or without ratings."""
        return len(self.item_ids)

    @cached_property
    def user_counts(self) -> npt.NDArray[np.int64]:
        """The number of ratings of each user."""
        return np.diff(self.user_offsets)

    @cached_property
    def item_counts(self) -> npt.NDArray[np.int64]:
        """The number of ratings of each item: its popularity."""
        return np.bincount(self.items, minlength=self.n_items)

    @cached_property
    def user_offsets(self) -> npt.NDArray[np.int64]:
        """Where each user's rows start; user u owns ``[user_offsets[u]:user_offsets[u+1]]``."""
        return np.searchsorted(self.users, np.arange(self.n_users + 1, dtype=np.int32))

    @cached_property
    def fingerprint(self) -> str:
        """The name of this content: same pairs, ratings and times, same fingerprint.

        Ids without a rating do not count, so a part of a split has the fingerprint of the
        file that it is written to.
        """
        used_users, users = used_codes(self.user_counts, self.users)
        used_items, items = used_codes(self.item_counts, self.items)
        times = () if self.timestamps is None else (self.timestamps,)
        ids = (self.user_ids.content(used_users), self.item_ids.content(used_items))
        kind = [name for name in ("events", "positions") if getattr(self, name)]
        return fingerprint(*ids, users, items, self.values + 0.0, *times, *kind)  # −0 is 0

    def take(self, rows: Rows) -> Ratings:
        """The ratings of some rows (a mask, or ascending row numbers), under the same ids."""
        return replace(
            self,
            users=self.users[rows],
            items=self.items[rows],
            values=self.values[rows],
            timestamps=None if self.timestamps is None else self.timestamps[rows],
        )

    def aggregate(self) -> Ratings:
        """Ratings as they are; of events, how many each pair has, and the latest time."""
        if not self.events:
            return self
        if not len(self):
            return replace(self, events=False)
        again = Ordered(self.users, self.items, []).repeats()
        return replace(_without_duplicates(self, again, "sum"), events=False)

    def compact(self) -> Ratings:
        """The same ratings without the ids that have none."""
        used_users, users = used_codes(self.user_counts, self.users)
        used_items, items = used_codes(self.item_counts, self.items)
        return replace(
            self,
            user_ids=Ids(self.user_ids.take(used_users)),
            item_ids=Ids(self.item_ids.take(used_items)),
            users=users,
            items=items,
        )

    def reindex(self, user_ids: Ids, item_ids: Ids) -> Ratings:
        """The same ratings coded by other ids, which must hold all ids of these."""
        if (user_ids, item_ids) == (self.user_ids, self.item_ids):
            return self
        users = user_ids.encode(self.user_ids.values)[self.users]
        items = item_ids.encode(self.item_ids.values)[self.items]
        assert min(users.min(initial=0), items.min(initial=0)) >= 0
        columns = (self.values, self.timestamps)  # 2 and 10 change places when they become text
        ordered = order_pairs(users, items, len(user_ids), len(item_ids), columns)
        made = Ratings(user_ids, item_ids, ordered.users, ordered.items, *ordered.columns)
        return replace(made, events=self.events, positions=self.positions)

    def matrix(self) -> scipy.sparse.csr_array[np.float64]:
        """The ratings as a users × items matrix in compressed rows, the caller's to change."""
        import scipy.sparse

        # SciPy widens indices to the type of the offsets, and multiplies by wide ones more slowly.
        narrow = scipy.sparse.get_index_dtype(maxval=len(self))
        stored = (self.values, self.items, self.user_offsets.astype(narrow))
        return scipy.sparse.csr_array(stored, shape=(self.n_users, self.n_items), copy=True)

    def to_polars(self) -> pl.DataFrame:
        """A table of ``user_id, item_id, rating`` and, where known, ``timestamp`` or position."""
        columns = {
            USER: self.user_ids.take(self.users),
            ITEM: self.item_ids.take(self.items),
            RATING: pl.Series(self.values),
        }
        if self.timestamps is not None:
            columns[schema.POSITION if self.positions else TIMESTAMP] = pl.Series(self.timestamps)
        return pl.DataFrame(columns)

    def to_arrow(self) -> pa.Table:
        """An Arrow table with the columns of `to_polars`; needs pyarrow."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingLibrary("an Arrow table", "pyarrow") from None
        return pa.table(self.to_polars())

    def to_triples(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]:
        """Parallel arrays of user ids, item ids and ratings."""
        table = self.to_polars()
        return table[USER].to_numpy(), table[ITEM].to_numpy(), self.values


def _ordered(
    coded: Iterable[Coded],
    further: tuple[Column, Column],
    duplicates: Duplicates,
    where: str,
    line_of: LineOf,
) -> Ratings:
    """Ratings in order of (user, item), duplicates resolved; further are ratings and times."""
    (user_ids, users), (item_ids, items) = coded
    ordered = order_pairs(users, items, len(user_ids), len(item_ids), further)
    values, times = ordered.columns
    values = np.ones(len(users)) if values is None else values
    pairs = ordered.users, ordered.items
    ratings = Ratings(user_ids, item_ids, *pairs, values, times)
    again = ordered.repeats()
    if duplicates == "auto":  # a log has times, and no ratings
        is_log = further[0] is None and times is not None and len(again) > 0
        duplicates = "events" if is_log else "refuse"
    if duplicates == "events":
        repeated_pairs.refuse_uncounted(further[0], where, line_of)
        rows = repeated_pairs.event_order(pairs, times, values)
        return replace(ratings if rows is None else ratings.take(rows), events=True)
    if not len(again):
        return ratings
    if duplicates == "refuse":
        row_at = np.lexsort((items, users))
        raise repeated_pairs.repeated((user_ids, item_ids), pairs, again, row_at, where, line_of)
    return _without_duplicates(ratings, again, duplicates)


def _without_duplicates(ratings: Ratings, again: Rows, keep: Resolution) -> Ratings:
    """One row per pair; rows of a pair stand together, in file order."""
    rows, values, times = resolve(ratings.values, ratings.timestamps, again, keep)
    return replace(ratings.take(rows), values=values, timestamps=times)
