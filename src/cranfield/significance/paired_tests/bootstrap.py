"""Sakai's bootstrap test: resampled users, studentised differences."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedPValues, PairedTest, monte_carlo
from cranfield.significance.resampling import PER_PRODUCT, PER_SIGN, sum_over_blocks
from cranfield.significance.samples.samples import Samples, refuse_unequal_users

_ROUNDING = 1e-12
"""A variance below this share of the mean square is rounding."""


@option("test", "bootstrap")
@dataclass(frozen=True, kw_only=True)
class Bootstrap(PairedTest):
    r"""Sakai's paired bootstrap test, with studentised differences shifted to mean 0.

        p = (#{draws: |t(w*)| ≥ |t(d)|} + 1)/(draws + 1),  w = d − d̄,  t(x) = x̄/(s_x/√n)

    w* are n users drawn with replacement from w. One matrix of how often users are drawn
    serves all pairs. A draw without spread has t = 0 at mean 0, else infinite.
    Sakai 2006, Fig. 1, with the observed sample counted as a draw.
    """

    draws: int = parameter(
        10_000,
        "Number of random samples of users, at least 100.",
        at_least=100,
        at_most=100_000_000,
    )

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values from shared draws of users."""
        refuse_unequal_users(self, samples)
        key = seeds.key("test", "bootstrap")
        found = [self._one_metric(samples, m, key) for m in range(len(samples.metrics))]
        p_values, errors = monte_carlo(np.array([counts for counts, _ in found]), self.draws)
        statistics = np.array([observed for _, observed in found])
        # Without any difference there is nothing to resample, and nothing to reject.
        same = statistics == 0
        return PairedPValues(np.where(same, 1.0, p_values), statistics, np.where(same, 0.0, errors))

    def _one_metric(self, samples: Samples, metric: int, key: int) -> tuple[Floats, Floats]:
        differences = _differences(samples, metric)
        users, means = len(differences), differences.mean(axis=0)
        means[np.abs(means) <= _ROUNDING * np.abs(differences).mean(axis=0)] = 0.0
        shifted = differences - means
        shifted[:, np.ptp(differences, axis=0) <= _ROUNDING * np.abs(means)] = 0.0
        squares = shifted**2
        observed = _studentised(means, squares.mean(axis=0), users)

        work = _Redrawn(shifted, squares, observed, key)
        width = users + 3 * len(samples.pairs)
        seconds = users * (PER_SIGN + 2 * len(samples.pairs) * PER_PRODUCT)
        return sum_over_blocks(work, self.draws, width, seconds), observed


@dataclass(frozen=True, eq=False)
class _Redrawn:
    """Counts draws of users whose statistics reach the observed ones, by pair.

    ``shifted`` are the differences of users around their means (users × pairs).
    """

    shifted: Floats
    squares: Floats
    observed: Floats
    key: int

    def __call__(self, block: range) -> Floats:
        from cranfield.significance.kernels.drawing import fill_counts

        users = len(self.shifted)
        drawn = np.empty((len(block), users))
        fill_counts(np.uint64(self.key), block.start, drawn)
        centres = drawn @ self.shifted / users
        spreads = drawn @ self.squares / users - centres**2
        return _reached(_studentised(centres, spreads, users), self.observed)


def _differences(samples: Samples, metric: int) -> Floats:
    """The differences of all pairs (users × pairs), linearised where users count unequally."""
    if samples.weights is None and metric not in samples.influence:
        return np.array([samples.differences(metric, pair) for pair in samples.pairs]).T
    scores = samples.linearised(metric)
    return np.array([scores[first] - scores[second] for first, second in samples.pairs]).T


def _studentised(means: Floats, variances: Floats, users: int) -> Floats:
    """Means over their standard errors; variances are with n, standard errors with n − 1."""
    spread = np.where(variances <= _ROUNDING * (variances + means**2), 0.0, variances)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = means / np.sqrt(spread / (users - 1))
    return np.where(means == 0, 0.0, found)


def _reached(drawn: Floats, observed: Floats) -> Floats:
    """How many draws are as far from 0 as what was observed, up to rounding."""
    far = np.abs(drawn) >= np.abs(observed) * (1 - 1e-10)
    counts: Floats = far.sum(axis=0, dtype=np.float64)
    return counts
