"""RunTable: what was read of a run, and its ids matched with those of the collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import NoCommonIds
from cranfield.base.ids import Coded, Codes, Ids, Numbered, as_ids, number_ids, used_codes
from cranfield.base.ragged import frozen, runs_of
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.base.threads import in_threads
from cranfield.collection.tables.columns import Floats, finite
from cranfield.recommendation.runs.report import Oddity
from cranfield.recommendation.runs.run import NO_IDS

T = TypeVar("T", bound=np.generic)

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RunTable:
    """The columns of a table that play a role, under the names they have there."""

    frame: pl.DataFrame
    roles: Mapping[str, str]
    where: str
    line_of: Callable[[int], int] | None = None
    """The line of a row, where the table came from lines of text."""
    ids: Mapping[str, Numbered] = field(default_factory=dict)
    """Columns of ids, by their roles, that are numbered already and not in the frame."""
    scores: Floats | None = None
    """The column of scores, if it is converted already and not in the frame."""
    inversions: Rows | None = None
    """The rows whose rank is below that of the row before, if they are known already."""

    def numbered(self, role: str) -> Numbered:
        """The distinct ids of a column, and which of them each row has."""
        if role in self.ids:
            return self.ids[role]
        name = self.roles[role]
        return number_ids(as_ids(self.frame[name], self.where, name))

    def floats(self, role: str) -> Floats:
        """The numbers of a column, none missing."""
        if role == SCORE and self.scores is not None:
            return self.scores
        return finite(self.frame[self.roles[role]], self.where, self.line_of)

    def scores_in_place(self) -> list[Floats] | None:
        """The scores as they lie in memory, in pieces, not yet checked; None
        unless they are floats and none is missing.
        """
        if SCORE not in self.roles or self.scores is not None:
            return None
        score = self.frame[self.roles[SCORE]]
        if score.dtype != pl.Float64 or score.null_count():
            return None
        return [piece.to_numpy() for piece in score.get_chunks()]

    @property
    def gaps(self) -> pl.Series | None:
        """Where a column of scores, if there is one, has no number; None if nowhere."""
        if SCORE not in self.roles or self.scores is not None:
            return None
        score = self.frame[self.roles[SCORE]]
        lacking = score.dtype.is_numeric() and score.null_count() > 0
        return score.is_null() if lacking else None

    def rank_inversions(self) -> Rows:
        """The rows whose rank is below that of the row before; none where there is no rank.

        Whole ranks are looked at where they lie, for most runs need no more of them.
        """
        if self.inversions is not None:
            return self.inversions
        if RANK not in self.roles:
            return np.empty(0, np.int64)
        column = self.frame[self.roles[RANK]]
        wide = str(column.dtype).endswith("128")  # which NumPy lacks, and Polars did once
        if column.dtype.is_integer() and not wide and not column.null_count():
            return _rank_inversions([piece.to_numpy() for piece in column.get_chunks()])
        return _rank_inversions([self.floats(RANK)])

    def ready(self) -> RunTable:
        """The same, its columns coded, converted and looked at, all at once."""
        makers: dict[str, Callable[[], Any]] = {ITEM: partial(self.numbered, ITEM)}  # the longest
        makers[USER] = partial(self.numbered, USER)
        if SCORE in self.roles and self.gaps is None:
            makers["rank_inversions"] = self.rank_inversions
            if self.scores_in_place() is None:
                makers[SCORE] = partial(self.floats, SCORE)
        made = dict(zip(makers, in_threads(lambda make: make(), makers.values()), strict=True))
        gone = {self.roles[role] for role in made if role in self.roles}
        left = pl.DataFrame([each for each in self.frame if each.name not in gone])
        ids = {USER: made[USER], ITEM: made[ITEM]}
        return replace(
            self,
            frame=left,
            ids=ids,
            scores=made.get(SCORE),
            inversions=made.get("rank_inversions"),
        )

    def take(self, rows: npt.NDArray[np.int64], where: str) -> RunTable:
        """Some of the rows, which still know their lines."""
        lines, ids = self.line_of, {}
        for role, (distinct, numbers, places, _) in self.ids.items():
            chosen = numbers[rows]
            used, left = used_codes(np.bincount(chosen, minlength=len(distinct)), chosen)
            own = np.sort(places[used])
            among = np.searchsorted(own, places[used]).astype(np.int32)
            ids[role] = Numbered(Ids(distinct.take(own)), left, among)
        line_of = None if lines is None else lambda row: lines(int(rows[row]))
        return RunTable(self.frame[rows], self.roles, where, line_of, ids)

    def column(self, role: str) -> pl.Series | None:
        """The column that plays a role, if there is one."""
        return self.frame[self.roles[role]] if role in self.roles else None


def _rank_inversions(pieces: Sequence[npt.NDArray[Any]]) -> Rows:
    """The places of a column in pieces whose number is below the one before."""
    found, place, last = [np.empty(0, np.int64)], 0, None
    for piece in pieces:
        if not len(piece):
            continue
        if last is not None and piece[0] < last:
            found.append(np.array([place]))
        found.append(np.flatnonzero(piece[1:] < piece[:-1]) + (place + 1))
        place, last = place + len(piece), piece[-1]
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class Matched:
    """A run's column of ids, and for each number of one its code in the collection, −1 where
    it has none.

    Arrays are read-only, wherever they come from, so that one compiled kernel serves all.
    """

    column: Numbered
    codes: Codes
    spelled: bool

    def __post_init__(self) -> None:
        rows = frozen(self.column.rows)
        object.__setattr__(self, "column", self.column._replace(rows=rows))
        object.__setattr__(self, "codes", frozen(self.codes))

    @property
    def own(self) -> Ids:
        """The distinct ids."""
        return self.column.ids

    @property
    def rows(self) -> Codes:
        """The number of each row's id."""
        return self.column.rows

    @property
    def places(self) -> Codes:
        """The place of each number's id."""
        return self.column.places

    @property
    def runs(self) -> Rows:
        """Where each run of equal ids starts and, at the end, where the last one stops."""
        changes = self.column.changes
        return runs_of(self.rows) if changes is None else np.append(changes, len(self.rows))

    def __getitem__(self, number: int) -> int | str:
        """The id of a number."""
        return self.own[self.places[number]]

    @property
    def codes_in_order(self) -> Codes:
        """The code of each id in the collection."""
        return by_place(self.codes, self.places)

    @property
    def known(self) -> Mask:
        """For each row, whether the collection has its id."""
        return (self.codes >= 0)[self.rows]

    def unknown(self) -> Oddity:
        """How many rows name ids that the collection lacks, how many ids, and one of them."""
        unknown = np.flatnonzero(self.codes < 0)
        if not len(unknown):
            return Oddity()
        rows = int(np.count_nonzero(~self.known))
        first = self.own[self.places[unknown].min()]
        return Oddity(rows=rows, ids=len(unknown), example=str(first))


def by_place(values: npt.NDArray[T], places: Codes) -> npt.NDArray[T]:
    """What holds of numbers, in the order of their places."""
    ordered = np.empty_like(values)
    ordered[places] = values
    return ordered


def match(table: RunTable, role: str, ids: Ids) -> Matched:
    """The ids of a column matched with the collection's, by spelling where kinds differ."""
    column = table.numbered(role)
    codes = codes_of(column.ids, ids)[column.places]
    return Matched(column, codes, column.ids.are_text != ids.are_text)


def match_again(table: RunTable, role: str, own: Ids, codes: Codes, ids: Ids) -> Matched:
    """The same, where the distinct ids of the column and their codes are known already."""
    column = as_ids(table.frame[table.roles[role]], table.where, table.roles[role])
    coded = Coded(own, own.encode(column))
    return Matched(Numbered.in_order(coded), codes, own.are_text != ids.are_text)


def codes_of(own: Ids, ids: Ids) -> Codes:
    """The code that each of a run's ids has in the collection, −1 where it has none."""
    spelled = own.are_text != ids.are_text
    return _codes_by_spelling(own, ids) if spelled else ids.encode(own.values)


def refuse_foreign(where: str, role: str, own: Ids, codes: Codes, ids: Ids) -> None:
    """Refuse a run none of whose ids is one of the collection."""
    if len(own) and not (codes >= 0).any():
        kind = "user" if role == USER else "item"
        raise NoCommonIds(where, kind, own[0], ids[0] if len(ids) else "none at all")


def _codes_by_spelling(own: Ids, ids: Ids) -> Codes:
    """Codes where one side is text and the other integers: "7" is 7, "07" is not."""
    if ids.are_text:
        return ids.encode(own.values.cast(pl.String))
    numbers = own.values.cast(pl.Int64, strict=False)
    plain = (numbers.cast(pl.String) == own.values).fill_null(False).to_numpy()
    return np.where(plain, ids.encode(numbers.fill_null(0)), np.int32(-1)).astype(np.int32)


def text_places(items: Matched) -> Rows:
    """For each number of an item, the place of its id in the order of their texts."""
    order = items.own.values.cast(pl.String).arg_sort().to_numpy()
    return by_place(np.arange(len(order)), order)[items.places]


def id_places(items: Matched, item_ids: Ids) -> Rows:
    """For each number of an item, the place of its id in the collection's order; ids of the
    other kind come last.
    """
    if not items.spelled:
        return items.places.astype(np.int64)
    places = text_places(items)
    if item_ids.are_text:
        return places
    return np.where(items.codes >= 0, items.codes, places + len(item_ids))


def code_unknown_items(items: Matched, used: Mask, item_ids: Ids) -> tuple[Codes, Ids]:
    """The code of each number of an item, those in use that the collection lacks below zero."""
    unknown = np.flatnonzero(used & (items.codes < 0))
    if not len(unknown):
        return items.codes, NO_IDS
    codes, names = items.codes.copy(), items.own.take(items.places[unknown])
    names = names.cast(pl.String) if item_ids.are_text else names
    order = names.arg_sort().to_numpy()
    codes[unknown[order]] = -1 - np.arange(len(unknown), dtype=np.int32)
    return codes, Ids(names.gather(order))
