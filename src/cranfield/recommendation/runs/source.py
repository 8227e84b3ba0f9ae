"""RunSource: where the rows of a run are, to be read at once or some users at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue, EmptyInput, OddRun, counted
from cranfield.base.ids import Codes, Ids, as_ids
from cranfield.base.ragged import offsets_of
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.coding import (
    NOBODY,
    CodedRun,
    Reading,
    code_run,
    refuse_empty,
)
from cranfield.recommendation.runs.ids import RunIds, ids_in_memory
from cranfield.recommendation.runs.large_text import CopiedRows
from cranfield.recommendation.runs.parts import whole_parquet
from cranfield.recommendation.runs.report import (
    RunReport,
    RunRules,
    join_reports,
    unknown_rows,
)
from cranfield.recommendation.runs.scattered import SortedRows, is_scattered, sort_rows
from cranfield.recommendation.runs.table import (
    RunTable,
    codes_of,
    match_again,
    refuse_foreign,
)
from cranfield.recommendation.runs.text_layout import WHAT

Counts = npt.NDArray[np.int64]

ROWS_AT_ONCE = 2_000_000
"""Rows of a run that are held at a time."""
_MANY_ROWS = 10_000_000
"""Rows of a file from which on it matters where its users are."""
_FEW_ROWS = 1_000_000
"""Rows of a file that stay in memory, coded, from when they are first looked at."""


@dataclass(frozen=True, eq=False)
class RunSource:
    """The rows of one system; those of a Parquet file stay there until they are asked for.

    ``held`` are those that are in memory already. Without ``ranks`` these are read only where
    a score is missing: elsewhere they but show whether they agree with the scores. ``empty``
    are the users whose list has no item, and so no row. ``by_user`` are the rows sorted by
    user, where they are scattered over their files; ``copied``, those of large text.
    """

    system: str
    rows: pl.LazyFrame
    roles: Mapping[str, str]
    where: str
    held: RunTable | None = None
    ranks: bool = True
    empty: Ids | None = None
    by_user: SortedRows | None = None
    copied: CopiedRows | None = None

    def whole(self) -> RunTable:
        """All rows."""
        return self.held or self._table(self.rows)

    def loaded(self) -> RunSource:
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
        sorted_rows = self.by_user
        every = self.rows if sorted_rows is None else sorted_rows.between(ids[0], ids[-1])
        rows = every.filter(wanted & column.is_in(ids.implode()) if gaps else wanted)
        return self._read(rows, f"{self.where}, users {ids[0]} to {ids[-1]}")

    def sorted_by(self, users: RunIds) -> RunSource:
        """The same with its rows sorted by user, if they are many and scattered."""
        if self.held is not None or users.total <= _MANY_ROWS or not self.divisible:
            return self
        asked = self.rows, self.roles[USER], users.own, users.rows
        with whole_parquet(self.where):
            scattered = is_scattered(*asked, ROWS_AT_ONCE)
        return replace(self, by_user=sort_rows(*asked, self.system)) if scattered else self

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
        """Whether the rows of some users can be read without all others."""
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
        with whole_parquet(self.where):
            return rows.collect(engine="streaming")


@dataclass(frozen=True, eq=False)
class OpenRun:
    """A run whose ids are matched with the collection's, and whose lists are still to be read.

    It can be read any number of times, for any users, training ratings and rules. ``coded``
    are the rows of a run that is in memory; those of other runs are read when they are
    asked for.
    """

    source: RunSource
    user_ids: Ids
    item_ids: Ids
    users: RunIds
    items: RunIds
    coded: CodedRun | None = None

    @cached_property
    def empty(self) -> Codes:
        """The codes of users who have an empty list, ascending, −1 for those unknown."""
        own = self.source.empty
        codes = NOBODY if own is None else codes_of(own, self.user_ids)
        return np.sort(codes[~np.isin(codes, self.users.codes[self.users.codes >= 0])])

    @property
    def listed_users(self) -> Codes:
        """The codes of the collection's users who have a list, be it empty."""
        every = np.union1d(self.users.codes, self.empty)
        return every[every >= 0]

    @cached_property
    def rows_of_users(self) -> Counts:
        """How many rows each user of the collection has."""
        known = self.users.codes >= 0
        rows = np.zeros(len(self.user_ids), dtype=np.int64)
        rows[self.users.codes[known]] = self.users.rows[known]
        return rows

    def read(self, users: slice, *, train: Ratings | None, rules: RunRules) -> Reading:
        """The lists of a range of the collection's users under some rules.

        ``train`` is coded by the collection's ids; it tells what ``training_items`` are.
        """
        self.check(rules)
        return self.part(users).read(train, rules)

    def part(self, users: slice) -> CodedRun:
        """The rows of a range of the collection's users, to be read under several rules."""
        if users == slice(0, len(self.user_ids)):
            rows = self.coded or self._whole()
        else:
            rows = code_run(self.source.system, self._table(users), self.user_ids, self.item_ids)
        first, stop = np.searchsorted(self.empty, [users.start, users.stop])
        return replace(rows, empty=self.empty[first:stop])

    def check(self, rules: RunRules) -> None:
        """Refuse users that the collection lacks, if the rules say so."""
        if rules.unknown_users != "refuse":
            return
        self._refuse_unknown_empty()
        if (self.users.codes >= 0).all():
            return
        if self.coded is not None:
            self.coded.refuse_unknown("user")
        unknown = self.users.unknown()
        problem = unknown_rows(unknown.rows, "user")
        remedy = 'Choose unknown_users = "drop", or correct the run'
        raise OddRun(self.source.where, f"{problem}, such as {unknown.example}", remedy)

    def _refuse_unknown_empty(self) -> None:
        """Refuse empty lists of users that the collection lacks."""
        own = self.source.empty
        if own is None:
            return
        unknown = np.flatnonzero(codes_of(own, self.user_ids) < 0)
        if len(unknown):
            one, more = "empty list is of a user that is", "empty lists are of users that are"
            problem = f"{counted(len(unknown), one, more)} not in the collection"
            remedy = 'Choose unknown_users = "drop", or correct the run'
            raise OddRun(self.source.where, f"{problem}, such as {own[unknown[0]]}", remedy)

    def report(self, parts: Sequence[RunReport], rules: RunRules) -> RunReport:
        """What was odd in the whole run, from what was odd in its parts; no list is refused."""
        self.check(rules)
        joined = replace(
            join_reports(parts),
            rows=self.users.total,
            unknown_users=self.users.unknown(),
            unknown_items=self.items.unknown(),
            rules=rules,
        )
        refuse_empty(self.source.where, joined)
        return replace(joined, missing_users=len(self.user_ids) - joined.lists)

    def _whole(self) -> CodedRun:
        """All rows; their distinct ids are known."""
        table = self.source.whole()
        users = match_again(table, USER, self.users.own, self.users.codes, self.user_ids)
        items = match_again(table, ITEM, self.items.own, self.items.codes, self.item_ids)
        return CodedRun(self.source.system, table, users, items, self.user_ids, self.item_ids)

    def _table(self, users: slice) -> RunTable:
        """The rows of a range of the collection's users, not of all."""
        codes = self.users.codes
        chosen = np.flatnonzero((codes >= users.start) & (codes < users.stop))
        if not len(chosen):
            return RunTable(self.source.rows.head(0).collect(), self.source.roles, "")
        gaps = int(chosen[-1] - chosen[0]) + 1 > len(chosen)
        return self.source.of_users(self.users.own.take(chosen), gaps=gaps).ready()


def open_lists(source: RunSource, user_ids: Ids, item_ids: Ids) -> OpenRun:
    """Match the users and items of a run with the collection's; one that shares none is refused."""
    source, coded, known = source.loaded(), None, (user_ids, item_ids)
    if source.held is not None:
        coded = code_run(source.system, source.held, user_ids, item_ids)
        users, items = (ids_in_memory(matched) for matched in (coded.users, coded.items))
    else:
        users, items = (
            _ids_in_file(source, *each) for each in zip((USER, ITEM), known, strict=True)
        )
    for role, own, ids in zip((USER, ITEM), (users, items), known, strict=True):
        refuse_foreign(source.where, role, own.own, own.codes, ids)
    return OpenRun(source.sorted_by(users), user_ids, item_ids, users, items, coded)


def _ids_in_file(source: RunSource, role: str, ids: Ids) -> RunIds:
    own, rows = source.counts(role)
    return RunIds(own, codes_of(own, ids), int(rows.sum()), lambda: rows)


def blocks_of_users(runs: Sequence[OpenRun], most: int | None = None) -> list[slice]:
    """Ranges of users, so few that no run has more rows of theirs than may be held.

    One user's rows are never divided. One block holds everybody where all runs are small,
    or where one cannot be read in parts.
    """
    size, most = len(runs[0].user_ids), most or ROWS_AT_ONCE
    small = all(run.users.total <= most for run in runs)
    if small or not all(run.source.divisible for run in runs):
        return [slice(0, size)]
    rows = offsets_of(np.max([run.rows_of_users for run in runs], axis=0))
    starts, start = [0], 0
    while rows[-1] - rows[start] > most:
        start = max(int(np.searchsorted(rows, rows[start] + most, side="right")) - 1, start + 1)
        starts.append(start)
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], size], strict=True) if b > a]
