"""States: what the figures say of a claim, and how readers are told.

A claim is held to the figures of the paper's data, of data that stand in for them, to
figures that its authors published, and to figures made with a fault of the tool behind the
paper. Every claim ends in one state:

    holds                                             in every figure of every draw
    holds in x of n draws                             of the split, by its seeds
    holds only with a fault of the original tool      and not without it
    contradicted by the authors' own figures          published or printed
    holds with the authors' systems, not with ours    by figures published or printed
    does not hold, for the reason given               that the claim's ``reason`` tells
    does not hold, reason unknown                     its note says what was tried
    cannot be tested here                             nobody's figures decide it

Which of the authors' figures decide follows one rule: those of the same paper, printed or
published with it, before those of another paper of the same authors, which are asked only
where the paper has none, and are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Literal

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.workbench.reproduction.records import labelled_rows
from cranfield.workbench.reproduction.reproduction import Claim

HOLDS = "holds"
IN_DRAWS = "holds in some draws"
WITH_FAULT = "holds only with a fault of the original tool"
CONTRADICTED = "contradicted by the authors' own figures"
THEIRS_ONLY = "holds with the authors' systems, not with ours"
EXPLAINED = "does not hold, for the reason given"
FAILS = "does not hold, reason unknown"
UNTESTED = "cannot be tested here"
STATES = (HOLDS, IN_DRAWS, WITH_FAULT, CONTRADICTED, THEIRS_ONLY, EXPLAINED, FAILS, UNTESTED)
"""All states, as they are counted; a claim's own says in how many draws it holds."""

Kind = Literal["paper", "stand-in", "authors", "fault"]
"""Whose figures: ours on the paper's data or on others, the authors' own, ours with a fault."""


@dataclass(frozen=True)
class Support:
    """How many figures of one data set bear a claim out; a cross-section has no ``panel``."""

    kind: Kind
    panel: str
    held: int
    tested: int

    @property
    def complete(self) -> bool:
        """Whether all do, and there are any."""
        return 0 < self.tested == self.held


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """All that supports a claim, and in how many ``draws`` it holds, where there are several.

    Without any one of the ``decisive`` systems our figures would say the opposite, without one
    of ``authors_decisive`` those of the authors; known only where systems were left out.
    ``authors_of`` is the other paper that the authors' figures are of, if they are. What does
    not hold is ``explained`` where the reason is known.
    """

    supports: tuple[Support, ...] = ()
    draws_held: int = 0
    draws: int = 1
    decisive: tuple[str, ...] = ()
    authors_decisive: tuple[str, ...] = ()
    authors_of: str = ""
    explained: bool = False

    def total(self, kind: Kind) -> Support:
        """The figures of one kind together."""
        mine = [each for each in self.supports if each.kind == kind]
        return Support(kind, "", sum(e.held for e in mine), sum(e.tested for e in mine))

    @property
    def state(self) -> str:
        """The state of the claim, in words."""
        if self.kind != IN_DRAWS:
            return self.kind
        return f"holds in {self.draws_held} of {self.draws} draws"

    @property
    def kind(self) -> str:
        """The state of the claim, one of those that are counted."""
        ours, authors = self.total("paper"), self.total("authors")
        if not ours.tested and not authors.tested:
            return UNTESTED
        always = ours.complete if self.draws == 1 else self.draws_held == self.draws
        if (always or not ours.tested) and (authors.complete or not authors.tested):
            return HOLDS
        if self.total("fault").complete:
            return WITH_FAULT
        if authors.held < authors.tested:
            return CONTRADICTED
        if self.draws > 1 and self.draws_held:
            return IN_DRAWS
        return THEIRS_ONLY if authors.tested else with_reason(FAILS, self.explained)

    def said(self, tool: str = "the original tool") -> str:
        """Which figures bear the claim out, data set by data set."""
        told = [_of_panel(each) for each in self.supports if each.kind == "paper"]
        if self.draws > 1 and told:
            told[0] = self._of_draws(told[0])
        told += [
            f"on the stand-in {_short(each.panel)} {each.held} of {each.tested}"
            for each in self.supports
            if each.kind == "stand-in"
        ]
        theirs = [each for each in self.supports if each.kind == "authors"]
        if theirs:
            sets = ", ".join(f"{e.panel} {e.held} of {e.tested}".strip() for e in theirs)
            source = f" of {self.authors_of}" if self.authors_of else ""
            told.append(f"on the authors' figures{source} {sets}")
        told += _decided("ours", self.decisive) + _decided("theirs", self.authors_decisive)
        fault = self.total("fault")
        if fault.tested:
            told.append(f"with the fault of {tool} {fault.held} of {fault.tested}")
        return "; ".join(told) or "no figure decides it"

    def _of_draws(self, first: str) -> str:
        """In how many draws the claim holds, and what the first says unless all say the same."""
        counted = f"in {self.draws_held} of {self.draws} draws"
        if self.draws_held == self.draws and first.startswith(HOLDS):
            return counted + first.removeprefix(HOLDS)
        return f"{counted}; in the first, {first}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "state": self.state,
            "draws": self.draws,
            "draws_held": self.draws_held,
            "decisive": list(self.decisive),
            "authors_decisive": list(self.authors_decisive),
            "supports": [asdict(each) for each in self.supports],
        }


def _of_panel(each: Support) -> str:
    where = f" on {each.panel}" if each.panel else ""
    if each.complete:
        return f"holds{where}"
    if not each.held:
        return f"does not hold{where}" + (f" ({each.tested} figures)" if each.tested > 1 else "")
    return f"holds in {each.held} of {each.tested} figures{where}"


def _decided(whose: str, systems: Sequence[str]) -> list[str]:
    """Without which systems figures would say the opposite; nothing if they never would."""
    if not systems:
        return []
    some = systems[0] if len(systems) == 1 else f"any one of {', '.join(systems)}"
    return [f"{whose} say the opposite without {some}"]


def _short(panel: str) -> str:
    """What stands in, without what it stands in for."""
    return panel.partition(" instead of ")[0]


def counted_kind(state: str) -> str:
    """The state under which a claim is counted.

    >>> counted_kind("holds in 4 of 10 draws")
    'holds in some draws'
    """
    return IN_DRAWS if re.fullmatch(r"holds in \d+ of \d+ draws", state) else state


def with_reason(state: str, explained: bool) -> str:
    """The state of a claim whose reason for not holding may be known.

    >>> with_reason("does not hold, reason unknown", True)
    'does not hold, for the reason given'
    >>> with_reason("holds", True)
    'holds'
    """
    return EXPLAINED if explained and state == FAILS else state


def told_state(state: str, said: str) -> str:
    """A state and what its figures say, in one line without a word twice.

    >>> told_state("holds", "holds on A; on the stand-in B 2 of 8")
    'holds on A; on the stand-in B 2 of 8'
    >>> told_state("holds in 4 of 10 draws", "in 4 of 10 draws; in the first, holds on A")
    'holds in 4 of 10 draws; in the first, holds on A'
    >>> told_state("holds", "in 10 of 10 draws on A")
    'holds in 10 of 10 draws on A'
    >>> told_state("holds", "on the authors' figures A 2 of 2")
    "holds: on the authors' figures A 2 of 2"
    """
    if said.startswith("in ") and counted_kind(state) in (HOLDS, IN_DRAWS):
        return f"{HOLDS} {said}"
    return said if state == HOLDS and said.startswith(HOLDS) else f"{state}: {said}"


@dataclass(frozen=True, eq=False)
class Judgment:
    """A claim, the verdict on it, and the figures of ours that were looked at."""

    claim: Claim
    verdict: Verdict
    figures: pl.DataFrame

    def to_dict(self, tool: str) -> dict[str, Any]:
        """For JSON."""
        return {
            "says": self.claim.says,
            "said": self.verdict.said(tool),
            "note": self.claim.told,
            **self.verdict.to_dict(),
            **labelled_rows(self.figures, "figures"),
        }


def supports_of(
    rows: pl.DataFrame, kind: Kind, stand_ins: Sequence[str] = (), panel: str = ""
) -> list[Support]:
    """What the rows of a test say, data set by data set; unknown ones say nothing.

    Rows that name no data set are those of ``panel``. Data sets are in the order of their names,
    as rows that are equal by what a test orders them by come in any order.
    """
    named = rows if "panel" in rows.columns else rows.with_columns(panel=pl.lit(panel))
    known = named.filter(pl.col("holds").is_not_null()).sort("panel", maintain_order=True)
    return [
        Support(
            "stand-in" if name in stand_ins else kind,
            str(name),
            int(part["holds"].sum()),
            len(part),
        )
        for (name,), part in known.group_by("panel", maintain_order=True)
    ]


def held_in_draw(supports: Iterable[Support]) -> bool:
    """Whether a claim holds in one draw: in all figures of the paper's data."""
    return Verdict(supports=tuple(supports)).total("paper").complete
