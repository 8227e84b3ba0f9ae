"""The permutation test of the mean difference, for all pairs and metrics at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedPValues, PairedTest, monte_carlo
from cranfield.significance.resampling import sum_over_blocks
from cranfield.significance.samples import Samples


@option("test", "permutation", aliases=("randomisation", "randomization", "fisher"))
@dataclass(frozen=True, kw_only=True)
class Permutation(PairedTest):
    r"""Fisher's randomisation test: if systems did not differ, every sign could be the other.

        p = (#{draws: |Σ_u s_u·d_u| ≥ |Σ_u d_u|} + 1)/(draws + 1),  s_u = ±1 at random

    For few users all 2^n assignments of signs are counted, and p is their exact share. One
    matrix of signs serves all pairs and metrics: Σ s·(x − y) = Σ s·x − Σ s·y. Sums that
    differ by rounding alone count as ties: up to 4·n·2⁻⁵²·Σ_u(|x_u| + |y_u|), a bound on
    the rounding of the sums. valcarce2020 §4.1 (Sakai 2006; Smucker et al. 2007).
    """

    draws: int = parameter(
        100_000, "Random assignments of signs, from 100.", at_least=100, at_most=100_000_000
    )
    exact_up_to: int = parameter(
        16, "Users up to whom all assignments are counted, at most 20.", at_least=0, at_most=20
    )

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values from shared draws; exact for metrics with few users."""
        sums = _Sums(samples)
        few = samples.users <= self.exact_up_to
        p_values, errors = np.empty((2, *sums.observed.shape))
        if not few.all():
            chosen = np.flatnonzero(~few)
            counts = sums.draw(chosen, self.draws, seeds.key("test", "permutation"))
            p_values[chosen], errors[chosen] = monte_carlo(counts, self.draws)
        for metric in np.flatnonzero(few).tolist():
            p_values[metric], errors[metric] = sums.enumerate(metric), 0.0
        return PairedPValues(p_values, sums.observed / samples.users[:, None], errors)


class _Sums:
    """Sums of scores whose signs change user by user, and what they are compared with."""

    def __init__(self, samples: Samples) -> None:
        # The mean of all systems on a user cancels in every difference; without it, sums
        # are small and so is their rounding.
        values = samples.values - samples.values.mean(axis=0)
        firsts, seconds = np.array(samples.pairs).T
        self._samples, self._values = samples, values
        totals, sizes = values.sum(axis=2).T, np.abs(values).sum(axis=2).T
        observed = totals[:, firsts] - totals[:, seconds]
        rounding = 4 * samples.values.shape[2] * np.finfo(np.float64).eps
        slack = rounding * (sizes[:, firsts] + sizes[:, seconds])
        self.observed: Floats = np.where(np.abs(observed) <= slack, 0.0, observed)
        self._thresholds = np.abs(observed) - slack

    def draw(self, metrics: np.typing.NDArray[np.intp], draws: int, key: int) -> Floats:
        """How many draws reach what was observed (metrics × pairs)."""
        from cranfield.significance.kernels.drawing import count_pairs, fill_signs

        systems, _, users = self._values.shape
        columns = np.ascontiguousarray(
            self._values[:, metrics].transpose(2, 1, 0).reshape(users, -1)
        )
        thresholds = np.ascontiguousarray(self._thresholds[metrics])

        def work(block: range) -> Floats:
            signs = np.empty((len(block), users))
            fill_signs(np.uint64(key), block.start, signs)
            sums = (signs @ columns).reshape(len(block), len(metrics), systems)
            reached = np.zeros(thresholds.shape, dtype=np.int64)
            count_pairs(sums, thresholds, reached)
            return reached.astype(np.float64)

        return sum_over_blocks(work, draws, users)

    def enumerate(self, metric: int) -> Floats:
        """The share of all assignments of signs that reach what was observed, by pair."""
        values = self._values[:, metric][:, self._samples.enters[metric]]
        signed = all_signs(values.shape[1]) @ values.T
        shares = [
            np.mean(np.abs(signed[:, first] - signed[:, second]) >= threshold)
            for (first, second), threshold in zip(
                self._samples.pairs, self._thresholds[metric], strict=True
            )
        ]
        return np.array(shares)


def all_signs(users: int) -> Floats:
    """Every assignment of signs in which the first user keeps theirs (2^(n−1) × users).

    The others mirror these, and a two-sided test counts both alike.

    >>> all_signs(2)
    array([[ 1., -1.],
           [ 1.,  1.]])
    """
    draws = np.arange(2 ** (users - 1), dtype=np.int64)
    bits = draws[:, None] >> np.arange(users - 1) & 1
    return np.hstack([np.ones((len(draws), 1)), bits * 2.0 - 1.0])
