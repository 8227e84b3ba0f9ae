"""Rank cells: true ranks that are so near to each other that they count as one."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ragged import offsets_of
from cranfield.scoring.gain import Floats
from cranfield.scoring.sampling.sampled_ranks import Counts


@dataclass(frozen=True, eq=False)
class RankCells:
    """True ranks, those near the first and the last by themselves, others together.

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
        found: Floats = np.add.reduceat(values, self.offsets[:-1]) / self.sizes
        return found


def cells_of(targets: int, fine: int) -> RankCells:
    """The cells of a ranking of so many targets, one ``fine``-th as wide as they are far from
    the nearer end.

    >>> cells_of(9, fine=2).sizes.tolist()
    [1, 1, 2, 3, 2]
    """
    sizes, left = list[int](), targets
    while left:
        near = min(targets - left, left)
        sizes.append(min(1 + near // fine, left))
        left -= sizes[-1]
    return RankCells(offsets_of(np.array(sizes, dtype=np.int64)))
