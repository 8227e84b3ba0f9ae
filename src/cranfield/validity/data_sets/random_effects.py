"""Random effects: one difference over data sets that need not have the same one."""

from __future__ import annotations

from dataclasses import asdict
from math import nan, sqrt
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import CONFIDENCE

_WIDEST = 1e6
"""How many times the variance of the effects their spread is looked for in."""


@dataclass(frozen=True, kw_only=True)
class Combined:
    """What data sets say together of one difference.

    ``estimate`` lies from ``low`` to ``high`` with 95 % confidence, ``error`` is its standard
    error and ``p_value`` two-sided. ``spread`` is τ, the standard deviation of the true
    difference over data sets, and ``spread_share`` (I²) how much of what is seen to vary it
    makes up. From ``next_low`` to ``next_high`` the difference on one more data set is
    expected, with 95 % confidence; NaN with two data sets.
    """

    data_sets: int
    estimate: float
    error: float
    low: float
    high: float
    p_value: float
    spread: float
    spread_share: float
    next_low: float
    next_high: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def combine(effects: Floats, errors: Floats) -> Combined:
    r"""The mean of differences that vary over data sets, by Hartung and Knapp.

        μ = Σ_i w_i·d_i / Σ_i w_i,   w_i = 1/(s_i² + τ²)
        SE² = Σ_i w_i·(d_i − μ)² / ((k − 1)·Σ_i w_i),   μ ± t_{k−1}·SE

    d_i is the difference on data set i of k, s_i its standard error, and τ² the variance
    with which Σ_i w_i·(d_i − μ)² is k − 1 (Paule & Mandel 1982), or 0. The next data set
    lies in μ ± t_{k−2}·√(τ² + SE²) (Higgins et al. 2009). I² compares Q, the sum at τ² = 0,
    with k − 1: max(0, 1 − (k − 1)/Q). Hartung & Knapp 2001; IntHout et al. 2014.
    """
    from scipy.special import stdtr, stdtrit

    k = len(effects)
    spread = _spread(effects, errors)
    weights = 1 / (errors**2 + spread)
    mean = float(weights @ effects / weights.sum())
    error = sqrt(float(weights @ (effects - mean) ** 2 / ((k - 1) * weights.sum())))
    reach = float(stdtrit(k - 1, (1 + CONFIDENCE) / 2)) * error
    beyond = nan
    if k > 2:
        beyond = float(stdtrit(k - 2, (1 + CONFIDENCE) / 2)) * sqrt(spread + error**2)
    heterogeneity = _heterogeneity(effects, errors, 0.0)
    statistic = abs(mean) / error if error > 0 else np.inf if mean else 0.0
    return Combined(
        data_sets=k,
        estimate=mean,
        error=error,
        low=mean - reach,
        high=mean + reach,
        p_value=2 * float(stdtr(k - 1, -statistic)),
        spread=sqrt(spread),
        spread_share=max(0.0, 1 - (k - 1) / heterogeneity) if heterogeneity > 0 else 0.0,
        next_low=mean - beyond,
        next_high=mean + beyond,
    )


def _heterogeneity(effects: Floats, errors: Floats, spread: float) -> float:
    """Cochran's Q, with some variance between data sets."""
    weights = 1 / (errors**2 + spread)
    mean = weights @ effects / weights.sum()
    return float(weights @ (effects - mean) ** 2)


def _spread(effects: Floats, errors: Floats) -> float:
    """τ²: where Q falls to k − 1, which it does as τ² grows; 0 if it never was above."""
    from scipy.optimize import brentq

    wanted = len(effects) - 1

    def beyond(spread: float) -> float:
        return _heterogeneity(effects, errors, spread) - wanted

    if beyond(0.0) <= 0:
        return 0.0
    widest = _WIDEST * float(np.var(effects))
    return float(brentq(beyond, 0.0, widest, xtol=1e-14 * widest, rtol=1e-12))
