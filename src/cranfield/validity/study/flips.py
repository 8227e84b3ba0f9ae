"""Flips: under which decisions a conclusion changes, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.scoring.scores import Flags
from cranfield.validity.phrases import all_of
from cranfield.validity.study.designs import DesignFactors, factors_of
from cranfield.validity.study.pair_outcomes import PairOutcomes
from cranfield.validity.study.patterns import Pattern, necessary_pattern, typical_pattern

Kind = Literal["wins significantly", "scores more", "not significant"]
"""What happens in the designs of a flip."""

_SHARP = 0.8
"""The F-measure from which necessary conditions suffice by themselves."""


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Designs with a different conclusion, and what sets them apart.

    ``only`` are necessary conditions: none of these designs lies elsewhere. ``mostly`` are
    conditions that fit better, but have exceptions. ``where`` says both, empty if
    there is neither; ``words`` are a whole clause. ``winner`` is None where the difference
    is not significant.
    """

    kind: Kind
    winner: str | None
    designs: int
    of: int
    only: Pattern | None
    mostly: Pattern | None
    where: str
    words: str


def flips(pair: PairOutcomes, leader: int) -> tuple[Flip, ...]:
    """Where the other system wins, significantly or not, and where neither does significantly.

    ``leader`` is 1 if the first system leads, −1 if the second.
    Where the leader seldom wins significantly, that is reported instead of where it does not.
    A design without a p-value, or whose test contradicts its values, misses no significance.
    """
    names = {1: pair.first, -1: pair.second}
    clear, ahead, defined = pair.significant, pair.winners, pair.defined
    factors = factors_of(pair.designs.decisions)
    asked: list[tuple[Kind, str | None, Flags]] = [
        ("wins significantly", names[-leader], clear == -leader)
    ]
    if not np.array_equal(ahead == -leader, clear == -leader):
        asked.append(("scores more", names[-leader], ahead == -leader))
    seldom = 2 * np.count_nonzero(clear == leader) < np.count_nonzero(defined)
    if seldom:
        asked.append(("wins significantly", names[leader], clear == leader))
    else:
        tested = defined & ~np.isnan(pair.p_values) & ~pair.at_odds
        asked.append(("not significant", None, (clear == 0) & tested))
    return tuple(
        describe(factors, members, defined, (kind, winner))
        for kind, winner, members in asked
        if members.any()
    )


def describe(
    factors: DesignFactors, members: Flags, among: Flags, what: tuple[Kind, str | None]
) -> Flip:
    """What sets the members apart among other designs, in words."""
    kind, winner = what
    only = mostly = None
    if (among & ~members).any():
        only = necessary_pattern(factors, members, among)
        if only is None or only.f_measure < _SHARP:
            mostly = _better(typical_pattern(factors, members, among), only)
    subject = "the difference misses significance" if winner is None else f"{winner} {kind}"
    made = Flip(
        kind=kind, winner=winner, designs=int(members.sum()), of=int(among.sum()), only=only,
        mostly=mostly, where=_where(only, mostly), words="",
    )  # fmt: skip
    return replace(made, words=subject + _where_in_words(made))


def _better(mostly: Pattern | None, only: Pattern | None) -> Pattern | None:
    """A pattern with exceptions, if it fits clearly better than the one without."""
    if mostly is None or mostly.only:
        return None
    return mostly if only is None or mostly.f_measure > only.f_measure + 0.1 else None


def _where_in_words(flip: Flip) -> str:
    """In how many designs it is so, unless the conditions say, and under which conditions."""
    if flip.designs == flip.of:
        return f" in {all_of(flip.of)} design{'' if flip.of == 1 else 's'}"
    if flip.only is not None:
        return f" {flip.where}"
    apart = flip.where or "which no simple condition sets apart"
    return f" in {flip.designs:,} of {flip.of:,} designs, {apart}"


def _where(only: Pattern | None, mostly: Pattern | None) -> str:
    parts = []
    if only is not None:
        parts.append(f"only with {only.words} ({_among(only)})")
    if mostly is not None:
        parts.append(
            f"mostly with {mostly.words} ({mostly.covered:,} of these {mostly.members:,} designs, "
            f"out of {mostly.within:,} such designs)"
        )
    return ", and ".join(parts)


def _among(only: Pattern) -> str:
    if only.covered == only.within:
        return f"in {all_of(only.within)} such design{'' if only.within == 1 else 's'}"
    return f"in {only.covered:,} of the {only.within:,} such designs"
