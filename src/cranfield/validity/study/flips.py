"""Flips: under which decisions a conclusion changes, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.scoring.scores import Flags
from cranfield.validity.phrases import all_of
from cranfield.validity.study.designs import DesignFactors, factors_of
from cranfield.validity.study.pair_outcomes import PairOutcomes
from cranfield.validity.study.patterns import (
    MOST_SIMPLE,
    Pattern,
    necessary_pattern,
    typical_pattern,
)
from cranfield.validity.study.uncertainty import ResampledDesigns

Kind = Literal["beats", "scores more", "not established"]
"""What happens in the designs of a flip."""

_SHARP = 0.8
"""The F-measure from which necessary conditions suffice by themselves."""

_WORTH = 0.5
"""The F-measure from which a verdict names conditions."""


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Designs with a different conclusion, and what sets them apart.

    ``only`` are necessary conditions: none of these designs lies elsewhere. ``mostly`` are
    conditions that fit better, but have exceptions. ``where`` says both, empty if
    there is neither; ``words`` are a whole clause. ``brief`` names one or two simple
    conditions for a verdict, empty if none fits. ``winner`` is None where no lead is
    established. Designs that are the same count once.
    """

    kind: Kind
    winner: str | None
    designs: int
    of: int
    only: Pattern | None
    mostly: Pattern | None
    where: str
    words: str
    brief: str = ""


@dataclass(frozen=True, eq=False)
class _Asked:
    """What happens in some designs: who wins there, and what is then said of them."""

    kind: Kind
    winner: str | None
    members: Flags
    sign: int
    subject: str


def flips(
    pair: PairOutcomes, leader: int, resampled: ResampledDesigns | None = None
) -> tuple[Flip, ...]:
    """Where the other system wins, established or not, and where the leader does or does not.

    ``leader`` is 1 if the first system leads, −1 if the second. Where the leader does not
    win half of the designs, or the other wins any, it is said where it wins, else where it
    does not. Conditions are named only if the effects of the designs they set apart stand
    out from others in ``resampled`` users.
    """
    designs, defined = pair.designs, pair.defined
    weights = None if designs.same_as is None else 1 / designs.copies
    factors = factors_of(designs.decisions.drop(designs.without_effect), weights)

    def stable(pattern: Pattern, asked: _Asked) -> bool:
        held = pattern.holds(factors)[designs.firsts]
        return resampled is None or resampled.stands_out(held, asked.sign)

    return tuple(
        _described(factors, asked, defined, stable)
        for asked in _asked(pair, leader)
        if asked.members.any()
    )


def _asked(pair: PairOutcomes, leader: int) -> list[_Asked]:
    first, second = (pair.first, pair.second) if leader == 1 else (pair.second, pair.first)
    sure, ahead, defined = pair.established, pair.winners, pair.defined
    found = [_Asked("beats", second, sure == -leader, -leader, f"{second} beats {first}")]
    if not np.array_equal(ahead == -leader, sure == -leader):
        more = f"{second} scores more, established or not,"
        found.append(_Asked("scores more", second, ahead == -leader, -leader, more))
    once = pair.designs.firsts
    seldom = 2 * np.count_nonzero(sure[once] == leader) < np.count_nonzero(defined[once])
    if seldom or (sure == -leader).any():
        found.append(_Asked("beats", first, sure == leader, leader, f"{first} beats {second}"))
    else:
        missed = (sure == 0) & defined & ~np.isnan(pair.adjusted)
        lost = f"{first}'s lead is not established"
        found.append(_Asked("not established", None, missed, -leader, lost))
    return found


def _described(
    factors: DesignFactors, asked: _Asked, among: Flags, stable: Callable[[Pattern, _Asked], bool]
) -> Flip:
    """What sets designs apart among others, in words."""
    only = mostly = simple = None
    if (among & ~asked.members).any():
        only = necessary_pattern(factors, asked.members, among)
        if only is None or only.f_measure < _SHARP:
            mostly = _better(typical_pattern(factors, asked.members, among), only)
        simple = typical_pattern(factors, asked.members, among, simple=True)
        if only and only.exact and len(only.conditions) <= MOST_SIMPLE:
            simple = only
    only, mostly, simple = (
        each if each and stable(each, asked) else None for each in (only, mostly, simple)
    )
    made = Flip(
        kind=asked.kind,
        winner=asked.winner,
        designs=round(factors.weigh(asked.members)),
        of=round(factors.weigh(among)),
        only=only,
        mostly=mostly,
        where=_where(only, mostly),
        words="",
        brief=_brief(simple),
    )
    return replace(made, words=f"{asked.subject}{_where_in_words(made)}")


def _brief(found: Pattern | None) -> str:
    """Conditions in a few words, as they stand after a verb."""
    if found is None or found.f_measure < _WORTH:
        return ""
    how = "with" if found.exact else "only with" if found.only else "mostly with"
    return f"{how} {found.words}"


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
            f"mostly with {mostly.words} ({round(mostly.covered):,} of these "
            f"{round(mostly.members):,} designs, out of {round(mostly.within):,} such designs)"
        )
    return ", and ".join(parts)


def _among(only: Pattern) -> str:
    within = round(only.within)
    if only.exact:
        return f"in {all_of(within)} such design{'' if within == 1 else 's'}"
    return f"in {round(only.covered):,} of the {within:,} such designs"
