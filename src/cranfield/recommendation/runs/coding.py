"""From the table of a run to its lists under the collection's ids, oddities counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import EmptyInput, OddRun
from cranfield.base.ids import Ids
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
from cranfield.recommendation.runs.plain import Values, plain_run
from cranfield.recommendation.runs.report import (
    Oddity,
    RunReport,
    RunRules,
    repeating_rows,
    training_rows,
    unknown_rows,
)
from cranfield.recommendation.runs.run import Run
from cranfield.recommendation.runs.table import (
    Matched,
    RunTable,
    code_unknown_items,
    match,
    refuse_foreign,
)
from cranfield.recommendation.runs.text import WHAT

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Collection(NamedTuple):
    """What a run is read against: the ids that it may name, and what was known before."""

    user_ids: Ids
    item_ids: Ids
    train: Ratings | None

    def training(self) -> Ratings | None:
        """The training ratings under the ids that the run is coded by."""
        train = self.train
        if train is None or (train.user_ids, train.item_ids) == (self.user_ids, self.item_ids):
            return train
        users = self.user_ids.encode(train.user_ids.values)[train.users]
        items = self.item_ids.encode(train.item_ids.values)[train.items]
        both = (users >= 0) & (items >= 0)
        return train.take(both).compact().reindex(self.user_ids, self.item_ids)


@dataclass(frozen=True, eq=False)
class Reading:
    """A run from elsewhere, and what was odd in it."""

    run: Run
    report: RunReport


def read_lists(table: RunTable, system: str, known: Collection, rules: RunRules) -> Reading:
    """The lists of one system's table; refused if none is left."""
    users, items = match_ids(table, known)
    refuse_foreign(table.where, USER, users.own, users.codes, known.user_ids)
    refuse_foreign(table.where, ITEM, items.own, items.codes, known.item_ids)
    made = read_matched(table, (users, items), system, known, rules)
    refuse_empty(table.where, made.report)
    return made


def match_ids(table: RunTable, known: Collection) -> tuple[Matched, Matched]:
    """The users and the items of a table, matched with the collection's."""
    return match(table, USER, known.user_ids), match(table, ITEM, known.item_ids)


def refuse_empty(where: str, report: RunReport) -> None:
    """Refuse a run of which no list is left."""
    if not report.lists:
        raise EmptyInput(f"{where}, once {_left_out(report)} are left out", WHAT)


def read_matched(
    table: RunTable,
    ids: tuple[Matched, Matched],
    system: str,
    known: Collection,
    rules: RunRules,
) -> Reading:
    """The lists of some users, all of theirs; there may be none."""
    users, items = ids
    report = replace(_count_unknown(table, users, items, rules), by_rank=SCORE not in table.roles)
    run = _plain(system, table, ids, known, rules)
    if run is None:
        predictions = predictions_of(table, rules)
        ranks = table.floats(RANK) if RANK in table.roles else None
        places = places_of(table, items, known.item_ids, predictions, ranks, rules)
        rows = np.arange(len(predictions))
        entries = Entries(users.codes[users.rows], items.rows, predictions, places, rows)
        keep = users.known if rules.unknown_items == "keep" else users.known & items.known
        entries = entries if keep.all() else entries.take(keep)
        entries, report = _without_training(entries, items, table, known, report)
        lists, report = _without_repetitions(in_lists(entries), items, table, known, report)
        run = _run(system, lists, items, known.item_ids)
        report = replace(
            report,
            unscored=int(np.isnan(lists.entries.predictions).sum()),
            disordered=0 if report.by_rank or ranks is None else _disordered(lists, ranks),
        )
    missing = len(known.user_ids) - len(run)
    tied = int(run.tied.sum())
    return Reading(run, replace(report, lists=len(run), missing_users=missing, tied=tied))


def _plain(
    system: str,
    table: RunTable,
    ids: tuple[Matched, Matched],
    known: Collection,
    rules: RunRules,
) -> Run | None:
    """The run, if its rows are ranked lists as they stand and nobody has to decide anything."""
    items = ids[1]
    keeps = rules.unknown_items == "keep" or bool((items.codes >= 0).all())
    if not keeps or rules.ties == "rank":
        return None
    predictions = unchecked_predictions(table, rules)
    values = Values(predictions, places_of_items(items, known.item_ids, rules), table.falls())
    return plain_run(system, ids, values, known.item_ids, known.training())


def _count_unknown(table: RunTable, users: Matched, items: Matched, rules: RunRules) -> RunReport:
    """The first lines of a report: what was read, and which ids the collection lacks."""
    if rules.unknown_users == "refuse":
        _refuse_unknown(table, users, "user", '"drop"')
    if rules.unknown_items == "refuse":
        _refuse_unknown(table, items, "item", '"drop" or "keep"')
    return RunReport(
        rows=len(users.rows),
        lists=0,
        missing_users=0,
        unknown_users=users.unknown(),
        unknown_items=items.unknown(),
        spelled=tuple(n for n, m in (("user", users), ("item", items)) if m.spelled),
        rules=rules,
    )


def _refuse_unknown(table: RunTable, matched: Matched, kind: str, choices: str) -> None:
    strange = ~matched.known
    if not strange.any():
        return
    row = int(strange.argmax())
    problem = unknown_rows(int(strange.sum()), kind)
    example = f"{matched[matched.rows[row]]}{_at(table, row)}"
    remedy = f"Choose unknown_{kind}s = {choices}, or correct the run"
    raise OddRun(table.where, f"{problem}, first {example}", remedy)


def _without_training(
    entries: Entries, items: Matched, table: RunTable, known: Collection, report: RunReport
) -> tuple[Entries, RunReport]:
    """Entries without the user's own training items, unless they may stay."""
    train = known.training()
    if train is None:
        return entries, report
    seen = in_training(entries.users, items.codes[entries.items], train)
    if not seen.any():
        return entries, report
    oddity = _pair(entries, int(seen.argmax()), int(seen.sum()), items, known)
    if report.rules.training_items == "refuse":
        at = _at(table, int(entries.rows[seen.argmax()]))
        problem = training_rows(oddity.rows)
        remedy = 'Choose training_items = "drop" or "keep", or correct the run'
        raise OddRun(table.where, f"{problem}, first {oddity.example}{at}", remedy)
    kept = entries if report.rules.training_items == "keep" else entries.take(~seen)
    return kept, replace(report, training_items=oddity)


def _without_repetitions(
    lists: Lists, items: Matched, table: RunTable, known: Collection, report: RunReport
) -> tuple[Lists, RunReport]:
    """Lists with every item once, at its best place."""
    again = repetitions(lists)
    if not len(again):
        return lists, report
    first = int(again[np.argmin(lists.entries.rows[again])])
    oddity = _pair(lists.entries, first, len(again), items, known)
    if report.rules.duplicates == "refuse":
        entries = lists.entries
        same = (entries.users == entries.users[first]) & (entries.items == entries.items[first])
        at = _at(table, *np.sort(entries.rows[same])[:2].tolist())
        problem = repeating_rows(oddity.rows)
        remedy = 'Choose duplicates = "first" to keep the best placed, or correct the run'
        raise OddRun(table.where, f"{problem}, first {oddity.example}{at}", remedy)
    once = np.ones(len(lists.entries.users), bool)
    once[again] = False
    offsets = offsets_of(count_marked(once, lists.offsets))
    kept = Lists(lists.entries.take(once), lists.users, offsets)
    return kept, replace(report, repeated=oddity)


def _pair(entries: Entries, at: int, rows: int, items: Matched, known: Collection) -> Oddity:
    """An oddity of so many rows, with the user and item of one of them."""
    user, item = known.user_ids[entries.users[at]], items[entries.items[at]]
    return Oddity(rows=rows, ids=rows, example=f"{user} and {item}")


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
    words = ["users and items that the collection lacks"] if lacking else []
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


def _run(system: str, lists: Lists, items: Matched, item_ids: Ids) -> Run:
    """The run, its items under the collection's codes, unknown_items numbered below zero."""
    used = np.zeros(len(items.codes), bool)
    used[lists.entries.items] = True
    codes, unknown_items = code_unknown_items(items, used, item_ids)
    return Run(
        system,
        Topics(lists.users),
        lists.offsets,
        codes[lists.entries.items],
        lists.entries.predictions + 0.0,
        count_marked(tied_positions(lists), lists.offsets),
        unknown_items,
    )
