"""The evidence of a verdict: what was tried, what was found, and what it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.validity.phrases import joined, percent, signed, written_p
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.flips import Flip
from cranfield.validity.study.importance import DecisionImportance, Importance
from cranfield.validity.study.joint_test import JointTest
from cranfield.validity.study.order_evidence import order_evidence
from cranfield.validity.study.pair_outcomes import PairCounts, PairOutcomes, count
from cranfield.validity.study.rank_movement import RankMovement
from cranfield.validity.study.tuning_evidence import tuning_evidence
from cranfield.validity.study.uncertainty import BasicInterval, Uncertainty
from cranfield.validity.study.verdict import Detectable, Verdict, claim
from cranfield.validity.study.wording import decision_words

_NAMED = 3
"""Decisions that are named."""

_LITTLE, _MUCH = 0.01, 0.05
"""Shares of the variation from which a decision, and two together, are worth naming."""

PairChoice = Literal["asked for", "base", "mean rank"]
"""Why a pair is reported: it was asked for, or is the two best of the base or by mean rank."""

_CHOSEN: dict[PairChoice, str] = {
    "asked for": "the pair asked for",
    "base": "the base's two best",
    "mean rank": "the two best by mean rank",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyFacts:
    """What is known of a study when its verdict is written.

    ``pair`` are the outcomes of the pair of interest, each design once; ``flips``,
    ``importance``, ``joint`` and ``uncertainty`` are about it, ``pairs`` are the counts of
    all pairs, ``movement`` is about the order of all systems. ``tried`` are all designs.
    """

    tried: Designs
    pair: PairOutcomes
    choice: PairChoice
    importance: Importance
    flips: tuple[Flip, ...]
    movement: RankMovement
    pairs: tuple[PairCounts, ...]
    joint: JointTest | None = None
    uncertainty: Uncertainty | None = None


def study_verdict(found: StudyFacts) -> Verdict:
    """The verdict on a pair with its evidence; conditions and shares only of a finding."""
    made = claim(found.pair, found.flips, detectable_of(found.pair, found.joint))
    tuned = tuning_evidence(found.tried, found.pair.first, found.pair.second)
    made = replace(made, sentence=" ".join((made.sentence, *tuned)))
    silent = made.badge in ("not established", "not tested", "undefined")
    evidence = (
        _tried(found),
        *effectless(found.tried),
        *_base(found.pair),
        *(() if silent else _counted(count(found.pair), found.uncertainty)),
        *_jointly(found.pair, found.joint),
        *(() if silent else _conditions(found.flips)),
        *(() if silent else _explained(found.importance, found.uncertainty)),
        *_ordered(found),
        *_choices(found.pair.designs),
    )
    return replace(made, evidence=evidence)


def detectable_of(pair: PairOutcomes, joint: JointTest | None) -> Detectable | None:
    """What difference would have been found in the base design or, without it, in the median."""
    if joint is None:
        return None
    found, base = joint.detectable(), pair.designs.base
    known = np.sort(found[np.isfinite(found)])
    if base is not None and np.isfinite(found[base]):
        return Detectable("the base design", float(found[base]))
    return Detectable("the median design", float(known[len(known) // 2])) if len(known) else None


def _tried(found: StudyFacts) -> str:
    pair, designs = found.pair, found.tried
    varied = [
        f"{decision_words(factor.name)} ({len(factor.answers)})"
        for factor in factors_of(designs.decisions)
    ]
    over = f" over {joined(varied, 'and')}" if varied else ""
    distinct = len(pair.winners)
    once = f", {distinct:,} of them distinct" if distinct < len(designs) else ""
    pairs, systems = len(designs.pairs), len(designs.systems)
    reported = f"; the pair reported, {pair.first} and {pair.second}, is {_CHOSEN[found.choice]}"
    return (
        f"{counted(len(designs), 'design')} {_were(len(designs))} tried{over}{once}; "
        f"{counted(systems, 'system')} make {counted(pairs, 'pair')}{reported * (pairs > 1)}."
    )


def effectless(designs: Designs) -> Iterator[str]:
    """Which decisions changed nothing, and why, where that is known."""
    for name in designs.without_effect:
        why = designs.reasons.get(name, "")
        words = decision_words(name)
        yield f"{words[0].upper()}{words[1:]} changed nothing{why and ': '}{why}."


def _choices(designs: Designs) -> Iterator[str]:
    weighed = "" if designs.weights is None else "; their answers were weighted as the study says"
    yield (
        f"Designs are a choice, not a sample: shares of designs describe these choices and are no "
        f"probabilities{weighed}."
    )


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
        effect = float(pair.effects[place]) * winner
        size = "" if np.isnan(effect) else f"standardised effect {signed(effect)}, "
        alpha, adjusted = pair.designs.alpha, float(pair.adjusted[place])
        shown = f"{size}{written_p(float(pair.p_values[place]), alpha)} by itself"
        if not np.isnan(adjusted):
            shown += f", {written_p(adjusted, alpha)} allowing for all designs"
        yield f"In the base design {one} scores more than {two} ({shown})."


def _counted(counts: PairCounts, uncertainty: Uncertainty | None) -> Iterator[str]:
    ties = f"; they score the same in {counts.ties:,}" if counts.ties else ""
    gaps = f"; in {counts.undefined:,} the difference is undefined" if counts.undefined else ""
    gaps += f"; in {counts.untested:,} it could not be tested" if counts.untested else ""
    middle = counts.median_effect
    effect = "" if middle is None else f"; the median standardised effect is {signed(middle)}"
    yield (
        f"{counts.first} scores more than {counts.second} in {counted(counts.wins, 'design')} "
        f"(significantly in {counts.significant_wins:,}, each tested by itself) and "
        f"{counts.second} in {counts.losses:,} ({counts.significant_losses:,}){ties}{gaps}{effect}."
    )
    found = counts.established_wins or counts.established_losses
    if found and uncertainty is not None and not np.isnan(uncertainty.wins.low):
        yield (
            f"{counts.first} scores more in {_with(counts.win_share, uncertainty.wins)} of the "
            f"designs, {counts.second} in {_with(counts.loss_share, uncertainty.losses)} (95 % "
            f"intervals, {uncertainty.resamples:,} resamples of users)."
        )


def _with(share: float, interval: BasicInterval) -> str:
    return f"{percent(share)} ({percent(interval.low)} to {percent(interval.high)})"


def _jointly(pair: PairOutcomes, joint: JointTest | None) -> Iterator[str]:
    """What a joint test of all designs says."""
    counts, designs = count(pair), pair.designs
    if counts.defined < 2 or counts.joint_p is None:
        return
    drawn = f", {designs.draws:,} draws" if designs.draws else ""
    yield (
        f"Tested jointly (each user's scores swapped in all designs at once, step-down maximum"
        f'{drawn}), "no difference in any design" has {written_p(counts.joint_p, designs.alpha)}; '
        f"allowing for all designs, {pair.first} wins in {counts.established_wins:,} and "
        f"{pair.second} in {counts.established_losses:,}."
    )
    if joint is not None and joint.left_out:
        yield f"{counted(joint.left_out, 'design')} could not be tested."


def _conditions(flips: tuple[Flip, ...]) -> Iterator[str]:
    yield from (f"{flip.words}." for flip in flips if flip.where)


def _explained(importance: Importance, uncertainty: Uncertainty | None) -> Iterator[str]:
    """Which decisions make the effect vary, and which reverse the winner by themselves."""
    shares = {} if uncertainty is None else uncertainty.shares
    main = [row for row in importance.decisions if _is_stable(row, shares)][:_NAMED]
    if main:
        spans = [_span(shares.get(row.decision)) for row in main]
        listed = [
            f"{decision_words(row.decision)} ({percent(row.share)}{span})"
            for row, span in zip(main, spans, strict=True)
        ]
        whole = importance.designs + importance.left_out
        some = f"{importance.designs:,} of {whole:,} " if importance.left_out else ""
        yield (
            f"How the standardised effect varies over {some}designs is explained most by "
            f"{joined(listed, 'and')}{_interacting(importance)}."
        )
    yield from _reversing(importance, uncertainty)


def _span(interval: BasicInterval | None) -> str:
    if interval is None:
        return ""
    return f", 95 % interval {percent(interval.low)} to {percent(interval.high)}"


def _is_stable(row: DecisionImportance, intervals: Mapping[str, BasicInterval]) -> bool:
    """Whether a decision matters, and would with other users too."""
    known = intervals.get(row.decision)
    return row.share >= _LITTLE and (known is None or known.low > 0)


def _reversing(importance: Importance, uncertainty: Uncertainty | None) -> Iterator[str]:
    """Which decisions reverse the established winner when nothing else changes."""
    intervals = {} if uncertainty is None else uncertainty.flips
    turning = [
        (row.decision, row.flips)
        for row in importance.decisions
        if row.flips and row.flips.reversed
        and (row.decision not in intervals or intervals[row.decision].low > 0)
    ]  # fmt: skip
    turning.sort(key=lambda each: -each[1].reversed / each[1].compared)
    if turning:
        listed = [
            f"{decision_words(name)} in {flips.reversed:,} of {flips.compared:,}"
            for name, flips in turning[:_NAMED]
        ]
        yield (
            f"Among the pairs of designs that differ in one decision alone, the established winner "
            f"is reversed by {joined(listed, 'and')}."
        )


def _interacting(importance: Importance) -> str:
    """The pair of decisions that explain most together beyond what each does, if it is much."""
    for pair in importance.interactions[:1]:
        if pair.share >= _MUCH:
            names = f"{decision_words(pair.first)} and {decision_words(pair.second)}"
            return f"; together, {names} explain a further {percent(pair.share)}"
    return ""


def _ordered(found: StudyFacts) -> Iterator[str]:
    """What happens to the order of many systems."""
    if len(found.pair.designs.systems) > 2:
        tau = None if found.uncertainty is None else found.uncertainty.median_tau
        yield from order_evidence(found.pair.designs, found.movement, found.pairs, tau)


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
