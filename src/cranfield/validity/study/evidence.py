"""The evidence of a verdict: what was tried, what was found, and what it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from cranfield.base.errors import counted
from cranfield.validity.phrases import joined, percent, signed, written_p
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.flips import Flip
from cranfield.validity.study.importance import Importance
from cranfield.validity.study.joint_test import JointTest
from cranfield.validity.study.pair_outcomes import PairCounts, PairOutcomes, count
from cranfield.validity.study.rank_movement import RankMovement
from cranfield.validity.study.verdict import Verdict, as_sentence, claim
from cranfield.validity.study.wording import decision_words

_NAMED = 3
"""Decisions and systems that are named."""

_LITTLE, _MUCH = 0.01, 0.05
"""Shares of the variation from which a decision, and two together, are worth naming."""

PairChoice = Literal["asked for", "base", "mean rank"]
"""Why a pair is reported: it was asked for, or is the two best of the base or by mean rank."""

_CHOSEN: dict[PairChoice, str] = {
    "asked for": "the pair asked for",
    "base": "the base's two best",
    "mean rank": "the two best by mean rank",
}


def study_verdict(
    pair: PairOutcomes,
    choice: PairChoice,
    *,
    importance: Importance,
    flips: tuple[Flip, ...],
    movement: RankMovement,
    pairs: tuple[PairCounts, ...],
    joint: JointTest | None,
) -> Verdict:
    """The verdict on a pair with its evidence; of many systems, it opens with the first.

    ``importance``, ``flips`` and ``joint`` are about the pair, ``pairs`` are the counts of all
    pairs, ``movement`` is about the order of all systems.
    """
    case, words = claim(pair, flips)
    many = len(pair.designs.systems) > 2
    if many and choice != "asked for" and case not in ("one design", "undefined"):
        sentence = f"{_leaders(pair.designs, movement, 1)}; {words}."
    else:
        sentence = as_sentence(case, words)
    evidence = (
        _tried(pair, choice),
        *_base(pair),
        *_counted(count(pair)),
        *_jointly(pair, joint),
        *_conditions(flips),
        *_explained(importance),
        *(_ordered(pair.designs, movement, pairs) if many else ()),
    )
    return Verdict(case, sentence, evidence)


def _tried(pair: PairOutcomes, choice: PairChoice) -> str:
    designs = pair.designs
    varied = [
        f"{decision_words(factor.name)} ({len(factor.answers)})"
        for factor in factors_of(designs.decisions)
    ]
    over = f" over {joined(varied, 'and')}" if varied else ""
    pairs, systems = len(designs.pairs), len(designs.systems)
    reported = f"; the pair reported, {pair.first} and {pair.second}, is {_CHOSEN[choice]}"
    return (
        f"{counted(len(designs), 'design')} {_were(len(designs))} tried{over}; "
        f"{counted(systems, 'system')} make {counted(pairs, 'pair')}{reported * (pairs > 1)}; "
        f"every pair is tested in every design by itself{_gaps(designs)} at the level "
        f"{designs.alpha:g}."
    )


def _gaps(designs: Designs) -> str:
    return ", where it can be," if np.isnan(designs.p_values).any() else ""


def _base(pair: PairOutcomes) -> Iterator[str]:
    place = pair.designs.base
    if place is None or len(pair.winners) == 1:
        return
    winner = int(pair.winners[place])
    names = {1: (pair.first, pair.second), -1: (pair.second, pair.first)}
    if not pair.defined[place]:
        yield "In the base design the difference is undefined."
    elif winner == 0:
        yield f"In the base design {pair.first} and {pair.second} score the same."
    else:
        one, two = names[winner]
        how = "significantly more" if pair.significant[place] else "more, not significantly so,"
        odd = f", though the tested difference favours {two}" if pair.at_odds[place] else ""
        effect = float(pair.effects[place]) * winner
        size = "" if np.isnan(effect) else f"standardised effect {signed(effect)}, "
        shown = f"{size}{written_p(float(pair.p_values[place]), pair.designs.alpha)}"
        yield f"In the base design {one} scores {'more' if odd else how} than {two}{odd} ({shown})."


def _counted(counts: PairCounts) -> Iterator[str]:
    ties = f"; they score the same in {counts.ties:,}" if counts.ties else ""
    gaps = f"; in {counts.undefined:,} the difference is undefined" if counts.undefined else ""
    gaps += f"; in {counts.untested:,} it could not be tested" if counts.untested else ""
    middle = counts.median_effect
    effect = "" if middle is None else f"; the median standardised effect is {signed(middle)}"
    yield (
        f"{counts.first} scores more than {counts.second} in {counted(counts.wins, 'design')}, "
        f"significantly in {counts.significant_wins:,}; {counts.second} in {counts.losses:,}, "
        f"significantly in {counts.significant_losses:,}{ties}{gaps}{effect}."
    )
    if counts.at_odds:
        yield (
            f"In {counted(counts.at_odds, 'design')} the values favour one system and the tested "
            f"difference the other, as they are not about the same users or the same scale; none "
            f"of these counts as significant."
        )


def _jointly(pair: PairOutcomes, joint: JointTest | None) -> Iterator[str]:
    """What a joint test of all designs says, or that there was none."""
    counts, designs = count(pair), pair.designs
    tested = counts.tested
    if tested < 2:
        return
    if counts.joint_p is None:
        expected = tested * designs.alpha / 2
        yield (
            f"Designs were not tested jointly: with no difference at all, about {expected:.3g} of "
            f"{tested:,} would favour each system significantly by chance."
        )
        return
    drawn = f", {designs.draws:,} draws" if designs.draws else ""
    adjusted = ""
    if counts.surviving_wins is not None and counts.surviving_losses is not None:
        adjusted = (
            f"; allowing for all designs, {pair.first} wins significantly in "
            f"{counts.surviving_wins:,} and {pair.second} in {counts.surviving_losses:,}"
        )
    yield (
        f'Tested jointly (sign flips of whole users, maximum statistic{drawn}), "no difference in '
        f'any design" has {written_p(counts.joint_p, designs.alpha)}{adjusted}.'
    )
    if joint is not None:
        yield from _curve(joint)


def _curve(joint: JointTest) -> Iterator[str]:
    yield (
        f"By the same draws, a median effect (mean over root mean square) of "
        f"{signed(joint.median_effect)} has "
        f"{written_p(joint.median_effect_p)}, and {percent(joint.share_significant)} of the "
        f"designs significant in one direction {written_p(joint.share_significant_p)}."
    )
    if joint.left_out:
        yield (
            f"{counted(joint.left_out, 'design')} {_were(joint.left_out)} excluded from the "
            f"joint test: the difference is no sum over users there, or could not be tested."
        )


def _conditions(flips: tuple[Flip, ...]) -> Iterator[str]:
    for flip in flips:
        if flip.where:
            words = flip.words
            yield f"{words if flip.winner is not None else words[0].upper() + words[1:]}."


def _explained(importance: Importance) -> Iterator[str]:
    """Which decisions make the effect vary, and which reverse the winner by themselves."""
    main = [row for row in importance.decisions if row.share >= _LITTLE][:_NAMED]
    if main:
        listed = joined(
            [f"{decision_words(row.decision)} ({percent(row.share)})" for row in main], "and"
        )
        whole = importance.designs + importance.left_out
        some = f"{importance.designs:,} of {whole:,} " if importance.left_out else ""
        yield (
            f"How the standardised effect varies over {some}designs is explained most by {listed}"
            f"{_interacting(importance)}."
        )
    yield from _reversing(importance)


def _reversing(importance: Importance) -> Iterator[str]:
    """Which decisions reverse the significant winner when nothing else changes."""
    changed = [(row.decision, row.flips) for row in importance.decisions if row.flips]
    turning = [(name, flips) for name, flips in changed if flips.reversed]
    turning.sort(key=lambda each: -each[1].reversed / each[1].compared)
    if turning:
        listed = [
            f"{decision_words(name)} in {flips.reversed:,} of {flips.compared:,}"
            for name, flips in turning[:_NAMED]
        ]
        yield (
            f"Among the pairs of designs that differ in one decision alone, the significant winner "
            f"is reversed by {joined(listed, 'and')}."
        )


def _interacting(importance: Importance) -> str:
    """The pair of decisions that explain most together beyond what each does, if it is much."""
    for pair in importance.interactions[:1]:
        if pair.share >= _MUCH:
            names = f"{decision_words(pair.first)} and {decision_words(pair.second)}"
            return f"; together, {names} explain a further {percent(pair.share)}"
    return ""


def _ordered(
    designs: Designs, movement: RankMovement, pairs: tuple[PairCounts, ...]
) -> Iterator[str]:
    """What happens to the order of many systems."""
    yield f"{_leaders(designs, movement, _NAMED)}."
    if movement.median_tau is not None and movement.lowest_tau is not None and len(designs) > 1:
        order = "that of the base" if movement.reference == "base" else "that by mean rank"
        moved = [row for row in movement.importance.decisions if row.share >= _LITTLE][:1]
        most = "".join(
            f"; what moves it most is {decision_words(row.decision)} "
            f"({percent(row.share)} of the variation of τ)"
            for row in moved
        )
        yield (
            f"The order of systems agrees with {order} by a median τ of "
            f"{signed(movement.median_tau, '.2f')}, at the least "
            f"{signed(movement.lowest_tau, '.2f')}{most}."
        )
    turned = sum(counts.reversed_significantly for counts in pairs)
    yield (
        f"Of the {len(pairs):,} pairs, {turned:,} {'is' if turned == 1 else 'are'} won "
        f"significantly by each of the two in some designs; p-values do not allow for the number "
        f"of pairs."
    )


def _leaders(designs: Designs, movement: RankMovement, most: int) -> str:
    """The systems that are first most often."""
    ranked = sorted(movement.systems, key=lambda system: -system.first)
    top = [system for system in ranked[:most] if system.first]
    if not top:
        return f"none of {len(designs.systems)} systems has a value"
    shared = (designs.first.sum(axis=1) > 1).any()
    rest = [f"{system.system} in {system.first:,}" for system in top[1:]]
    opening = (
        f"{top[0].system} is first of {len(designs.systems)} systems in {top[0].first:,} of the "
        f"{counted(len(designs), 'design')} tried{' (ties included)' if shared else ''}"
    )
    return joined([opening, *rest], "and") if len(rest) < 2 else f"{opening}, {joined(rest, 'and')}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
