"""Tests that look at the order or the sign of differences alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import outcomes
from cranfield.significance.paired_test import PairedTest, PValues
from cranfield.significance.paired_tests.pairwise import each_pair
from cranfield.significance.samples import ROUNDING, Samples

_EXACT = 50
"""Differences up to which Wilcoxon's null distribution is computed exactly, without ties."""


@option("test", "wilcoxon", aliases=("signed-rank",))
@dataclass(frozen=True, kw_only=True)
class Wilcoxon(PairedTest):
    r"""Wilcoxon's signed-rank test: whether differences lie evenly on both sides of 0.

        W = Σ_{d_u>0} rank(|d_u|) − Σ_{d_u<0} rank(|d_u|)

    Users without a difference are left out, ties, also by rounding, share
    their mean rank. Exact for up to
    50 differences without ties, else by the normal distribution, with the variance
    corrected for ties and without correction for continuity. It tests means in so far as
    the differences are symmetric. Wilcoxon 1945.
    """

    asks: ClassVar[str] = "whether differences lie evenly around 0"

    def compare(self, samples: Samples, seeds: Seeds) -> PValues:
        """The p-values of the signed-rank test."""
        return each_pair(samples, _signed_rank)


@option("test", "sign")
@dataclass(frozen=True, kw_only=True)
class Sign(PairedTest):
    r"""Sign test: whether more users are better served by the one than by the other.

        p = min(1, 2·P(X ≤ min(wins, losses))),  X ~ Binomial(wins + losses, ½)

    Exact; ties are left out. It asks how many users, not by how much. canamares2020 D.
    """

    fits: ClassVar[tuple[str, ...]] = ()
    asks: ClassVar[str] = "for how many users each system is better"

    def compare(self, samples: Samples, seeds: Seeds) -> PValues:
        """The p-values of the sign test."""
        return each_pair(samples, _sign)


def _signed_rank(differences: Floats, _: Floats) -> tuple[float, float]:
    from scipy.stats import rankdata, wilcoxon

    apart = differences[differences != 0]
    if not len(apart):
        return 1.0, 0.0
    sizes = _steps(np.abs(apart))
    ranks = rankdata(sizes)
    tied = len(set(ranks.tolist())) < len(ranks)
    method: Literal["approx", "exact"] = "approx" if tied or len(apart) > _EXACT else "exact"
    found = wilcoxon(np.sign(apart) * sizes, correction=False, method=method, axis=None)
    balance = float(ranks[apart > 0].sum() - ranks[apart < 0].sum())
    return min(float(found.pvalue), 1.0), balance


def _steps(sizes: Floats) -> Floats:
    """Whole numbers in the order of the sizes; those that differ by rounding get the same.

    >>> _steps(np.array([0.3 - 0.2, 0.5, 0.2 - 0.1]))
    array([1., 2., 1.])
    """
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    apart = np.diff(ordered, prepend=ordered[0]) > ROUNDING * ordered[-1]
    steps = np.empty(len(sizes))
    steps[order] = np.cumsum(apart) + 1.0
    return steps


def _sign(differences: Floats, _: Floats) -> tuple[float, float]:
    from scipy.special import bdtr

    seen = outcomes(differences)
    fewer, apart = min(seen.wins, seen.losses), seen.wins + seen.losses
    p_value = min(1.0, 2 * float(bdtr(fewer, apart, 0.5))) if apart else 1.0
    return p_value, float(seen.wins - seen.losses)
