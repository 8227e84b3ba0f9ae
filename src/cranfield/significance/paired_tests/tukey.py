"""Honestly significant differences: all systems at once, so that many pairs are allowed for."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedPValues, PairedTest, monte_carlo
from cranfield.significance.resampling import sum_over_blocks
from cranfield.significance.samples.samples import Samples, refuse_unequal_users

_PER_SHUFFLED = 2e-9
"""Seconds in which a score is given to another system and added."""

_NO_SPREAD = 2.0**-80
"""A residual variance below this share of the mean square of scores is rounding."""


@option("test", "tukey-hsd", aliases=("HSD",))
@dataclass(frozen=True, kw_only=True)
class TukeyHSD(PairedTest):
    r"""Tukey's test of all pairs of means, with p-values that allow for their number.

        q = |x̄_i − x̄_j|/√(MSE/n),  p = P(Q_{m, ν} ≥ q)

    Q is the studentised range of m systems. With ``blocks``, the difficulty of users is
    taken out, as in a two-way analysis without replication: MSE is that of what system
    and user leave unexplained, ν = (m−1)(n−1); for two systems it is the paired t test.
    Without, users differ between systems: MSE is within systems, ν = m(n−1).
    Carterette 2012; Sakai 2018.
    """

    whole_family: ClassVar[bool] = True

    blocks: bool = parameter(True, "Whether users are the same for all systems.")

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values from the studentised range."""
        refuse_unequal_users(self, samples)
        found = np.array([self._one_metric(samples, m) for m in range(len(samples.metrics))])
        return PairedPValues(found[:, 0], found[:, 1], np.zeros_like(found[:, 0]))

    def _one_metric(self, samples: Samples, metric: int) -> tuple[Floats, Floats]:
        from scipy.stats import studentized_range

        scores = samples.linearised(metric)
        systems, users = scores.shape
        means = scores.mean(axis=1)
        rest = scores - means[:, None]
        if self.blocks:
            rest = rest - rest.mean(axis=0)
        freedom = (systems - 1 if self.blocks else systems) * (users - 1)
        error = float((rest**2).sum()) / freedom
        firsts, seconds = np.array(samples.pairs).T
        ranges = _without_rounding(means[firsts] - means[seconds], scores)
        if error <= _NO_SPREAD * float((scores**2).mean()):
            return np.where(ranges == 0, 1.0, 0.0), np.where(
                ranges == 0, 0.0, np.copysign(np.inf, ranges)
            )
        statistics = ranges / np.sqrt(error / users)
        p_values = studentized_range.sf(np.abs(statistics), systems, freedom)
        return np.clip(p_values, 0.0, 1.0), statistics


@option("test", "randomised-hsd", aliases=("randomized-hsd", "RHSD"))
@dataclass(frozen=True, kw_only=True)
class RandomisedHSD(PairedTest):
    r"""Tukey's test by drawing: the scores of each user are shuffled between all systems.

        p = (#{draws: max_k x̄*_k − min_k x̄*_k ≥ |x̄_i − x̄_j|} + 1)/(draws + 1)

    Assumes no distribution, and allows for the number of pairs. The shuffles serve all
    metrics. Ranges that differ by rounding alone count as ties. Carterette 2012; Sakai
    2018.
    """

    whole_family: ClassVar[bool] = True

    draws: int = parameter(
        10_000,
        "Number of random shuffles of all users' scores, at least 100.",
        at_least=100,
        at_most=100_000_000,
    )

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values from shared shuffles."""
        refuse_unequal_users(self, samples)
        values = samples.contributions - samples.contributions.mean(axis=0)
        scores = np.ascontiguousarray(values.transpose(2, 0, 1))
        firsts, seconds = np.array(samples.pairs).T
        totals = values.sum(axis=2).T
        observed = totals[:, firsts] - totals[:, seconds]
        rounding = 8 * len(scores) * np.finfo(np.float64).eps
        slack = rounding * np.abs(values).sum(axis=2).max(axis=0)[:, None]
        observed = np.where(np.abs(observed) <= slack, 0.0, observed)
        thresholds = np.abs(observed) - slack
        work = _Shuffles(scores, thresholds, seeds.key("test", "randomised-hsd"))
        width = scores[0].size * len(samples.pairs) + len(scores)
        counts = sum_over_blocks(work, self.draws, width, scores.size * _PER_SHUFFLED)
        p_values, errors = monte_carlo(counts, self.draws)
        return PairedPValues(p_values, observed / samples.users[:, None], errors)


@dataclass(frozen=True, eq=False)
class _Shuffles:
    """Counts draws whose largest range of shuffled scores reaches thresholds (metrics × pairs).

    ``scores`` are those of every user by every system and metric.
    """

    scores: Floats
    thresholds: Floats
    key: int

    def __call__(self, block: range) -> Floats:
        from cranfield.significance.kernels.drawing import add_shuffled

        sums = np.zeros((len(block), *self.scores.shape[1:]))
        add_shuffled(np.uint64(self.key), block.start, self.scores, sums)
        reached = np.ptp(sums, axis=1)[:, :, None] >= self.thresholds
        reaching: Floats = reached.sum(axis=0, dtype=np.float64)
        return reaching


def _without_rounding(differences: Floats, scores: Floats) -> Floats:
    slack = 4 * np.finfo(np.float64).eps * float(np.abs(scores).max(initial=0.0))
    return np.where(np.abs(differences) <= slack, 0.0, differences)
