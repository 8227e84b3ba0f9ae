"""Effect sizes: how large a difference is, which a p-value does not tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import copysign, inf, isnan, nan, sqrt

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import dot
from cranfield.scoring.scores import Floats

CONFIDENCE = 0.95
"""How often an interval holds what it is meant to hold."""

_NO_SPREAD = 2.0**-40
"""A standard deviation below this share of the mean is rounding, and a mean below this
share of the mean size of differences."""

_FAR = 300.0
"""Statistics beyond which the ends of d_z come from the spread of the standard deviation:
the inverse of the non-central t loses its digits there, and for larger ones never ends."""


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its interval; NaN where there is none."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class MeanDifference:
    r"""The mean difference of pairs, weighted by user, and its standard error.

        d̄ = Σ_u w_u·d_u,  SE² = n/(n−1) · Σ_u w_u²·(d_u − d̄)²,  Σ_u w_u = 1

    n is the number of users who weigh something. With equal weights it is s_d/√n.
    """

    mean: float
    error: float
    users: int

    @property
    def statistic(self) -> float:
        """T = d̄/SE: 0 where d̄ is 0, infinite where only SE is."""
        if self.mean == 0:
            return 0.0
        return self.mean / self.error if self.error > 0 else copysign(inf, self.mean)


def mean_difference(differences: Floats, shares: Floats) -> MeanDifference:
    """The weighted mean of differences with its standard error."""
    users = int(np.count_nonzero(shares))
    mean, size = dot(shares, differences), dot(shares, np.abs(differences))
    if size == 0:
        return MeanDifference(0.0, 0.0, users)
    mean = 0.0 if abs(mean) <= _NO_SPREAD * size else mean
    parts = shares * (differences - mean)
    error = sqrt(dot(parts, parts) * users / (users - 1)) if users > 1 else nan
    return MeanDifference(mean, 0.0 if error <= _NO_SPREAD * abs(mean) else error, users)


def mean_of_influence(mean: float, influence: Floats) -> MeanDifference:
    r"""A difference of values with the standard error that users' influence on it gives.

        SE² = n/(n−1) · Σ_u e_u²

    e_u is what user u adds to the error of the difference, linearised; the e_u add up to 0.
    For means of topics, e_u = Σ_{t of u} w_t·(d_t − d̄). Deng, Knoblich & Lu 2018.
    """
    users = len(influence)
    error = sqrt(dot(influence, influence) * users / (users - 1)) if users > 1 else nan
    none = error <= _NO_SPREAD * abs(mean) or not influence.any()
    return MeanDifference(mean, 0.0 if none else error, users)


def student_p(found: MeanDifference) -> float:
    """The two-sided p-value of Student's t with n − 1 degrees of freedom."""
    from scipy.special import stdtr

    return float(2 * stdtr(found.users - 1, -abs(found.statistic)))


def interval_of(found: MeanDifference, confidence: float = CONFIDENCE) -> Interval:
    """The mean difference ± the quantile of Student's t times its standard error."""
    from scipy.special import stdtrit

    reach = float(stdtrit(found.users - 1, (1 + confidence) / 2)) * found.error
    return Interval(found.mean, found.mean - reach, found.mean + reach)


def standardised(found: MeanDifference, confidence: float = CONFIDENCE) -> Interval:
    r"""The mean difference in standard deviations of the differences, d_z (Cohen 1988).

        d_z = t/√n,  from λ_low/√n to λ_high/√n

    t is the statistic of the paired (weighted) t test; with equal weights d_z = d̄/s_d.
    The ends are the non-centralities at which t would be as extreme with probability
    (1 − confidence)/2 (Cumming & Finch 2001). 0 where all differences are 0; infinite
    and without interval where all are the same.
    """
    t, root = found.statistic, sqrt(found.users)
    if not np.isfinite(t):
        return Interval(t, nan, nan)
    ends = _far_ends if abs(t) > _FAR else _ends
    low, high = (end / root for end in ends(abs(t), found.users - 1, (1 - confidence) / 2))
    return Interval(t / root, low, high) if t >= 0 else Interval(t / root, -high, -low)


def _ends(t: float, freedom: int, tail: float) -> tuple[float, float]:
    """The non-centralities at which a statistic is as extreme as a tail says."""
    from scipy.special import nctdtrinc

    low, high = nctdtrinc(freedom, (1 - tail, tail), t)
    return float(low), float(high)


def _far_ends(t: float, freedom: int, tail: float) -> tuple[float, float]:
    r"""The same for a statistic far from 0: λ = t ∓ √(z² + (t − t·√(χ²_p/ν))²).

    Its spread is nearly all that of the standard deviation, χ_ν/√ν.
    """
    from scipy.special import chdtri, ndtri

    least, most = t * np.sqrt(chdtri(freedom, (1 - tail, tail)) / freedom)
    normal = float(ndtri(1 - tail))
    return float(t - np.hypot(normal, t - least)), float(t + np.hypot(normal, most - t))


@dataclass(frozen=True)
class Outcomes:
    """On how many users the first system scores more, as much, and less."""

    wins: int
    ties: int
    losses: int

    def better(self, confidence: float = CONFIDENCE) -> Interval:
        r"""The share of users for whom the first system is better, wins/n.

        The interval is Wilson's: the shares that a normal test would not reject. Undefined
        where no user has scores by both systems.
        """
        from scipy.special import ndtri

        n = self.wins + self.ties + self.losses
        if not n:
            return Interval(nan, nan, nan)
        share, z = self.wins / n, float(ndtri((1 + confidence) / 2))
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        # At 0 and 1 an end is the share itself, which rounding must not overtake.
        low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
        return Interval(share, min(low, share), max(high, share))


def outcomes(differences: Floats) -> Outcomes:
    """Wins, ties and losses; differences by rounding are already 0.

    >>> outcomes(np.array([0.2, 0.0, -0.1, 0.3]))
    Outcomes(wins=2, ties=1, losses=1)
    """
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return Outcomes(wins, len(differences) - wins - losses, losses)


@dataclass(frozen=True)
class Posterior:
    """Probabilities that the first is better, that both are equivalent, that the second is."""

    first: float
    equivalent: float
    second: float


UNKNOWN = Posterior(nan, nan, nan)
"""Where there is no posterior."""


def detection_power(noncentrality: float, freedom: float, alpha: float) -> float:
    r"""The probability that a two-sided t test rejects.

        P(|T| > t_{1−α/2, ν}),  T ~ non-central t with ν degrees of freedom and λ = δ/SE

    For λ far from 0, T is nearly λ over the spread of the standard deviation, χ_ν/√ν.
    """
    from scipy.special import chdtr, nctdtr, stdtrit

    critical = float(-stdtrit(freedom, alpha / 2))
    if noncentrality > _FAR:
        return float(chdtr(freedom, freedom * (noncentrality / critical) ** 2))
    # The upper tail as the lower one of −λ keeps its digits; the other tail may be so small
    # that scipy gives NaN for it.
    ends = -noncentrality, noncentrality
    upper, lower = (float(nctdtr(freedom, end, -critical)) for end in ends)
    return upper + (0.0 if isnan(lower) else lower)


def smallest_detectable(found: MeanDifference, alpha: float = 0.05, power: float = 0.8) -> float:
    r"""The mean difference that a paired t test of as many users would detect with the power.

        δ = λ·SE,  detection_power(λ, n − 1, α) = power

    SE is the standard error of the mean difference observed (Cohen 1988). 0 where
    differences do not vary, and where the power is no more than α.
    """
    if power <= alpha or found.error == 0:
        return 0.0
    return _noncentrality(found.users - 1, alpha, power) * found.error


@lru_cache(maxsize=1024)
def _noncentrality(freedom: int, alpha: float, power: float) -> float:
    """The non-centrality at which a test has the power; many pairs share it."""
    from scipy.optimize import brentq

    def lacking(noncentrality: float) -> float:
        return detection_power(noncentrality, freedom, alpha) - power

    if lacking(0.0) >= 0:  # a power above the level by no more than rounding
        return 0.0
    most = 4.0
    while lacking(most) < 0:
        most *= 2
    return float(brentq(lacking, 0.0, most))


def users_needed(found: MeanDifference, alpha: float = 0.05, power: float = 0.8) -> float:
    r"""How many users a paired t test needs to detect the mean difference with the power.

        the smallest n ≥ 2 with detection_power(d_z·√n, n − 1, α) ≥ power,  d_z = d̄/(SE·√U)

    SE and U are those of the users observed, and new users are taken to vary as they do.
    Infinite for d̄ = 0, unless the power is no more than α.
    """
    from scipy.special import ndtri

    sought = abs(found.mean)
    if found.error == 0 or power <= alpha:
        return 2.0 if sought or power <= alpha else inf
    effect = sought / (found.error * sqrt(found.users))
    if effect < _NO_SPREAD:
        return inf

    def enough(users: int) -> bool:
        return detection_power(effect * sqrt(users), users - 1, alpha) >= power

    return float(_least(enough, ((ndtri(1 - alpha / 2) + ndtri(power)) / effect) ** 2))


def _least(enough: Callable[[int], bool], near: float) -> int:
    """The least number from 2 on that is enough, sought from one near it in growing steps."""
    few = many = max(int(near), 2)
    step = 1
    while few > 1 and enough(few):
        few, many, step = max(few - step, 1), few, 2 * step
    while few == many or not enough(many):
        few, many, step = many, many + step, 2 * step
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many
