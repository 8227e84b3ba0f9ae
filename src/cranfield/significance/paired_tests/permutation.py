"""The permutation test of a difference of values, for all pairs and metrics at once."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedPValues, PairedTest, monte_carlo
from cranfield.significance.resampling import PER_PRODUCT, PER_SIGN, sum_over_blocks
from cranfield.significance.samples.resampled import swapped
from cranfield.significance.samples.samples import Samples

_PER_EXCHANGE = 1e-8
"""Seconds of a user and a pair in a draw whose values are computed anew."""

_ROUNDING = 1e-11
"""Values that differ by less than this share of the largest are equal (ties)."""


@option("test", "permutation", aliases=("randomisation", "randomization", "fisher"))
@dataclass(frozen=True, kw_only=True)
class Permutation(PairedTest):
    r"""Fisher's randomisation test: if systems did not differ, their scores could be exchanged.

        p = (#{draws: |D*| ≥ |D|} + 1)/(draws + 1)

    D is the difference of the values in the table. In a draw, each user's scores by the two
    systems are exchanged or not at random, those on all topics of the user together. Where
    values are means over the same topics, D* = Σ_u s_u·d_u, s_u = ±1, and one matrix of
    signs serves all pairs and metrics: Σ s·(x − y) = Σ s·x − Σ s·y. Else (medians,
    geometric means, risk, averages over the users of each system) both values are
    recomputed in every draw; the null hypothesis is then that a user's scores are exchangeable.
    For few users all 2^n exchanges are counted, and p is their exact share. Differences
    equal up to rounding count as ties. valcarce2020 §4.1 (Sakai 2006; Smucker et al. 2007).
    """

    fits: ClassVar[tuple[str, ...]] = ()

    draws: int = parameter(
        100_000,
        "Number of random assignments of signs, at least 100.",
        at_least=100,
        at_most=100_000_000,
    )
    exact_up_to: int = parameter(
        16,
        "Number of users up to which all assignments are counted, at most 20.",
        at_least=0,
        at_most=20,
    )

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values from shared draws; exact for metrics with few users."""
        key = seeds.key("test", "permutation")
        again = np.isin(np.arange(len(samples.metrics)), list(samples.resampled))
        few = (samples.users <= self.exact_up_to) & ~again
        many = np.flatnonzero(~few & ~again)
        sums = _Sums(samples)
        p_values, errors = np.empty((2, *sums.observed.shape))
        statistics = sums.observed / np.maximum(samples.users, 1)[:, None]
        if len(many):
            counts = sums.draw(many, self.draws, key)
            p_values[many], errors[many] = monte_carlo(counts, self.draws)
        for metric in np.flatnonzero(few).tolist():
            p_values[metric], errors[metric] = sums.enumerate(metric), 0.0
        for metric in np.flatnonzero(again).tolist():
            found = _Exchanges(samples, metric)
            statistics[metric] = found.observed
            p_values[metric], errors[metric] = found.p_values(self, key)
        return PairedPValues(p_values, statistics, errors)


class _Exchanges:
    """Values by one metric that are computed anew with scores exchanged."""

    def __init__(self, samples: Samples, metric: int) -> None:
        self._made, self._pairs = samples.resampled[metric], samples.pairs
        self._users = samples.enters.shape[1]
        found = np.array([samples.tabled(metric, pair) for pair in samples.pairs])
        slack = _ROUNDING * float(np.nanmax(np.abs(samples.shown(metric)), initial=0.0))
        self.observed: Floats = np.where(np.abs(found) <= slack, 0.0, found)
        self._thresholds = np.abs(found) - slack

    def p_values(self, test: Permutation, key: int) -> tuple[Floats, Floats]:
        """The p-values of all pairs and their errors; NaN where a value is undefined."""
        if self._users <= test.exact_up_to:
            signs = all_signs(self._users)
            p_values, errors = self._reached(signs) / len(signs), np.zeros(len(self._pairs))
        else:
            work, seconds = partial(self._draw, key), self._users * len(self._pairs) * _PER_EXCHANGE
            counts = sum_over_blocks(work, test.draws, 16 * self._users, seconds)
            p_values, errors = monte_carlo(counts, test.draws)
        undefined = np.isnan(self._thresholds)
        return np.where(undefined, np.nan, p_values), np.where(undefined, np.nan, errors)

    def _draw(self, key: int, block: range) -> Floats:
        return self._reached(_signs(key, block, self._users))

    def _reached(self, signs: Floats) -> Floats:
        """How many draws reach what was observed; one without a value counts as if it did."""
        drawn = [np.abs(swapped(self._made, pair, signs)) for pair in self._pairs]
        reached = [
            np.count_nonzero(~(values < threshold))
            for values, threshold in zip(drawn, self._thresholds, strict=True)
        ]
        return np.array(reached, dtype=np.float64)


class _Sums:
    """Sums of scores whose signs change user by user, and what they are compared with."""

    def __init__(self, samples: Samples) -> None:
        # The mean of all systems on a user cancels in every difference; without it, sums
        # are small and so is their rounding.
        values = samples.contributions - samples.contributions.mean(axis=0)
        firsts, seconds = np.array(samples.pairs).T
        self._samples, self._values = samples, values
        totals, sizes = values.sum(axis=2).T, np.abs(values).sum(axis=2).T
        observed = totals[:, firsts] - totals[:, seconds]
        rounding = 4 * values.shape[2] * np.finfo(np.float64).eps
        slack = rounding * (sizes[:, firsts] + sizes[:, seconds])
        self.observed: Floats = np.where(np.abs(observed) <= slack, 0.0, observed)
        self._thresholds = np.abs(observed) - slack

    def draw(self, metrics: np.typing.NDArray[np.intp], draws: int, key: int) -> Floats:
        """How many draws reach what was observed (metrics × pairs)."""
        users = self._values.shape[2]
        columns = np.ascontiguousarray(
            self._values[:, metrics].transpose(2, 1, 0).reshape(users, -1)
        )
        thresholds = np.ascontiguousarray(self._thresholds[metrics])
        seconds = users * (PER_SIGN + columns.shape[1] * PER_PRODUCT)
        return sum_over_blocks(_Reaching(columns, thresholds, key), draws, users, seconds)

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


@dataclass(frozen=True, eq=False)
class _Reaching:
    """Counts draws whose sums reach thresholds (metrics × pairs).

    ``columns`` are the scores of every metric by every system (users × metrics·systems).
    """

    columns: Floats
    thresholds: Floats
    key: int

    def __call__(self, block: range) -> Floats:
        from cranfield.significance.kernels.drawing import count_pairs

        signs = _signs(self.key, block, len(self.columns))
        sums = (signs @ self.columns).reshape(len(block), len(self.thresholds), -1)
        reached = np.zeros(self.thresholds.shape, dtype=np.int64)
        count_pairs(sums, self.thresholds, reached)
        return reached.astype(np.float64)


def _signs(key: int, block: range, users: int) -> Floats:
    """The signs of users in some draws (draws × users)."""
    from cranfield.significance.kernels.drawing import fill_signs

    signs = np.empty((len(block), users))
    fill_signs(np.uint64(key), block.start, signs)
    return signs


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
