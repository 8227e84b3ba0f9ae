"""Sampled ranks: where a relevant item stands in a sample, given where it stands among all.

An item of rank R among N targets has R − 1 others above it. In a sample of n of the N − 1
others its rank is 1 plus the number of those that were drawn: hypergeometric if no other is
drawn twice, else binomial.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.scoring.gain import Floats

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SampledRanks:
    """The rank of the relevant item in the sample of each topic, from 1 to n + 1.

    ``sampled`` is n, the number of others in the sample, and ``targets`` N, the number of
    items that a full ranking has, the relevant one included.
    """

    ranks: Counts
    sampled: Counts
    targets: Counts

    def __len__(self) -> int:
        return len(self.ranks)

    @property
    def whole(self) -> npt.NDArray[np.bool_]:
        """For each topic, whether its sample holds all others: its rank is the true one."""
        return self.sampled >= self.targets - 1

    def take(self, chosen: npt.NDArray[np.bool_]) -> SampledRanks:
        """Some of the topics."""
        return SampledRanks(self.ranks[chosen], self.sampled[chosen], self.targets[chosen])


def rank_law(ranks: Counts, targets: int, sampled: int, *, replacement: bool = False) -> Floats:
    r"""P(r | R): one row for each true rank R, one column for each sampled rank r = 1 … n + 1.

        without replacement:  C(R−1, r−1)·C(N−R, n−r+1) ÷ C(N−1, n)
        with replacement:     C(n, r−1)·θ^(r−1)·(1−θ)^(n−r+1),  θ = (R−1)/(N−1)

    >>> rank_law(np.array([1, 2, 3]), targets=3, sampled=1).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    above, drawn = (ranks - 1)[:, None], np.arange(sampled + 1)[None]
    if replacement:
        logs = _binomial(above / max(targets - 1, 1), drawn, sampled)
    else:
        logs = _hypergeometric(above, drawn, targets - 1, sampled)
    law = np.exp(logs)
    rows: Floats = law / law.sum(axis=1, keepdims=True)  # logarithms of factorials are rounded
    return rows


def _hypergeometric(above: Counts, drawn: Counts, others: int, sampled: int) -> Floats:
    below, left = others - above, sampled - drawn
    possible = (drawn <= above) & (left <= below)
    logs = _log_choose(above, np.minimum(drawn, above))
    logs = logs + _log_choose(below, np.clip(left, 0, below))
    return np.where(possible, logs - _log_choose(np.array(others), np.array(sampled)), -np.inf)


def _binomial(share: Floats, drawn: Counts, sampled: int) -> Floats:
    from scipy.special import xlog1py, xlogy

    ways = _log_choose(np.array(sampled), drawn)
    return np.asarray(ways + xlogy(drawn, share) + xlog1py(sampled - drawn, -share))


def _log_choose(size: Counts, chosen: Counts) -> Floats:
    logs = _log_factorials(int(size.max()).bit_length())
    found: Floats = logs[size] - logs[chosen] - logs[size - chosen]
    return found


@lru_cache(maxsize=4)
def _log_factorials(bits: int) -> Floats:
    """Log k! for each k of so many bits."""
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(1.0, 2.0**bits + 1)))


_NEAR = 1.02
_FEW = 32
"""Up to so many sizes of catalogue are all told apart; of more, those that differ by 2 %."""


def told_apart(targets: Counts) -> Counts:
    """Ascending sizes N, each a size of some topic or, where they are many, 2 % apart.

    Users have rated different numbers of items, so that N is another for almost each, though
    nearly the same for all.
    """
    sizes = np.unique(targets)
    if len(sizes) <= _FEW:
        return sizes
    low, high = int(sizes[0]), int(sizes[-1])
    steps = int(np.ceil(np.log(high / low) / np.log(_NEAR))) + 1
    grid = np.unique(np.rint(np.geomspace(low, high, max(steps, 2))).astype(np.int64))
    return grid if len(grid) < len(sizes) else sizes
