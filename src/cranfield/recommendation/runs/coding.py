"""From the table of a run to its lists under the collection's ids, oddities counted."""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput, OddRun
from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import count_marked, offsets_of
from cranfield.base.schema import ITEM, RANK, SCORE, USER
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.lists import (
    Entries,
    Lists,
    in_lists,
    in_training,
    places_of,
    places_of_items,
    predictions_of,
    repetitions,
    tied_positions,
    unchecked_predictions,
)
from cranfield.recommendation.runs.plain import RowValues, plain_run
from cranfield.recommendation.runs.report import (
    Oddity,
    RunReport,
    RunRules,
    repeating_rows,
    training_rows,
    unknown_rows,
)
from cranfield.recommendation.runs.run import Run
from cranfield.recommendation.runs.table import Matched, RunTable, code_unknown_items, match
from cranfield.recommendation.runs.text_layout import WHAT

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

NOBODY: Codes = np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
class Reading:
    """The lists of a run from elsewhere, and what was odd in it."""

    run: Run
    report: RunReport


@dataclass(frozen=True, eq=False)
class CodedRun:
    """Rows of a run, all of those of their users, with ids matched to the collection's.

    They can be read under any rules and training ratings; the ids are matched once.
    ``empty`` are users of the collection without a row whose list is there, and empty.
    """

    system: str
    table: RunTable
    users: Matched
    items: Matched
    user_ids: Ids
    item_ids: Ids
    empty: Codes = field(default_factory=lambda: NOBODY)

    def read(self, train: Ratings | None, rules: RunRules) -> Reading:
        """The lists of the rows; there may be none. ``train`` is under the collection's ids."""
        assert train is None or (train.user_ids, train.item_ids) == (self.user_ids, self.item_ids)
        report = _first_report(self, rules)
        run = self._plain(train, rules)
        if run is None:
            lists, report = _lists(self, train, report)
            run = _run(self, lists)
        run = run.with_empty(self.empty)
        missing, tied = len(self.user_ids) - len(run), int(run.tied.sum())
        report = replace(report, lists=len(run), empty=len(self.empty))
        return Reading(run, replace(report, missing_users=missing, tied=tied))

    def _plain(self, train: Ratings | None, rules: RunRules) -> Run | None:
        """The run, if its rows are ranked lists as they stand and no rule has to decide."""
        every = rules.unknown_items == "keep" or bool((self.items.codes >= 0).all())
        if not every or rules.ties == "rank":
            return None
        predictions = unchecked_predictions(self.table, rules)
        places = places_of_items(self.items, self.item_ids, rules)
        values = RowValues(predictions, places, self.table.rank_inversions())
        return plain_run(self.system, (self.users, self.items), values, self.item_ids, train)

    def refuse_unknown(self, kind: str) -> None:
        """Refuse rows whose user or item the collection lacks, and show the first."""
        matched, choices = self.users, '"drop"'
        if kind == "item":
            matched, choices = self.items, '"drop" or "keep"'
        unknown = ~matched.known
        if unknown.any():
            row = int(unknown.argmax())
            problem = unknown_rows(int(unknown.sum()), kind)
            example = f"{matched[matched.rows[row]]}{_at(self.table, row)}"
            remedy = f"Choose unknown_{kind}s = {choices}, or correct the run"
            raise OddRun(self.table.where, f"{problem}, first {example}", remedy)


def code_run(system: str, table: RunTable, user_ids: Ids, item_ids: Ids) -> CodedRun:
    """The rows of a table with their ids matched."""
    users, items = match(table, USER, user_ids), match(table, ITEM, item_ids)
    return CodedRun(system, table, users, items, user_ids, item_ids)


def refuse_empty(where: str, report: RunReport) -> None:
    """Refuse a run of which no list is left."""
    if report.lists == report.empty:
        raise EmptyInput(f"{where}, once {_left_out(report)} are left out", WHAT)


def _first_report(run: CodedRun, rules: RunRules) -> RunReport:
    """The first lines of a report: what was read, and which ids the collection lacks."""
    if rules.unknown_items == "refuse":
        run.refuse_unknown("item")
    users, items = run.users, run.items
    return RunReport(
        rows=len(users.rows),
        lists=0,
        missing_users=0,
        unknown_users=users.unknown(),
        unknown_items=items.unknown(),
        spelled=tuple(n for n, m in (("user", users), ("item", items)) if m.spelled),
        by_rank=SCORE not in run.table.roles,
        rules=rules,
    )


def _lists(run: CodedRun, train: Ratings | None, report: RunReport) -> tuple[Lists, RunReport]:
    """The lists of any rows, in many passes; the report says what is odd in them."""
    table, users, items, rules = run.table, run.users, run.items, report.rules
    predictions = predictions_of(table, rules)
    ranks = table.floats(RANK) if RANK in table.roles else None
    places = places_of(table, items, run.item_ids, predictions, ranks, rules)
    rows = np.arange(len(predictions))
    entries = Entries(users.codes[users.rows], items.rows, predictions, places, rows)
    keep = users.known if rules.unknown_items == "keep" else users.known & items.known
    entries = entries if keep.all() else entries.take(keep)
    entries, report = _without_training(run, entries, train, report)
    lists, report = _without_repetitions(run, in_lists(entries), report)
    unscored = int(np.isnan(lists.entries.predictions).sum())
    disordered = 0 if report.by_rank or ranks is None else _disordered(lists, ranks)
    return lists, replace(report, unscored=unscored, disordered=disordered)


def _without_training(
    run: CodedRun, entries: Entries, train: Ratings | None, report: RunReport
) -> tuple[Entries, RunReport]:
    """Entries without the user's own training items, unless they may stay."""
    if train is None:
        return entries, report
    seen = in_training(entries.users, run.items.codes[entries.items], train)
    if not seen.any():
        return entries, report
    oddity = _oddity(run, entries, np.flatnonzero(seen))
    if report.rules.training_items == "refuse":
        first = int(seen.argmax())
        problem, pair = training_rows(oddity.rows), _pair(run, entries, first)
        at = _at(run.table, int(entries.rows[first]))
        remedy = 'Choose training_items = "drop" or "keep", or correct the run'
        raise OddRun(run.table.where, f"{problem}, first {pair}{at}", remedy)
    left = entries if report.rules.training_items == "keep" else entries.take(~seen)
    return left, replace(report, training_items=oddity)


def _without_repetitions(run: CodedRun, lists: Lists, report: RunReport) -> tuple[Lists, RunReport]:
    """Lists with every item once, at its best place."""
    again = repetitions(lists)
    if not len(again):
        return lists, report
    entries = lists.entries
    oddity = _oddity(run, entries, again)
    if report.rules.duplicates == "refuse":
        first = int(again[np.argmin(entries.rows[again])])
        same = (entries.users == entries.users[first]) & (entries.items == entries.items[first])
        at = _at(run.table, *np.sort(entries.rows[same])[:2].tolist())
        problem, pair = repeating_rows(oddity.rows), _pair(run, entries, first)
        remedy = 'Choose duplicates = "first" to keep the best placed, or correct the run'
        raise OddRun(run.table.where, f"{problem}, first {pair}{at}", remedy)
    once = np.ones(len(entries.users), bool)
    once[again] = False
    offsets = offsets_of(count_marked(once, lists.offsets))
    single = Lists(entries.take(once), lists.users, offsets)
    return single, replace(report, repeated=oddity)


def _oddity(run: CodedRun, entries: Entries, odd: Rows) -> Oddity:
    """How many entries are odd, and the first pair of the first user as an example.

    So it does not depend on which users are read together.
    """
    first = int(odd[np.lexsort((entries.rows[odd], entries.users[odd]))[0]])
    return Oddity(rows=len(odd), ids=len(odd), example=_pair(run, entries, first))


def _pair(run: CodedRun, entries: Entries, at: int) -> str:
    """The user and the item of an entry."""
    return f"{run.user_ids[entries.users[at]]} and {run.items[entries.items[at]]}"


def _at(table: RunTable, *rows: int) -> str:
    """Where rows are, as a message says it."""
    if table.line_of is None:
        return f" ({'row' if len(rows) == 1 else 'rows'} {' and '.join(str(r + 1) for r in rows)})"
    lines = sorted(table.line_of(row) for row in rows)
    return f" ({'line' if len(rows) == 1 else 'lines'} {' and '.join(map(str, lines))})"


def _left_out(report: RunReport) -> str:
    """What left the run, as a message says it."""
    lacking = report.unknown_users.rows + report.unknown_items.rows
    seen = report.training_items.rows
    words = ["users and items that are not in the collection"] if lacking else []
    return " and ".join([*words, "training items"] if seen else words)


def _disordered(lists: Lists, ranks: Floats) -> int:
    """How many lists have a rank that is better than that of a row with a higher score."""
    if not len(lists.users):
        return 0
    users, found, ranked = lists.entries.users, lists.entries.predictions, ranks[lists.entries.rows]
    if ((ranked[1:] >= ranked[:-1]) | (users[1:] != users[:-1])).all():
        return 0
    begins = np.append(True, (found[1:] != found[:-1]) | (users[1:] != users[:-1]))
    starts = np.flatnonzero(begins)
    # Of each group of equal scores, the worst rank against the best of the group below.
    worst, best = np.maximum.reduceat(ranked, starts), np.minimum.reduceat(ranked, starts)
    owners = users[starts]
    wrong = (worst[:-1] > best[1:]) & (owners[:-1] == owners[1:])
    return len(np.unique(owners[1:][wrong]))


def _run(run: CodedRun, lists: Lists) -> Run:
    """The lists as a run, items under the collection's codes, unknown items below zero."""
    used = np.zeros(len(run.items.codes), bool)
    used[lists.entries.items] = True
    codes, unknown_items = code_unknown_items(run.items, used, run.item_ids)
    return Run(
        run.system,
        Topics(lists.users),
        lists.offsets,
        codes[lists.entries.items],
        lists.entries.predictions + 0.0,
        count_marked(tied_positions(lists), lists.offsets),
        unknown_items,
    )
