"""RunTable: what was read of a run, before it becomes lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ids import Ids, Numbered, as_ids, number_ids, used_codes
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.base.threads import in_threads
from cranfield.collection.columns import Floats, finite

Rows = npt.NDArray[np.int64]


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
    lower: Rows | None = None
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
        """The scores as they lie in memory, in pieces, nobody having looked at them; None
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

    def falls(self) -> Rows:
        """The rows whose rank is below that of the row before; none where there is no rank.

        Whole ranks are looked at where they lie, for most runs need no more of them.
        """
        if self.lower is not None:
            return self.lower
        if RANK not in self.roles:
            return np.empty(0, np.int64)
        column = self.frame[self.roles[RANK]]
        if column.dtype.is_integer() and not column.null_count():
            return _falls([piece.to_numpy() for piece in column.get_chunks()])
        return _falls([self.floats(RANK)])

    def ready(self) -> RunTable:
        """The same, its columns coded, converted and looked at, all at once."""
        makers: dict[str, Callable[[], Any]] = {ITEM: partial(self.numbered, ITEM)}  # the longest
        makers[USER] = partial(self.numbered, USER)
        if SCORE in self.roles and self.gaps is None:
            makers["falls"] = self.falls
            if self.scores_in_place() is None:
                makers[SCORE] = partial(self.floats, SCORE)
        made = dict(zip(makers, in_threads(lambda make: make(), makers.values()), strict=True))
        gone = {self.roles[role] for role in made if role in self.roles}
        left = pl.DataFrame([each for each in self.frame if each.name not in gone])
        ids = {USER: made[USER], ITEM: made[ITEM]}
        return replace(self, frame=left, ids=ids, scores=made.get(SCORE), lower=made.get("falls"))

    def take(self, rows: npt.NDArray[np.int64], where: str) -> RunTable:
        """Some of the rows, which still know their lines."""
        lines, ids = self.line_of, {}
        for role, (distinct, numbers, places, _) in self.ids.items():
            chosen = numbers[rows]
            used, left = used_codes(np.bincount(chosen, minlength=len(distinct)), chosen)
            kept = np.sort(places[used])
            among = np.searchsorted(kept, places[used]).astype(np.int32)
            ids[role] = Numbered(Ids(distinct.take(kept)), left, among)
        line_of = None if lines is None else lambda row: lines(int(rows[row]))
        return RunTable(self.frame[rows], self.roles, where, line_of, ids)

    def column(self, role: str) -> pl.Series | None:
        """The column that plays a role, if there is one."""
        return self.frame[self.roles[role]] if role in self.roles else None


def _falls(pieces: Sequence[npt.NDArray[Any]]) -> Rows:
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
