"""Patterns: conditions on decisions that set a subset of the designs apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.phrases import joined
from cranfield.validity.study.designs import Answer, DesignFactors, Factor
from cranfield.validity.study.wording import range_words, set_words

MOST_NECESSARY = 4
"""Necessary conditions that are reported, those that exclude most first."""

MOST_TYPICAL = 3
"""Conditions of a pattern that holds mostly."""

MOST_SIMPLE = 2
"""Conditions of a simple pattern, which names one answer or a range of each decision."""

Conjunction = list[tuple[Factor, Flags]]
"""Decisions, and for each of their answers whether a condition allows it."""

_BEAM = 16
"""The width of the beam: conjunctions that are extended at each step."""

_WORTH = 0.02
"""What a further condition must add to the F-measure."""


@dataclass(frozen=True)
class Condition:
    """A decision has one of several answers; for numbers, all answers of a range."""

    decision: str
    answers: tuple[Answer, ...]
    words: str


@dataclass(frozen=True)
class Pattern:
    """Conditions that all hold at once, and how well they set the members apart.

    ``members`` designs are to be set apart. The conditions hold in ``within`` designs, of
    which ``covered`` are members. If all members are covered, they lie *only* there.
    Designs that are the same count once.
    """

    conditions: tuple[Condition, ...]
    members: float
    within: float
    covered: float

    @property
    def only(self) -> bool:
        """Whether no member lies elsewhere."""
        return self.covered == self.members

    @property
    def exact(self) -> bool:
        """Whether the conditions hold for the members and for no other design."""
        return self.only and self.covered == self.within

    def holds(self, factors: DesignFactors) -> Flags:
        """The designs for which all conditions hold."""
        answers = {each.decision: each.answers for each in self.conditions}
        held = np.ones(factors.designs, dtype=bool)
        for factor in factors:
            if factor.name in answers:
                allowed = [answer in answers[factor.name] for answer in factor.answers]
                held &= _holds(factor, np.array(allowed, dtype=bool))
        return held

    @property
    def f_measure(self) -> float:
        """The harmonic mean of the share of members covered and of designs that are members."""
        return 2 * self.covered / (self.members + self.within)

    @property
    def words(self) -> str:
        """All conditions in one phrase, as it stands after "with"."""
        return joined([condition.words for condition in self.conditions], "and")


def necessary_pattern(factors: DesignFactors, members: Flags, among: Flags) -> Pattern | None:
    """What all members have in common and other designs lack; None if there is no such thing.

    For each decision that applies to all members, the tightest condition is the answers
    that they give, or the range of their numbers. Of those that exclude a design, each
    time the one that excludes most of what is left is taken, four at most.
    """
    candidates = [
        (factor, chosen)
        for factor in factors
        if (chosen := _tightest(factor, members)) is not None and not chosen.all()
    ]
    left, taken = among.copy(), Conjunction()
    while candidates and len(taken) < MOST_NECESSARY and (left & ~members).any():
        held = [left & _holds(factor, chosen) for factor, chosen in candidates]
        best = int(np.argmin([np.count_nonzero(flags) for flags in held]))
        if not (left & ~held[best]).any():
            break
        left = held[best]
        taken.append(candidates.pop(best))
    return _pattern(factors, taken, members, among) if taken else None


def _tightest(factor: Factor, members: Flags) -> Flags | None:
    """Which answers the members give, or lie between; None if it does not apply to one."""
    if not factor.applies[members].all():
        return None
    given = factor.counts(members) > 0
    if factor.numeric:
        first, last = np.flatnonzero(given)[[0, -1]]
        given[first : last + 1] = True
    return np.asarray(given)


def typical_pattern(
    factors: DesignFactors, members: Flags, among: Flags, *, simple: bool = False
) -> Pattern | None:
    """The conjunction of up to three conditions with the best F-measure; None if none helps.

    A beam search: every conjunction in the beam is extended by every range of each numeric
    decision and, for others, by the sets of answers that hold most members by share. A
    pattern must cover more than half of the members and beat "all designs". A ``simple``
    one has two conditions at most, each of one answer or one range.
    """
    whole = Pattern((), *(factors.weigh(each) for each in (members, among, members)))
    best: Conjunction = []
    reached = whole.f_measure
    beam: list[Conjunction] = [[]]
    for _ in range(MOST_SIMPLE if simple else MOST_TYPICAL):
        grown = _grown(factors, members, among, beam, simple=simple)
        beam = [taken for _, taken in grown]
        if grown and grown[0][0] >= reached + _WORTH:
            reached, best = grown[0]
    if not best:
        return None
    found = _pattern(factors, best, members, among)
    return found if 2 * found.covered > found.members else None


def _grown(
    factors: DesignFactors,
    members: Flags,
    among: Flags,
    beam: list[Conjunction],
    *,
    simple: bool,
) -> list[tuple[float, Conjunction]]:
    """The best conjunctions with one condition more, by F-measure, in any order once."""
    total, found = factors.weigh(members), []
    for taken in beam:
        left = among.copy()
        for factor, chosen in taken:
            left &= _holds(factor, chosen)
        used = {factor.name for factor, _ in taken}
        for factor in factors:
            if factor.name in used:
                continue
            inside, hits = (
                factor.counts(flags, factors.weights) for flags in (left, left & members)
            )
            for chosen in _candidates(factor, inside, hits, simple=simple):
                within, covered = float(inside[chosen].sum()), float(hits[chosen].sum())
                if covered:
                    found.append((2 * covered / (total + within), [*taken, (factor, chosen)]))
    found.sort(key=lambda each: -round(each[0], 12))
    once: dict[frozenset[tuple[str, bytes]], tuple[float, Conjunction]] = {}
    for value, taken in found:
        once.setdefault(
            frozenset((one.name, some.tobytes()) for one, some in taken), (value, taken)
        )
    return list(once.values())[:_BEAM]


def _candidates(factor: Factor, inside: Floats, hits: Floats, *, simple: bool) -> Iterator[Flags]:
    """Sets of answers worth trying: proper ones, without answers that hold no design."""
    size = len(factor.answers)
    if factor.numeric:
        for first in range(size):
            for last in range(first, size):
                chosen = np.zeros(size, dtype=bool)
                chosen[first : last + 1] = True
                if not chosen.all():
                    yield chosen
        return
    purity = np.full(size, -1.0)
    np.divide(hits, inside, out=purity, where=inside > 0)
    order = np.argsort(-purity.round(12), kind="stable")
    for end in range(1, size + simple):
        if purity[order[end - 1]] > 0:
            chosen = np.zeros(size, dtype=bool)
            chosen[order[end - 1 if simple else 0 : end]] = True
            yield chosen


def _holds(factor: Factor, chosen: Flags) -> Flags:
    """The designs that give one of the chosen answers."""
    return np.asarray(np.append(chosen, False)[factor.codes])


def _pattern(factors: DesignFactors, taken: Conjunction, members: Flags, among: Flags) -> Pattern:
    left = among.copy()
    for factor, chosen in taken:
        left &= _holds(factor, chosen)
    conditions = tuple(_condition(factor, chosen) for factor, chosen in taken)
    weighed = (factors.weigh(flags) for flags in (members, left, left & members))
    return Pattern(conditions, *(round(each, 9) for each in weighed))


def _condition(factor: Factor, chosen: Flags) -> Condition:
    flagged = list(zip(factor.answers, chosen.tolist(), strict=True))
    answers = [answer for answer, allowed in flagged if allowed]
    others = [answer for answer, allowed in flagged if not allowed]
    if factor.numeric:
        numbers = [float(answer) for answer in factor.answers]
        words = range_words(factor.name, numbers, (float(answers[0]), float(answers[-1])))
    else:
        words = set_words(factor.name, answers, others)
    return Condition(factor.name, tuple(answers), words)
