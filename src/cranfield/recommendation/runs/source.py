"""RunSource: where the rows of a run are, to be read at once or some users at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import BadValue, EmptyInput, OddRun, UnreadableFile
from cranfield.base.ids import Codes, Ids, as_ids
from cranfield.base.ragged import offsets_of
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.recommendation.kernels.plain_runs import count_codes
from cranfield.recommendation.runs.coding import (
    Collection,
    Reading,
    match_ids,
    read_matched,
    refuse_empty,
)
from cranfield.recommendation.runs.report import (
    Oddity,
    RunReport,
    RunRules,
    join_reports,
    unknown_rows,
)
from cranfield.recommendation.runs.run import NO_IDS
from cranfield.recommendation.runs.table import (
    Matched,
    RunTable,
    by_place,
    codes_of,
    match_again,
    refuse_foreign,
)
from cranfield.recommendation.runs.text import WHAT

Counts = npt.NDArray[np.int64]

ROWS_AT_ONCE = 2_000_000
"""Rows of a run that are held at a time."""
_FEW_ROWS = 1_000_000
"""Rows of a file that stay in memory, coded, from when they are first looked at."""


@dataclass(frozen=True, eq=False)
class RunSource:
    """The rows of one system; those of a Parquet file stay there until they are asked for.

    ``held`` are those that are in memory already. Without ``ranks`` these are read only where
    a score is missing: elsewhere they but show whether they agree with the scores.
    """

    system: str
    rows: pl.LazyFrame
    roles: Mapping[str, str]
    where: str
    held: RunTable | None = None
    ranks: bool = True

    def whole(self) -> RunTable:
        """All rows."""
        return self.held or self._table(self.rows)

    def kept(self) -> RunSource:
        """The same with its rows in memory if they are few, so that they are read only once."""
        if self.held is not None:
            return self
        first = self._table(self.rows.head(_FEW_ROWS + 1))
        if len(first.frame) > _FEW_ROWS:
            return self
        return replace(self, held=first.ready())

    def of_users(self, ids: pl.Series, *, gaps: bool) -> RunTable:
        """The rows of some users, given in ascending order of their ids.

        ``gaps`` tells that users in between are not meant. The ends alone let the reader
        of a file pass over the parts that hold none of them.
        """
        column = pl.col(self.roles[USER])
        wanted = column.is_between(pl.lit(ids[0]), pl.lit(ids[-1]))
        rows = self.rows.filter(wanted & column.is_in(ids.implode()) if gaps else wanted)
        return self._read(rows, f"{self.where}, users {ids[0]} to {ids[-1]}")

    def counts(self, role: str) -> tuple[Ids, Counts]:
        """The distinct ids of a column, and how many rows name each."""
        name = self.roles[role]
        found = self._collect(self.rows.group_by(name).agg(pl.len().alias("rows of each")))
        if found[name].null_count():
            raise BadValue(self.where, name, "nothing", "an id")
        found = found.with_columns(as_ids(found[name], self.where, name)).sort(name)
        return Ids(found[name].rechunk()), found["rows of each"].cast(pl.Int64).to_numpy()

    @property
    def divisible(self) -> bool:
        """Whether some users can be told from others without reading all rows."""
        if self.held is not None and self.held.line_of is not None:
            return False
        kind = self.rows.collect_schema()[self.roles[USER]]
        return kind.is_integer() or kind == pl.String

    def _table(self, rows: pl.LazyFrame) -> RunTable:
        """Some of the rows, at least one."""
        table = self._read(rows, self.where)
        if table.frame.is_empty():
            raise EmptyInput(self.where, WHAT)
        return table

    def _read(self, rows: pl.LazyFrame, where: str) -> RunTable:
        """Some of the rows, their ranks if they are needed."""
        roles = {role: name for role, name in self.roles.items() if role != RANK}
        if SCORE in roles and not self.ranks:
            table = RunTable(self._collect(rows.select(roles.values())), roles, where)
            if table.gaps is None:
                return table
        return RunTable(self._collect(rows), self.roles, where)

    def _collect(self, rows: pl.LazyFrame) -> pl.DataFrame:
        try:
            return rows.collect(engine="streaming")
        except (PolarsError, OSError):
            problem = "it is not a whole Parquet file"
            remedy = "Fetch or make the file again."
            raise UnreadableFile(self.where, problem, remedy) from None


@dataclass(frozen=True, eq=False)
class Named:
    """The distinct ids of a run's column, their codes, and how many rows name any of them."""

    own: Ids
    codes: Codes
    total: int
    count: Callable[[], Counts]
    """Counts the rows that name each."""

    @cached_property
    def rows(self) -> Counts:
        """How many rows name each."""
        return self.count()

    @property
    def unknown_items(self) -> Ids:
        """The ids that the collection lacks."""
        strange = np.flatnonzero(self.codes < 0)
        return Ids(self.own.take(strange)) if len(strange) else NO_IDS

    def unknown(self) -> Oddity:
        """How many rows name ids that the collection lacks, how many ids, and one of them."""
        strange = np.flatnonzero(self.codes < 0)
        if not len(strange):
            return Oddity()
        rows = int(self.rows[strange].sum())
        return Oddity(rows=rows, ids=len(strange), example=str(self.own[strange[0]]))


@dataclass(frozen=True, eq=False)
class OpenRun:
    """A run whose users and items are known, and whose lists are still to be read.

    ``coded`` is the table of a run that is in memory, its ids matched.
    """

    source: RunSource
    known: Collection
    rules: RunRules
    users: Named
    items: Named
    coded: tuple[RunTable, tuple[Matched, Matched]] | None = None

    def rows_of_users(self) -> Counts:
        """How many rows each user of the collection has."""
        known = self.users.codes >= 0
        rows = np.zeros(len(self.known.user_ids), dtype=np.int64)
        rows[self.users.codes[known]] = self.users.rows[known]
        return rows

    def read(self, users: slice) -> Reading:
        """The lists of a range of the collection's users."""
        if users == slice(0, len(self.known.user_ids)):
            table, ids = self.coded or self._whole()
        else:
            table = self._table(users)
            ids = match_ids(table, self.known)
        return read_matched(table, ids, self.source.system, self.known, self.rules)

    def _whole(self) -> tuple[RunTable, tuple[Matched, Matched]]:
        """All rows; their distinct ids are known."""
        table = self.source.whole()
        users, items = self.users, self.items
        return table, (
            match_again(table, USER, users.own, users.codes, self.known.user_ids),
            match_again(table, ITEM, items.own, items.codes, self.known.item_ids),
        )

    def _table(self, users: slice) -> RunTable:
        """The rows of a range of the collection's users, not of all."""
        codes = self.users.codes
        chosen = np.flatnonzero((codes >= users.start) & (codes < users.stop))
        if not len(chosen):
            return RunTable(self.source.rows.head(0).collect(), self.source.roles, "")
        gaps = int(chosen[-1] - chosen[0]) + 1 > len(chosen)
        return self.source.of_users(self.users.own.take(chosen), gaps=gaps).ready()

    def report(self, parts: Sequence[RunReport]) -> RunReport:
        """What was odd in the whole run, from what was odd in its parts."""
        joined = replace(
            join_reports(parts),
            rows=self.users.total,
            unknown_users=self.users.unknown(),
            unknown_items=self.items.unknown(),
        )
        refuse_empty(self.source.where, joined)
        return replace(joined, missing_users=len(self.known.user_ids) - joined.lists)


def open_lists(source: RunSource, known: Collection, rules: RunRules) -> OpenRun:
    """Look at which users and items a run names; one that shares none is refused."""
    coded, found, source = None, {}, source.kept()
    if source.held is not None:
        table = source.whole()
        coded = table, match_ids(table, known)
        for role, matched in zip((USER, ITEM), coded[1], strict=True):
            total, count = len(matched.rows), partial(_count, matched)
            found[role] = Named(matched.own, matched.codes_in_order, total, count)
    else:
        for role, ids in ((USER, known.user_ids), (ITEM, known.item_ids)):
            own, rows = source.counts(role)
            found[role] = Named(own, codes_of(own, ids), int(rows.sum()), rows.copy)
    for role, ids in ((USER, known.user_ids), (ITEM, known.item_ids)):
        refuse_foreign(source.where, role, found[role].own, found[role].codes, ids)
    strange = found[USER].unknown()
    if rules.unknown_users == "refuse" and strange.rows:
        problem = unknown_rows(strange.rows, "user")
        remedy = 'Choose unknown_users = "drop", or correct the run'
        raise OddRun(source.where, f"{problem}, such as {strange.example}", remedy)
    return OpenRun(source, known, rules, found[USER], found[ITEM], coded)


def _count(matched: Matched) -> Counts:
    """How many rows name each id."""
    rows = np.zeros(len(matched.own), np.int64)
    count_codes(matched.rows, rows)
    return by_place(rows, matched.places)


def blocks_of_users(runs: Sequence[OpenRun], most: int = ROWS_AT_ONCE) -> list[slice]:
    """Ranges of users, so few that no run has more rows of theirs than may be held.

    One user's rows are never divided. One block holds everybody where all runs are small,
    or where one cannot be read in parts.
    """
    size = len(runs[0].known.user_ids)
    small = all(run.users.total <= most for run in runs)
    if small or not all(run.source.divisible for run in runs):
        return [slice(0, size)]
    rows = offsets_of(np.max([run.rows_of_users() for run in runs], axis=0))
    starts, start = [0], 0
    while rows[-1] - rows[start] > most:
        start = max(int(np.searchsorted(rows, rows[start] + most, side="right")) - 1, start + 1)
        starts.append(start)
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], size], strict=True) if b > a]
