"""Corrections that map each sampled rank to an estimate, whatever other topics are like."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache

import numpy as np

from cranfield.base.machine.blas import one_blas_thread
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_correction import Discount, SampleCorrection
from cranfield.scoring.sampling.rank_cells import RankCells, cells_of
from cranfield.scoring.sampling.sampled_ranks import SampledRanks, rank_law, told_apart

REPLACEMENT = (
    "Whether the sample was drawn with replacement, as the papers assume; sampled targets are not."
)


class TableCorrection(SampleCorrection):
    """A correction by a table f̂(1) … f̂(n + 1) for each N and n.

    Tables are made for the sizes N of `told_apart`; between two of them estimates are
    interpolated. Among more than 4,096 targets, true ranks that are far from both ends are
    taken together.
    """

    replacement: bool

    @abstractmethod
    def table(self, law: Floats, values: Floats, weights: Floats) -> Floats:
        """f̂ by sampled rank, from P(r | R), f(R) and the share of all ranks that R stands for."""

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        """Look the estimate of each topic up; a sample of everything leaves f as it is."""
        found = discount(sampled.ranks.astype(np.float64), sampled.targets)
        whole = sampled.whole & (not self.replacement)
        for n in np.unique(sampled.sampled[~whole]).tolist():
            chosen = ~whole & (sampled.sampled == n)
            found[chosen] = self._looked_up(sampled.take(chosen), int(n), discount)
        return found

    def _looked_up(self, sampled: SampledRanks, n: int, discount: Discount) -> Floats:
        sizes = told_apart(sampled.targets)
        tables = np.array([_table(self, discount, size, n) for size in sizes.tolist()])
        above = np.searchsorted(sizes, sampled.targets)
        below = np.maximum(above - (sizes[above] > sampled.targets), 0)
        gap = np.maximum(sizes[above] - sizes[below], 1)
        weight = (sampled.targets - sizes[below]) / gap
        low, high = tables[below, sampled.ranks - 1], tables[above, sampled.ranks - 1]
        estimates: Floats = low + weight * (high - low)
        return estimates


_EACH = 4096
"""In larger catalogues, ranks that are far from both ends share cells."""
_FINE = 400
"""The cells are about 0.25 % wide."""


@lru_cache(maxsize=1 << 13)
def _table(correction: TableCorrection, discount: Discount, targets: int, sampled: int) -> Floats:
    law, cells = _law(targets, sampled, correction.replacement)
    values = cells.means(discount(np.arange(1.0, targets + 1), targets))
    with one_blas_thread():
        return correction.table(law, values, cells.sizes / targets)


@lru_cache(maxsize=2)
def _law(targets: int, sampled: int, replacement: bool) -> tuple[Floats, RankCells]:
    cells = cells_of(targets, targets if targets <= _EACH else _FINE)
    return rank_law(cells.middles, targets, sampled, replacement=replacement), cells
