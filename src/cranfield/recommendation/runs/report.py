"""What was odd in a run that came from elsewhere, and what is done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions
from cranfield.base.errors import counted

Ties = Literal["item-id", "file", "rank", "trec_eval"]
"""Who comes first among items of equal score. ``item-id``: the lower id (integers by value,
text by code point; ids the collection lacks and that are of the other kind come last).
``file``: the earlier row. ``rank``: the lower rank in the file. ``trec_eval``: the higher id,
as text, and scores are equal if they are so in single precision."""

Repeated = Literal["refuse", "first"]
"""An item more than once in a list: an error, or its best place counts."""

Kept = Literal["keep", "drop", "refuse"]
"""Items that raise a question stay where they are, leave the list (all below move up), or
are an error."""

Dropped = Literal["drop", "refuse"]
"""Lists of users that the collection lacks are left out, or are an error."""


@decisions("run")
@dataclass(frozen=True, kw_only=True)
class RunRules:
    """How a run from elsewhere is read.

    Items that the collection lacks keep their places by default: the system spent a rank
    on them. Training items leave the list, since none is ever ranked for the
    user who has it; what was below moves up.
    """

    ties: Ties = "item-id"
    duplicates: Repeated = "refuse"
    training_items: Kept = "drop"
    unknown_items: Kept = "keep"
    unknown_users: Dropped = "drop"


@dataclass(frozen=True, kw_only=True)
class Oddity:
    """So many rows of a kind, and the first of them as an example."""

    rows: int = 0
    ids: int = 0
    example: str = ""


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """What a run held beside plain ranked lists of the collection's users and items.

    ``rows`` and ``lists`` count what was read and what became of it; so many lists are
    ``empty``. ``missing_users`` are in the collection and have no list: no metric covers
    them. ``disordered`` counts lists whose ranks contradict their scores; scores decide.
    ``unscored`` rows have a rank and no score. ``spelled`` names the ids ("user", "item")
    that were matched by spelling, as the collection has text where the run has integers, or
    the reverse.
    """

    rows: int
    lists: int
    missing_users: int
    empty: int = 0
    unknown_users: Oddity = Oddity()
    unknown_items: Oddity = Oddity()
    repeated: Oddity = Oddity()
    training_items: Oddity = Oddity()
    tied: int = 0
    unscored: int = 0
    disordered: int = 0
    by_rank: bool = False
    spelled: tuple[str, ...] = ()
    rules: RunRules = RunRules()

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each oddity; none for a run without."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        if self.missing_users:
            more = "users of the collection have"
            yield f"{counted(self.missing_users, 'user of the collection has', more)} no list."
        if self.empty:
            yield f"{counted(self.empty, 'list is', 'lists are')} empty."
        yield from self._notes_on_rows()
        if self.tied:
            tied = counted(self.tied, "position shares its", "positions share their")
            yield f"{tied} score with a neighbour."
        if self.disordered:
            lists = counted(self.disordered, "list has", "lists have")
            yield f"{lists} ranks that contradict scores; scores decide."
        if self.unscored:
            rows = counted(self.unscored, "row has", "rows have")
            yield f"{rows} a rank and no score; such rows come last, by rank."
        if self.by_rank:
            yield "There is no score; lists are ordered by rank."
        for kind in self.spelled:
            yield f"The {kind} ids were matched by their spelling (text and integers)."

    def _notes_on_rows(self) -> Iterator[str]:
        rules = self.rules
        if self.unknown_users.rows:
            yield f"{_found(self.unknown_users, 'user')}; {_fate(self.unknown_users, 'drop')}."
        if self.unknown_items.rows:
            fate = _fate(self.unknown_items, rules.unknown_items)
            yield f"{_found(self.unknown_items, 'item')}; {fate}."
        if self.training_items.rows:
            seen, fate = self.training_items, _fate(self.training_items, rules.training_items)
            yield f"{training_rows(seen.rows)}, such as {seen.example}; {fate}."
        if self.repeated.rows:
            again = self.repeated
            yield f"{repeating_rows(again.rows)}, such as {again.example}; the best place counts."

    def __str__(self) -> str:
        head = f"{counted(self.rows, 'row')}, {counted(self.lists, 'list')}."
        return "\n".join([head, *self.notes])


def _found(oddity: Oddity, kind: str) -> str:
    rows = counted(oddity.rows, "row names", "rows name")
    named = f"{counted(oddity.ids, kind)} (such as {oddity.example})"
    return f"{rows} {named} that {'is' if oddity.ids == 1 else 'are'} not in the collection"


def _fate(oddity: Oddity, decided: str) -> str:
    """What happened to odd rows."""
    if decided == "keep":
        return "it keeps its place" if oddity.rows == 1 else "they keep their places"
    return "it was dropped" if oddity.rows == 1 else "they were dropped"


def unknown_rows(number: int, kind: str) -> str:
    """That so many rows name users or items that nobody knows."""
    one = f"row names {'an' if kind == 'item' else 'a'} {kind} that is"
    return f"{counted(number, one, f'rows name {kind}s that are')} not in the collection"


def training_rows(number: int) -> str:
    """That so many rows hold what their users had before."""
    return f"{counted(number, 'row holds', 'rows hold')} an item of the user's training set"


def repeating_rows(number: int) -> str:
    """The problem that so many rows repeat an item of their list."""
    return counted(number, "row repeats an item of its list", "rows repeat an item of their list")


def join_reports(parts: Sequence[RunReport]) -> RunReport:
    """One report on the lists of all parts, which have no user in common."""
    return replace(
        parts[0],
        rows=sum(part.rows for part in parts),
        lists=sum(part.lists for part in parts),
        empty=sum(part.empty for part in parts),
        unknown_users=_joined(part.unknown_users for part in parts),
        unknown_items=_joined(part.unknown_items for part in parts),
        repeated=_joined(part.repeated for part in parts),
        training_items=_joined(part.training_items for part in parts),
        tied=sum(part.tied for part in parts),
        unscored=sum(part.unscored for part in parts),
        disordered=sum(part.disordered for part in parts),
    )


def _joined(parts: Iterable[Oddity]) -> Oddity:
    odd = [part for part in parts if part.rows]
    example = odd[0].example if odd else ""
    rows, ids = sum(part.rows for part in odd), sum(part.ids for part in odd)
    return Oddity(rows=rows, ids=ids, example=example)
