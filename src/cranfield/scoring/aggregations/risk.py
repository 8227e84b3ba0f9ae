"""Risk-sensitive values: losses against other systems weigh more than gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.base.blas import dot
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import (
    ROUNDING,
    Aggregation,
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
class URisk(Aggregation):
    r"""Mean gain over a baseline, in which losses weigh 1 + α times.

        URisk_α = Σ_t w_t·d_t,  d_t = δ_t if δ_t ≥ 0 else (1 + α)·δ_t

    δ_t is the difference to the baseline's score on topic t. With α = 0 it is the
    difference of the means. Wang, Bennett & Collins-Thompson 2012.
    """

    compares: ClassVar[bool] = True

    baseline: str = parameter(text=BASELINE)
    alpha: float = parameter(1.0, ALPHA, at_least=0)

    def of_scores(self, entered: EnteredScores) -> float:
        """The mean of the gains and the enlarged losses."""
        differences = entered.scores - scores_of(str(self), self.baseline, entered)
        return dot(entered.weights, _enlarged(differences, self.alpha))


@option("aggregation", "TRisk")
@dataclass(frozen=True, kw_only=True)
class TRisk(Aggregation):
    r"""URisk in units of its standard error: beyond ±2, the risk is real.

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
        differences = entered.scores - scores_of(str(self), self.baseline, entered)
        gains = _enlarged(differences, self.alpha)
        error = standard_error(gains, entered.weights, entered.users)
        least = ROUNDING * float(np.abs(entered.all_scores).max())
        return dot(entered.weights, gains) / error if error > least else float("nan")


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
