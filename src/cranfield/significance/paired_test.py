"""Paired test: how likely a difference as large would be if systems did not differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.samples.samples import Samples

MEANS = ("mean", "weighted-mean")


@dataclass(frozen=True, eq=False)
class PairedPValues:
    """Two-sided p-values of all pairs by all metrics (metrics × pairs).

    ``errors`` are Monte-Carlo standard errors of the p-values, 0 where nothing is drawn.
    ``statistics`` are those of the test; positive where the first system is better.
    """

    p_values: Floats
    statistics: Floats
    errors: Floats


@contract("test")
class PairedTest(Protocol):
    """Whether the difference between two systems could be chance (decision D).

    Every test is two-sided and paired by user. Where all differences of a pair are 0, its
    p-value is 1; where all are the same and not 0, a t statistic is infinite.
    """

    fits: ClassVar[tuple[str, ...]] = MEANS
    """The aggregations whose differences are tested; none are named where all are."""

    asks: ClassVar[str] = "whether the values differ"
    """The question that is answered, for those who meant another."""

    whole_family: ClassVar[bool] = False
    """Whether p-values already allow for there being many pairs."""

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of all pairs of systems by all metrics."""
        ...


def monte_carlo(counts: Floats, draws: int) -> tuple[Floats, Floats]:
    r"""P-values from how many draws reach what was observed, and their standard errors.

        p = (count + 1)/(draws + 1),  SE = √(p·(1 − p)/(draws + 1))

    What was observed counts as a draw, so that no p-value is 0 and the level is held.
    """
    p_values = (counts + 1) / (draws + 1)
    return p_values, np.sqrt(p_values * (1 - p_values) / (draws + 1))


PairTest = Callable[[Samples, int, tuple[int, int]], tuple[float, float]]
"""From samples, a metric and a pair of systems to a p-value and a statistic."""


def each_pair(samples: Samples, test: PairTest) -> PairedPValues:
    """The p-values of a test without draws, pair by pair."""
    shape = (len(samples.metrics), len(samples.pairs), 2)
    found = np.array(
        [
            test(samples, metric, pair)
            for metric in range(len(samples.metrics))
            for pair in samples.pairs
        ]
    ).reshape(shape)
    return PairedPValues(found[:, :, 0], found[:, :, 1], np.zeros(shape[:2]))
