"""Tests that look at the order or the sign of differences alone."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import dot
from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import outcomes
from cranfield.significance.paired_test import PairedPValues, PairedTest, each_pair
from cranfield.significance.samples.samples import ROUNDING, Samples, refuse_unequal_users

_EXACT = 50
"""Differences up to which Wilcoxon's null distribution is computed exactly."""


@option("test", "wilcoxon", aliases=("signed-rank",))
@dataclass(frozen=True, kw_only=True)
class Wilcoxon(PairedTest):
    r"""Wilcoxon's signed-rank test: whether differences are symmetric around 0.

        W = Σ_{d_u>0} rank(|d_u|) − Σ_{d_u<0} rank(|d_u|)

    Users without a difference are left out; ties, also by rounding, share their mean rank.
    For up to 50 differences p is the exact share of all assignments of signs to these ranks
    that reach |W|, as the normal distribution rejects too often where a few are tied; else
    it is normal with variance Σ rank², which allows for ties, and without correction for
    continuity. It tests means in so far as the differences are symmetric; d_u is what a
    user adds to the difference of the means. Wilcoxon 1945.
    """

    asks: ClassVar[str] = "whether differences lie evenly around 0"

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of the signed-rank test."""
        refuse_unequal_users(self, samples)
        return each_pair(samples, _signed_rank)


@option("test", "sign")
@dataclass(frozen=True, kw_only=True)
class Sign(PairedTest):
    r"""Sign test: whether one system is better for more users than the other.

        p = min(1, 2·P(X ≤ min(wins, losses))),  X ~ Binomial(wins + losses, ½)

    Exact; ties are left out. It asks how many users, not by how much, whatever the
    aggregation; a user with several topics counts once, by their mean. canamares2020 D.
    """

    fits: ClassVar[tuple[str, ...]] = ()
    asks: ClassVar[str] = "for how many users each system is better"

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of the sign test."""
        return each_pair(samples, _sign)


def _signed_rank(samples: Samples, metric: int, pair: tuple[int, int]) -> tuple[float, float]:
    from scipy.special import ndtr

    differences = samples.differences(metric, pair)
    if samples.weights is not None:
        differences = differences * samples.shares(metric)
    apart = differences[differences != 0]
    if not len(apart):
        return 1.0, 0.0
    ranks = _ranks(np.abs(apart))
    balance = dot(np.sign(apart), ranks)
    if len(apart) <= _EXACT:
        return _exact_share(ranks, balance), balance
    return float(2 * ndtr(-abs(balance) / np.sqrt(dot(ranks, ranks)))), balance


def _exact_share(ranks: Floats, balance: float) -> float:
    """The share of all assignments of signs to the ranks whose sum is as far from 0.

    Counted sum by sum of the positive ranks, in halves, as mean ranks are whole or half.

    >>> _exact_share(np.array([2.0, 2.0, 2.0]), 6.0)  # 2/2³
    0.25
    """
    halves = np.rint(2 * ranks).astype(np.int64).tolist()
    ways = np.zeros(sum(halves) + 1)  # below 2⁵³, so that counts are exact
    ways[0] = 1
    for size in halves:
        ways[size:] = ways[size:] + ways[:-size]
    sums = 2 * np.arange(len(ways)) - sum(halves)
    return float(ways[np.abs(sums) >= abs(round(2 * balance))].sum() / 2 ** len(halves))


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


def _sign(samples: Samples, metric: int, pair: tuple[int, int]) -> tuple[float, float]:
    from scipy.special import bdtr

    seen = outcomes(samples.differences(metric, pair))
    fewer, apart = min(seen.wins, seen.losses), seen.wins + seen.losses
    p_value = min(1.0, 2 * float(bdtr(fewer, apart, 0.5))) if apart else 1.0
    return p_value, float(seen.wins - seen.losses)
