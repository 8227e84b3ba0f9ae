"""Corrections by the distribution of true ranks, estimated from all topics of a system.

The sampled ranks of all topics say how true ranks are distributed, and that what the metric
is on average; the estimate for a topic is what its own sampled rank adds to that.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import ClassVar, Protocol

import numpy as np

from cranfield.base.machine.blas import one_blas_thread
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_correction import Discount, SampleCorrection
from cranfield.scoring.sampling.rank_cells import cells_of
from cranfield.scoring.sampling.sampled_ranks import Counts, SampledRanks, rank_law, told_apart

_FINE = 50
"""Cells of true ranks are about 2 % wide."""


class RankFit(Protocol):
    """A distribution of true ranks that was fitted to sampled ranks."""

    @property
    def chances(self) -> Floats:
        """π by cell."""
        ...

    def slopes(self, values: Floats) -> Floats:
        """By sampled rank r, how fast Σ_R π_R·f(R) grows with q_r; ``values`` are f by cell."""
        ...


class RankDistribution(SampleCorrection):
    r"""A correction that estimates the distribution of true ranks, π.

        f̂(r) = Σ_R π_R·f(R) + s_r − Σ_k q_k·s_k,  s_r = ∂ Σ_R π_R·f(R) / ∂q_r

    q_r is the share of topics of sampled rank r. The mean over topics is Σ_R π_R·f(R), the
    estimate of the papers, and the spread of topics is that of its linearisation: an error
    of the mean allows for π being estimated. N is another for each user; π is taken not to
    depend on it, P(r | R) is the mean over topics, and a rank below the end of a topic's
    targets counts as the last. Topics whose sample is everything keep their scores.
    """

    pools_topics: ClassVar[bool] = True

    replacement: bool

    @abstractmethod
    def fit(self, law: Floats, observed: Floats, sizes: Counts) -> RankFit:
        """π, from P(r | cell), the shares q by sampled rank, and the sizes of cells."""

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        """The linearised estimate for each topic."""
        found = discount(sampled.ranks.astype(np.float64), sampled.targets)
        partial = np.full(len(sampled), True) if self.replacement else ~sampled.whole
        if partial.any():
            found[partial] = self._estimated(sampled.take(partial), discount)
        return found

    def _estimated(self, sampled: SampledRanks, discount: Discount) -> Floats:
        most, kinds = int(sampled.targets.max()), _kinds(sampled)
        cells, ranks = cells_of(most, _FINE), np.arange(1.0, most + 1)
        counts = np.bincount(sampled.ranks - 1, minlength=int(sampled.sampled.max()) + 1)
        observed = counts / len(sampled)
        sizes, of_topic, alike = np.unique(sampled.targets, return_inverse=True, return_counts=True)
        values = np.array(
            [cells.means(discount(np.minimum(ranks, size), size)) for size in sizes.tolist()]
        )
        with one_blas_thread():
            fitted = _fitted(self, most, kinds, observed.tobytes())
            slopes = fitted.slopes(alike @ values / len(sampled))
            means = values @ fitted.chances
        estimates: Floats = means[of_topic] + slopes[sampled.ranks - 1] - slopes @ observed
        return estimates


Kinds = tuple[tuple[int, int, int], ...]
"""N and n, and how many topics there are of both."""


def _kinds(sampled: SampledRanks) -> Kinds:
    """The topics by N and n; where there are many N, by the nearest of those told apart."""
    sizes = told_apart(sampled.targets)
    nearest = sizes[np.searchsorted((sizes[1:] + sizes[:-1]) / 2, sampled.targets)]
    kinds = np.stack([np.maximum(nearest, sampled.sampled + 1), sampled.sampled])
    kinds, counts = np.unique(kinds, axis=1, return_counts=True)
    return tuple(zip(*kinds.tolist(), counts.tolist(), strict=True))


@lru_cache(maxsize=16)
def _fitted(correction: RankDistribution, most: int, kinds: Kinds, observed: bytes) -> RankFit:
    """What was fitted for one metric serves the others of the same system."""
    law = _mean_law(most, kinds, correction.replacement)
    return correction.fit(law, np.frombuffer(observed), cells_of(most, _FINE).sizes)


@lru_cache(maxsize=8)
def _mean_law(most: int, kinds: Kinds, replacement: bool) -> Floats:
    """The mean law of topics by N and n, each with how many topics there are of it."""
    middles = cells_of(most, _FINE).middles
    total = np.zeros((len(middles), 1 + max(sampled for _, sampled, _ in kinds)))
    for targets, sampled, count in kinds:
        ranks = np.minimum(middles, targets)
        law = rank_law(ranks, targets, sampled, replacement=replacement)
        total[:, : sampled + 1] += count * law
    return total / sum(count for _, _, count in kinds)
