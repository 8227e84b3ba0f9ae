"""The most even distribution of true ranks that agrees with the sampled ranks."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections.rank_distribution import RankDistribution
from cranfield.scoring.sample_corrections.tables import REPLACEMENT
from cranfield.scoring.sampling.sampled_ranks import Counts


@option("sample-correction", "max-entropy", aliases=("MES", "maximum-entropy"))
@dataclass(frozen=True, kw_only=True)
class MaximumEntropy(RankDistribution):
    r"""The mean of the metric under the distribution π of true ranks with the most entropy.

        π = argmax η·H(π) − Σ_r (q_r − Σ_R π_R·P(r | R))²,  H(π) = −Σ_R π_R·log π_R

    q_r is the share of topics with sampled rank r, η what entropy counts beside agreement
    with them. The mean over topics is Σ_R π_R·f(R); what a topic scores is said of
    `RankDistribution`. After Jin, Li, Mudrak, Gao & Liu 2021, who maximise entropy and
    agreement together.
    """

    eta: float = parameter(0.001, "η, the weight of entropy, above 0.", above=0)
    replacement: bool = parameter(False, REPLACEMENT)

    def fit(self, law: Floats, observed: Floats, sizes: Counts) -> Optimum:
        """By the dual, which is smooth and has one variable for each sampled rank.

        min_λ η·log Σ_R exp(Σ_r P(r | R)·λ_r/η) − Σ_r λ_r·q_r + Σ_r λ_r²/4, whose terms of the
        first sum are, up to a factor, the π_R. Newton's method, with steps halved until they
        lower it.
        """
        dual = _Dual(law / self.eta, observed, np.log(sizes), self.eta)
        given = np.zeros(law.shape[1])
        for _ in range(_MOST_STEPS):
            gradient, step = dual.newton(given)
            if np.abs(gradient).max() < _EXACT:
                break
            given = dual.descend(given, step, gradient)
        chances = dual.chances(given)
        return Optimum(dual.law, chances, dual.curvature(chances))


@dataclass(frozen=True, eq=False)
class Optimum:
    """π at the optimum of the dual, with its law P(r | R)/η and curvature there."""

    law: Floats
    chances: Floats
    curvature: Floats

    def slopes(self, values: Floats) -> Floats:
        """The optimum moves with q by the inverse of the curvature, and π with the optimum."""
        rates = (self.chances * (values - self.chances @ values)) @ self.law
        return _solved(self.curvature, rates)


_MOST_STEPS = 200
_EXACT = 1e-11
"""Newton's method ends when no share q_r is missed by more than that."""


@dataclass(frozen=True, eq=False)
class _Dual:
    """The dual problem; ``law`` is P(r | R)/η."""

    law: Floats
    observed: Floats
    prior: Floats
    eta: float

    def chances(self, given: Floats) -> Floats:
        logs = self.prior + self.law @ given
        weights = np.exp(logs - logs.max())
        found: Floats = weights / weights.sum()
        return found

    def value(self, given: Floats) -> float:
        logs = self.prior + self.law @ given
        top = logs.max()
        log_sum = top + np.log(np.exp(logs - top).sum())
        return float(self.eta * log_sum - given @ self.observed + given @ given / 4)

    def curvature(self, chances: Floats) -> Floats:
        mean = chances @ self.law
        spread = (self.law * chances[:, None]).T @ self.law - np.outer(mean, mean)
        found: Floats = self.eta * spread + np.eye(len(mean)) / 2
        return found

    def newton(self, given: Floats) -> tuple[Floats, Floats]:
        chances = self.chances(given)
        gradient = self.eta * (chances @ self.law) - self.observed + given / 2
        return gradient, _solved(self.curvature(chances), gradient)

    def descend(self, given: Floats, step: Floats, gradient: Floats) -> Floats:
        size, before, slope = 1.0, self.value(given), float(gradient @ step)
        while size > _SMALLEST and self.value(given - size * step) > before - size * slope / 4:
            size /= 2
        return given - size * step


_SMALLEST = 2.0**-30
"""The shortest step, which rounding alone keeps from being shorter."""


def _solved(matrix: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
