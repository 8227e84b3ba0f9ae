"""Verdict: how far a conclusion holds, in one sentence, with its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.validity.phrases import all_of, joined, written_p
from cranfield.validity.study.flips import Flip, Kind
from cranfield.validity.study.pair_outcomes import PairCounts, PairOutcomes, count

Case = Literal[
    "holds",
    "holds in sign",
    "holds mostly",
    "mixed",
    "reversed",
    "not established",
    "tied",
    "one design",
    "undefined",
]
"""What a study finds: the leader wins significantly in all designs; in all, though not always
significantly; in most, with none significant the other way; in less than that; each wins
significantly somewhere; neither does; all are equal; one design alone; none has both values."""


@dataclass(frozen=True)
class Verdict:
    """One sentence, the case that it states, and the sentences that support it."""

    case: Case
    sentence: str
    evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


def leader_of(pair: PairOutcomes) -> int:
    """Who leads over all designs: 1 the first system, −1 the second.

    The one with more significant wins; if as many, with more wins; if as many, the winner
    of the base design; else the first.
    """
    at_base = 0 if pair.designs.base is None else int(pair.winners[pair.designs.base])
    balances = int(pair.significant.sum()), int(pair.winners.sum()), at_base
    return next((int(np.sign(balance)) for balance in balances if balance), 1)


def case_of(counts: PairCounts) -> Case:
    """Which case the counts of a pair are, its first system being the leader."""
    defined = counts.designs - counts.undefined
    if not defined:
        return "undefined"
    if defined == 1:
        return "one design"
    if counts.ties == defined:
        return "tied"
    if not counts.significant_wins:
        return "not established"
    return "reversed" if counts.significant_losses else _how_far(counts, defined)


def _how_far(counts: PairCounts, defined: int) -> Case:
    """How far the leader's lead goes, where the other never wins significantly."""
    if counts.wins < defined:
        return "holds mostly" if 2 * counts.wins > defined else "mixed"
    return "holds" if counts.significant_wins == defined else "holds in sign"


def claim(pair: PairOutcomes, flips: tuple[Flip, ...]) -> tuple[Case, str]:
    """What is found about a pair, as far as the designs tried allow it: a main clause.

    Its subject is the leader. A joint test that does not reject qualifies what single
    designs seem to show.
    """
    led = pair if leader_of(pair) == 1 else pair.turned()
    claimed = _Claim(led, count(led), flips)
    case = case_of(claimed.counts)
    return case, _CLAIMS[case](claimed) + claimed.odd_base() + claimed.caveat()


def as_sentence(case: Case, words: str) -> str:
    """A claim as a sentence of its own; one that opens with a system's name keeps its case."""
    named = case in ("holds", "holds in sign", "holds mostly", "mixed", "tied")
    return f"{words if named else words[0].upper() + words[1:]}."


@dataclass(frozen=True, eq=False)
class _Claim:
    """What can be said of a pair whose first system leads, one method for each case."""

    led: PairOutcomes
    counts: PairCounts
    flips: tuple[Flip, ...]

    @property
    def both(self) -> str:
        return f"{self.led.first} and {self.led.second}"

    @property
    def level(self) -> str:
        return f"level {self.led.designs.alpha:g}"

    @property
    def designs(self) -> str:
        """The designs tried, or those of them in which both systems have a value."""
        return f"the {self.counts.designs - self.counts.undefined:,}{self._tried}"

    @property
    def all_designs(self) -> str:
        return f"{all_of(self.counts.designs - self.counts.undefined)}{self._tried}"

    @property
    def _tried(self) -> str:
        defined = f", of {self.counts.designs:,} tried, in which both have a value"
        return f" designs{defined if self.counts.undefined else ' tried'}"

    def undefined(self) -> str:
        tried = self.counts.designs
        where = f"{all_of(tried)} design{'' if tried == 1 else 's'} tried"
        names = f"{self.led.first} or {self.led.second}"
        return f"in {where}, {names} has no value, so nothing can be concluded"

    def one_design(self) -> str:
        first, second = self.led.first, self.led.second
        p_value = float(self.led.p_values[self.led.defined][0])
        tested = f"({written_p(p_value, self.led.designs.alpha)}, {self.level})"
        if self.counts.ties:
            found = f"{self.both} score the same"
        elif self.counts.significant_wins:
            found = f"{first} scores significantly more than {second} {tested}"
        elif self.counts.at_odds:
            found = f"{first} scores more than {second}, but the tested difference favours {second}"
        elif self.counts.untested:
            found = f"{first} scores more than {second}, but the difference could not be tested"
        else:
            found = f"{first} scores more than {second}, but not significantly {tested}"
        one = "one design was tried"
        if self.counts.undefined:
            one = f"one design alone, of {self.counts.designs:,} tried, gives {self.both} a value"
        return f"{one}, and in it {found}; whether others agree is not known"

    def tied(self) -> str:
        return f"{self.both} score the same in {self.all_designs}"

    def not_established(self) -> str:
        counts = self.counts
        found = f"do {self.both} differ significantly ({self.level})"
        if not counts.tested:
            found = f"could the difference of {self.both} be tested"
        elif counts.at_odds or counts.untested:
            found = f"does {self.led.first} or {self.led.second} win significantly ({self.level})"
        return (
            f"in none of {self.designs} {found}; "
            f"{self.led.first} scores more in {self.counts.wins:,} and {self.led.second} in "
            f"{self.counts.losses:,}"
        )

    def holds(self) -> str:
        return (
            f"{self.led.first} scores more than {self.led.second} in {self.all_designs}, "
            f"significantly in each of them ({self.level})"
        )

    def holds_in_sign(self) -> str:
        return (
            f"{self.led.first} scores more than {self.led.second} in {self.all_designs}, "
            f"significantly ({self.level}) in {self.counts.significant_wins:,} of them"
            f"{self.where('not significant', None)}"
            f"{self.where('wins significantly', self.led.first)}"
        )

    def holds_mostly(self) -> str:
        ties, losses = self.counts.ties, self.counts.losses
        exceptions = [
            f"they score the same in {ties:,}" * (ties > 0),
            f"{self.led.second} scores more in {losses:,}" * (losses > 0),
        ]
        return (
            f"{self.led.first} wins significantly ({self.level}) in "
            f"{self.counts.significant_wins:,} of {self.designs} and {self.led.second} in none, "
            f"but {joined([words for words in exceptions if words], 'and')}"
            f"{self.where('scores more', self.led.second)}"
        )

    def reversed(self) -> str:
        return (
            f"between {self.both} the winner depends on the design: in {self.designs}, "
            f"{self.led.first} wins significantly ({self.level}) in "
            f"{self.counts.significant_wins:,}; {self.led.second} does in "
            f"{self.counts.significant_losses:,}{self.where('wins significantly', self.led.second)}"
        )

    def where(self, kind: Kind, winner: str | None) -> str:
        """Under which conditions a system wins, or neither does, if conditions set them apart."""
        for flip in self.flips:
            if flip.kind == kind and flip.winner == winner and flip.where:
                return f"; {flip.words}" if winner is None else f", {flip.where}"
        return ""

    def odd_base(self) -> str:
        """That the base design is itself one of the exceptions."""
        base = self.led.designs.base
        if base is None or self.led.winners[base] != -1:
            return ""
        return f"; the base design is one in which {self.led.second} scores more"

    def caveat(self) -> str:
        """How the joint test qualifies the claim."""
        counts, alpha = self.counts, self.led.designs.alpha
        if counts.joint_p is None or counts.tested < 2 or not counts.significant_wins:
            return ""
        if counts.joint_p >= alpha:
            found = written_p(counts.joint_p, alpha)
            return f"; tested jointly, however, no difference is shown in any design ({found})"
        lost = [name for sign, name in ((1, counts.first), (-1, counts.second)) if self._lost(sign)]
        if not lost:
            return ""
        return (
            f"; no win of {joined(lost, 'or')} stays significant once all designs are allowed for"
        )

    def _lost(self, sign: int) -> bool:
        """Whether a system wins significantly, and no more once all designs are allowed for.

        All of its wins must have been tested jointly for this to be known.
        """
        adjusted, surviving = self.led.adjusted, self.led.surviving
        won = self.led.significant == sign
        if adjusted is None or surviving is None or not won.any() or np.isnan(adjusted[won]).any():
            return False
        return not (surviving == sign).any()


_CLAIMS: dict[Case, Callable[[_Claim], str]] = {
    "holds": _Claim.holds,
    "holds in sign": _Claim.holds_in_sign,
    "holds mostly": _Claim.holds_mostly,
    "mixed": _Claim.holds_mostly,
    "reversed": _Claim.reversed,
    "not established": _Claim.not_established,
    "tied": _Claim.tied,
    "one design": _Claim.one_design,
    "undefined": _Claim.undefined,
}
