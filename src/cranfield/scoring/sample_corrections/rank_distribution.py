"""Corrections by the distribution of true ranks, estimated from all topics of a system.

The sampled ranks of all topics say how true ranks are distributed, and that what the metric
is on average; the estimate for a topic is what its own sampled rank adds to that.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from cranfield.base.blas import one_blas_thread
from cranfield.base.ragged import offsets_of
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_correction import Discount, SampleCorrection
from cranfield.scoring.sampled_ranks import Counts, SampledRanks, rank_law, told_apart

_FINE = 50
"""Ranks further than so many from either end share a cell with their neighbours."""


@dataclass(frozen=True, eq=False)
class RankCells:
    """True ranks, those near the ends by themselves and others in cells about 2 % wide.

    Cell c holds the ranks ``offsets[c] + 1`` to ``offsets[c + 1]``; within a cell all are
    taken for as likely, and P(r | R) for that of its middle.
    """

    offsets: Counts

    @property
    def sizes(self) -> Counts:
        """How many ranks each cell holds."""
        return np.diff(self.offsets)

    @property
    def middles(self) -> Counts:
        """The rank in the middle of each cell."""
        found: Counts = self.offsets[:-1] + (self.sizes + 1) // 2
        return found

    def means(self, values: Floats) -> Floats:
        """The mean over each cell of what each rank is worth."""
        return np.add.reduceat(values, self.offsets[:-1]) / self.sizes


def cells_of(targets: int) -> RankCells:
    """The cells of a ranking of so many targets.

    >>> cells_of(5).middles.tolist()
    [1, 2, 3, 4, 5]
    """
    sizes, left = list[int](), targets
    while left:
        near = min(targets - left, left)
        sizes.append(min(1 + near // _FINE, left))
        left -= sizes[-1]
    return RankCells(offsets_of(np.array(sizes, dtype=np.int64)))


Estimate = tuple[Floats, Floats]
"""π by cell, and by sampled rank r how fast Σ_R π_R·f(R) grows with the share of topics there."""


class RankDistribution(SampleCorrection):
    r"""A correction that estimates the distribution of true ranks, π.

        f̂(r) = Σ_R π_R·f(R) + s_r − Σ_k q_k·s_k,  s_r = ∂ Σ_R π_R·f(R) / ∂q_r

    q_r is the share of topics of sampled rank r. The mean over topics is Σ_R π_R·f(R), the
    estimate of the papers, and the spread of topics is that of its linearisation: an error
    of the mean allows for π being estimated. N is another for each user; π is taken not to
    depend on it, P(r | R) is the mean over topics, and a rank below the end of a topic's
    targets counts as the last.
    """

    pools_topics: ClassVar[bool] = True

    replacement: bool

    @abstractmethod
    def estimate(self, law: Floats, observed: Floats, sizes: Counts, values: Floats) -> Estimate:
        """π and s, from P(r | cell), the shares q, the sizes of cells and the mean f in each."""

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        """The linearised estimate for each topic."""
        estimates = np.empty(len(sampled))
        if not len(sampled):
            return estimates
        cells = cells_of(int(sampled.targets.max()))
        law, ranks = self._law(sampled, cells), np.arange(1.0, cells.offsets[-1] + 1)
        sizes, of_topic, counts = np.unique(
            sampled.targets, return_inverse=True, return_counts=True
        )
        values = np.array(
            [cells.means(discount(np.minimum(ranks, size), size)) for size in sizes.tolist()]
        )
        observed = np.bincount(sampled.ranks - 1, minlength=law.shape[1]) / len(sampled)
        with one_blas_thread():
            mean_values = counts @ values / len(sampled)
            chances, slopes = self.estimate(law, observed, cells.sizes, mean_values)
            means = values @ chances
        estimates[:] = means[of_topic] + slopes[sampled.ranks - 1] - slopes @ observed
        return estimates

    def _law(self, sampled: SampledRanks, cells: RankCells) -> Floats:
        """The mean of P(r | R) over the topics, for the middle of each cell."""
        sizes = told_apart(sampled.targets)
        nearest = sizes[np.searchsorted((sizes[1:] + sizes[:-1]) / 2, sampled.targets)]
        kinds = np.stack([np.maximum(nearest, sampled.sampled + 1), sampled.sampled])
        kinds, counts = np.unique(kinds, axis=1, return_counts=True)
        kept = tuple(map(tuple, np.vstack([kinds, counts]).T.tolist()))
        return _mean_law(int(cells.offsets[-1]), kept, self.replacement)


@lru_cache(maxsize=8)
def _mean_law(most: int, kinds: tuple[tuple[int, int, int], ...], replacement: bool) -> Floats:
    """The mean law of topics by N and n, each with how many topics there are of it."""
    middles = cells_of(most).middles
    total = np.zeros((len(middles), 1 + max(sampled for _, sampled, _ in kinds)))
    for targets, sampled, count in kinds:
        ranks = np.minimum(middles, targets)
        law = rank_law(ranks, targets, sampled, replacement=replacement)
        total[:, : sampled + 1] += count * law
    return total / sum(count for _, _, count in kinds)
