"""Verdict: how far a conclusion holds, in a badge and at most two sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.validity.phrases import all_of, percent, written_p
from cranfield.validity.study.flips import Flip, Kind
from cranfield.validity.study.joint_test import POWER
from cranfield.validity.study.pair_outcomes import PairCounts, PairOutcomes, count

Badge = Literal[
    "established everywhere",
    "established, with exceptions",
    "depends on the design",
    "not established",
    "not tested",
    "tied",
    "one design",
    "undefined",
]
"""What a study finds, allowing for all designs: one system wins in all; in half or more, the
other in none; each wins somewhere, or one in less than half; neither does anywhere. Or: there
was no joint test; all values are equal; one design alone; none has both values."""


@dataclass(frozen=True)
class Verdict:
    """A badge, the sentences that state it, and those that support it."""

    badge: Badge
    sentence: str
    evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


class Detectable(NamedTuple):
    """A difference that would have been found in one design, which is named."""

    design: str
    difference: float


def leader_of(pair: PairOutcomes) -> int:
    """Who leads over all designs: 1 the first system, −1 the second.

    The one with more established wins; if as many, with more wins; if as many, the winner
    of the base design; else the first.
    """
    at_base = 0 if pair.designs.base is None else int(pair.winners[pair.designs.base])
    balances = int(pair.established.sum()), int(pair.winners.sum()), at_base
    return next((int(np.sign(balance)) for balance in balances if balance), 1)


def badge_of(counts: PairCounts) -> Badge:
    """The badge of the counts of a pair, its first system being the leader."""
    if counts.defined < 2:
        return "one design" if counts.defined else "undefined"
    if counts.ties == counts.defined:
        return "tied"
    if not counts.tested:
        return "not tested"
    return _established(counts)


def _established(counts: PairCounts) -> Badge:
    """How far wins go that allow for all designs."""
    if not counts.established_wins:
        return "not established"
    if counts.established_losses or 2 * counts.established_wins < counts.defined:
        return "depends on the design"
    whole = counts.established_wins == counts.defined
    return "established everywhere" if whole else "established, with exceptions"


def claim(
    pair: PairOutcomes, flips: tuple[Flip, ...], detectable: Detectable | None = None
) -> Verdict:
    """What is established about a pair: first the answer, then its condition.

    Each design counts once; its subject is the leader.
    """
    led = pair if leader_of(pair) == 1 else pair.turned()
    claimed = _Claim(led, count(led), flips, detectable)
    badge = badge_of(claimed.counts)
    return Verdict(badge, _CLAIMS[badge](claimed))


@dataclass(frozen=True, eq=False)
class _Claim:
    """What can be said of a pair whose first system leads, one method for each badge."""

    led: PairOutcomes
    counts: PairCounts
    flips: tuple[Flip, ...]
    detectable: Detectable | None

    @property
    def both(self) -> str:
        return f"{self.led.first} and {self.led.second}"

    @property
    def wins(self) -> str:
        return f"{self.led.first} beats {self.led.second}"

    @property
    def all_designs(self) -> str:
        """All designs, or those of them in which both systems have a value."""
        of = f" of {self.counts.designs:,}" if self.counts.undefined else ""
        where = " in which both have a value" if self.counts.undefined else ""
        return f"{all_of(self.counts.defined)}{of} designs{where}"

    def undefined(self) -> str:
        tried = self.counts.designs
        where = f"{all_of(tried)} design{'' if tried == 1 else 's'}"
        names = f"{self.led.first} or {self.led.second}"
        return f"Nothing can be concluded. In {where}, {names} has no value."

    def one_design(self) -> str:
        p_value = float(self.led.adjusted[self.led.defined][0])
        p_value = float(self.led.p_values[self.led.defined][0]) if np.isnan(p_value) else p_value
        tested = f" ({written_p(p_value, self.led.designs.alpha)})"
        if self.counts.ties:
            found = f"{self.both} score the same"
        elif np.isnan(p_value):
            ahead = f"{self.led.first} scores more than {self.led.second}"
            found = f"{ahead}, but the difference was not tested"
        elif p_value <= self.led.designs.alpha:
            found = f"{self.wins}{tested}"
        else:
            found = f"no difference between {self.both} is established{tested}"
        tried = self.led.designs.tried or 1
        several = f"{tried:,} designs were tried, which are all the same"
        one = "One design was tried" if tried == 1 else several
        if self.counts.undefined:
            one = f"One of {self.counts.designs:,} designs gives {self.both} a value"
        return f"{one}: {found}. Whether other designs agree is not known."

    def tied(self) -> str:
        return f"{self.both} score the same in {self.all_designs}."

    def not_tested(self) -> str:
        return (
            f"Nothing is established, as designs were not tested jointly. {self.led.first} scores "
            f"more in {self.counts.wins:,} and {self.led.second} in {self.counts.losses:,} of "
            f"{counted(self.counts.defined, 'design')}."
        )

    def not_established(self) -> str:
        answer = f"No difference between {self.both} is established in any design."
        if self.detectable is None:
            return answer
        return (
            f"{answer} In {self.detectable.design}, one of {self.detectable.difference:.2g} "
            f"would have been found with a power of {percent(POWER)}."
        )

    def everywhere(self) -> str:
        return f"{self.wins} in {self.all_designs}."

    def with_exceptions(self) -> str:
        share = f"{self.counts.established_wins:,} of {counted(self.counts.defined, 'design')}"
        answer = f"{self.wins} in {share} and loses in none."
        where = self.where("not established", None)
        lost = f"The lead is not established {where}." if where else ""
        return f"{answer} {lost}" if lost else answer

    def depends(self) -> str:
        counts, second = self.counts, self.led.second
        mine = self.where("beats", self.led.first) or _in(counts.established_wins, counts.defined)
        other = "in the other designs no difference is established"
        if counts.established_losses:
            theirs = self.where("beats", second) or _in(counts.established_losses, counts.defined)
            other = f"{second} beats {self.led.first} {theirs}"
        return f"It depends. {self.wins} {mine}; {other}."

    def where(self, kind: Kind, winner: str | None) -> str:
        """Under which conditions a system wins, or neither does, if conditions set them apart."""
        found = [each for each in self.flips if (each.kind, each.winner) == (kind, winner)]
        return found[0].brief if found else ""


def _in(designs: int, of: int) -> str:
    return f"in {designs:,} of {counted(of, 'design')}"


_CLAIMS: dict[Badge, Callable[[_Claim], str]] = {
    "established everywhere": _Claim.everywhere,
    "established, with exceptions": _Claim.with_exceptions,
    "depends on the design": _Claim.depends,
    "not established": _Claim.not_established,
    "not tested": _Claim.not_tested,
    "tied": _Claim.tied,
    "one design": _Claim.one_design,
    "undefined": _Claim.undefined,
}
