"""Rank differences: whether systems differ in their ranks over data sets, and which do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf, sqrt
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.serialisation.plain import plain
from cranfield.scoring.scores import Floats

LEAST_DATA_SETS = 5
"""With fewer data sets the test has next to no power, and its law is a poor approximation."""


@dataclass(frozen=True, kw_only=True)
class RankDifferences:
    """The mean rank of every system over data sets, 1 the best, and which ranks differ.

    ``statistic`` and ``p_value`` are of Friedman's test that no ranks differ. Two systems
    differ if their mean ranks do by more than ``critical``, Nemenyi's critical difference.
    """

    systems: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    statistic: float
    p_value: float
    critical: float
    alpha: float
    data_sets: int

    def differing(self) -> tuple[tuple[str, str], ...]:
        """The pairs whose ranks differ, the better system first."""
        order = np.argsort(np.array(self.mean_ranks), kind="stable").tolist()
        return tuple(
            (self.systems[first], self.systems[second])
            for first, second in combinations(order, 2)
            if self.mean_ranks[second] - self.mean_ranks[first] > self.critical
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(plain(self))


def mean_ranks(values: Floats) -> Floats:
    """The mean rank of each system (columns) over data sets (rows): 1 for the highest value."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-values, axis=1).mean(axis=0))


def rank_differences(systems: Sequence[str], values: Floats, alpha: float) -> RankDifferences:
    r"""Friedman's test over data sets (rows), and Nemenyi's critical difference.

        χ² = 12·N/(k·(k + 1)) · Σ_s (R_s − (k + 1)/2)²,  corrected for ties
        CD = q_{α,k,∞}/√2 · √(k·(k + 1)/(6·N))

    R_s is the mean rank of system s of k over N data sets, q the quantile of the Studentised
    range. With two systems Friedman's test is the sign test's approximation. Demšar 2006.
    """
    from scipy.stats import chi2, rankdata, studentized_range

    data_sets, k = values.shape
    ranks = rankdata(-values, axis=1)
    means = ranks.mean(axis=0)
    between = data_sets * float(((means - (k + 1) / 2) ** 2).sum())
    within = float(((ranks - (k + 1) / 2) ** 2).sum()) / (data_sets * (k - 1))
    statistic = between / within if within > 0 else 0.0
    quantile = float(studentized_range.ppf(1 - alpha, k, inf)) / sqrt(2)
    return RankDifferences(
        systems=tuple(systems),
        mean_ranks=tuple(means.tolist()),
        statistic=statistic,
        p_value=float(chi2.sf(statistic, k - 1)),
        critical=quantile * sqrt(k * (k + 1) / (6 * data_sets)),
        alpha=alpha,
        data_sets=data_sets,
    )
