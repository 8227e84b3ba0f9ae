"""Risk-sensitive values: losses against other systems weigh more than gains."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import dot
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import (
    ROUNDING,
    Aggregation,
    DrawnScores,
    TransformedMean,
    refuse_fewer_than_two,
    scores_of,
    standard_error,
)
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats

BASELINE = "The system that gains and losses are measured against, by name."
ALPHA = "How much more a loss weighs than a gain, from 0."


@option("aggregation", "URisk")
@dataclass(frozen=True, kw_only=True)
class URisk(TransformedMean):
    r"""Mean gain over a baseline, in which losses weigh 1 + α times.

        URisk_α = Σ_t w_t·d_t,  d_t = δ_t if δ_t ≥ 0 else (1 + α)·δ_t

    δ_t is the difference to the baseline's score on topic t. With α = 0 it is the
    difference of the means. Wang, Bennett & Collins-Thompson 2012.
    """

    compares: ClassVar[bool] = True

    baseline: str = parameter(text=BASELINE)
    alpha: float = parameter(1.0, ALPHA, at_least=0)

    def transformed(self, entered: EnteredScores) -> Floats:
        """The gains and the enlarged losses."""
        return _gains(self, entered)


@option("aggregation", "TRisk")
@dataclass(frozen=True, kw_only=True)
class TRisk(Aggregation):
    r"""URisk in units of its standard error: beyond ±2 it is significant.

        TRisk_α = URisk_α / SE(URisk_α),  SE = s_d/√|topics|

    s_d is the standard deviation of the d_t of URisk; topics of one user are taken
    together. Undefined where all d_t are the same, as for the baseline itself.
    Dinçer, Macdonald & Ounis 2014.
    """

    compares: ClassVar[bool] = True

    baseline: str = parameter(text=BASELINE)
    alpha: float = parameter(1.0, ALPHA, at_least=0)

    def of_scores(self, entered: EnteredScores) -> float:
        """The mean of gains and enlarged losses, over its standard error."""
        gains = _gains(self, entered)
        error = standard_error(gains, entered.weights, entered.users)
        return dot(entered.weights, gains) / error if error > _least(entered) else float("nan")

    def of_draws(self, drawn: DrawnScores) -> Floats:
        """The same in each draw; a user drawn twice is two users."""
        gains = [_gains(self, entered) for entered, _ in drawn.sets]
        means, errors = _drawn_means(drawn, gains)
        found: Floats = np.full(len(means), np.nan)
        np.divide(means, errors, out=found, where=errors > _least(drawn.own))
        return found


@option("aggregation", "GeoRisk")
@dataclass(frozen=True, kw_only=True)
class GeoRisk(Aggregation):
    r"""Geometric mean of effectiveness and safety, measured against all systems at once.

        GeoRisk_α = √( x̄ · Φ(ZRisk_α/c) )
        ZRisk_α = Σ_t z_t·(1 + α·1[z_t < 0]),  z_t = (x_t − e_t)/√e_t,  e_t = S·T_t/N

    x̄ is the mean score of the system, c the number of topics, S the sum of the system's
    scores, T_t that of all systems on topic t, N that of all; Φ is the normal
    distribution. Topics on which no system scores count z_t = 0. Undefined where a system
    scores below 0. Needs at least two systems, and depends on which they are.
    Dinçer, Macdonald & Ounis 2016.
    """

    compares: ClassVar[bool] = True

    alpha: float = parameter(1.0, ALPHA, at_least=0)

    def of_scores(self, entered: EnteredScores) -> float:
        """The root of the mean score times the chance of its mean deviation."""
        from scipy.special import ndtr

        refuse_fewer_than_two(str(self), entered)
        if entered.all_scores.min() < 0:
            return float("nan")
        mean = dot(entered.weights, entered.scores)
        risk = dot(entered.weights, _enlarged(_deviations(entered), self.alpha))
        return float(np.sqrt(mean * ndtr(risk)))

    def of_draws(self, drawn: DrawnScores) -> Floats:
        """The same in each draw: what a system and a topic let expect is worked out anew."""
        from scipy.special import ndtr

        if min(drawn.own.all_scores.min(), drawn.other.all_scores.min()) < 0:
            return np.full(len(drawn.own_times), np.nan)
        counts, weights = drawn.counts, drawn.weights
        scores = np.concatenate([entered.scores for entered, _ in drawn.sets])
        of_topics = np.concatenate([entered.all_scores.sum(axis=0) for entered, _ in drawn.sets])
        weights /= weights.sum(axis=1, keepdims=True)
        totals = counts @ of_topics
        shares = np.divide(counts @ scores, totals, out=np.zeros(len(counts)), where=totals > 0)
        expected = shares[:, None] * of_topics
        deviations = np.zeros_like(expected)
        np.divide(scores - expected, np.sqrt(expected), out=deviations, where=expected > 0)
        risk = (weights * _enlarged(deviations, self.alpha)).sum(axis=1)
        return np.asarray(np.sqrt(weights @ scores * ndtr(risk)))


def _gains(aggregation: URisk | TRisk, entered: EnteredScores) -> Floats:
    """What each topic gains over the baseline, losses enlarged."""
    base = scores_of(str(aggregation), aggregation.baseline, entered)
    return _enlarged(entered.scores - base, aggregation.alpha)


def _least(entered: EnteredScores) -> float:
    """Standard errors up to this are rounding."""
    return ROUNDING * float(np.abs(entered.all_scores).max(initial=0.0))


def _drawn_means(drawn: DrawnScores, values: list[Floats]) -> tuple[Floats, Floats]:
    """The mean and its standard error in each draw, from sums over users.

    A user drawn k times, with topics of weight v and sum p, adds k·(p − v·mean)².
    """
    parts = []
    for (entered, times), of_topics in zip(drawn.sets, values, strict=True):
        users, starts = np.unique(entered.users, return_index=True)
        units = drawn.units(entered)
        added, weighed = (
            np.add.reduceat(each, starts, axis=1) for each in (units * of_topics, units)
        )
        parts.append((times[:, users], added, weighed))
    times, added, weighed = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    weight, users = (times * weighed).sum(axis=1), times.sum(axis=1)
    means = (times * added).sum(axis=1) / weight
    rest = (times * (added - weighed * means[:, None]) ** 2).sum(axis=1)
    return means, np.sqrt(rest * users / np.maximum(users - 1, 1)) / weight


def _enlarged(differences: Floats, alpha: float) -> Floats:
    """Differences with the negative ones 1 + α times as large."""
    return np.where(differences < 0, (1 + alpha) * differences, differences)


def _deviations(entered: EnteredScores) -> Floats:
    """How far each score is from what the system and the topic let expect, standardised."""
    of_topics = entered.all_scores.sum(axis=0)
    total = of_topics.sum()
    if total <= 0:
        return np.zeros(len(entered))
    expected = entered.scores.sum() * of_topics / total
    differences, out = entered.scores - expected, np.zeros(len(entered))
    np.divide(differences, np.sqrt(expected), out=out, where=expected > 0)
    return out
