"""Tests that look at the order or the sign of differences alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.base.sums import dot
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
    50 differences without ties, else by the normal distribution with variance Σ rank²,
    which allows for ties, and without correction for continuity. It tests means in so far as
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
    from scipy.special import ndtr
    from scipy.stats import wilcoxon

    apart = differences[differences != 0]
    if not len(apart):
        return 1.0, 0.0
    ranks = _ranks(np.abs(apart))
    signed = np.sign(apart) * ranks
    balance = float(signed.sum())
    if len(apart) <= _EXACT and len(np.unique(ranks)) == len(ranks):
        return float(wilcoxon(signed, method="exact", axis=None).pvalue), balance
    return float(2 * ndtr(-abs(balance) / np.sqrt(dot(ranks, ranks)))), balance


def _ranks(sizes: Floats) -> Floats:
    """Ranks from 1 up; sizes that differ by rounding alone share their mean rank.

    >>> _ranks(np.array([0.3 - 0.2, 0.5, 0.2 - 0.1]))
    array([1.5, 3. , 1.5])
    """
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    steps = np.cumsum(np.diff(ordered, prepend=ordered[0]) > ROUNDING * ordered[-1])
    counts = np.bincount(steps)
    ranks = np.empty(len(sizes))
    ranks[order] = (np.cumsum(counts) - (counts - 1) / 2)[steps]
    return ranks


def _sign(differences: Floats, _: Floats) -> tuple[float, float]:
    from scipy.special import bdtr

    seen = outcomes(differences)
    fewer, apart = min(seen.wins, seen.losses), seen.wins + seen.losses
    p_value = min(1.0, 2 * float(bdtr(fewer, apart, 0.5))) if apart else 1.0
    return p_value, float(seen.wins - seen.losses)
