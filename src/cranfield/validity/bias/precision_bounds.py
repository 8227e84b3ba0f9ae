"""The bounds that rankings of all relevant items set to those of one at a time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.recommendation.ranking.hits import UNRANKED, Hits


@dataclass(frozen=True)
class PrecisionBounds:
    r"""1R precision between its bounds by AR (the lemma of bellogin2017 §3.4, eq. 2).

        |U|·P@n/|PR_test| ≤ 1RP@n ≤ Σ_u m_u·P@m_u(T_u) / (n·|PR_test|),
        m_u = n + |PR_test(u)| − 1

    It holds for every system if N_u is drawn once per user, T_u = N_u ∪ PR_test(u) and
    equal predictions are ordered the same way in both: a measurement outside is wrong.
    (The paper's proof prints +|PR_test(u)| − 1 where the rank falls by at most as much.)
    Hits are counted, not divided, so that nothing is lost to rounding: ``fewest`` in the
    top n of T_u, ``found`` in the top n of the T_u^r, ``most`` in the top m_u of T_u.
    """

    cutoff: int
    relevant: int
    fewest: int
    found: int
    most: int

    @property
    def lower(self) -> float:
        """|U|·P@n/|PR_test|."""
        return self._precision(self.fewest)

    @property
    def value(self) -> float:
        """1RP@n."""
        return self._precision(self.found)

    @property
    def upper(self) -> float:
        """Σ_u m_u·P@m_u(T_u) / (n·|PR_test|)."""
        return self._precision(self.most)

    @property
    def width(self) -> float:
        """How far apart the bounds are; it falls as |T_u| grows beyond |PR_test(u)|."""
        return self.upper - self.lower

    @property
    def holds(self) -> bool:
        """Whether the measured value is between its bounds."""
        return self.fewest <= self.found <= self.most

    def __add__(self, other: PrecisionBounds) -> PrecisionBounds:
        """The bounds of two test parts, such as folds, together."""
        assert self.cutoff == other.cutoff
        return PrecisionBounds(
            self.cutoff,
            self.relevant + other.relevant,
            self.fewest + other.fewest,
            self.found + other.found,
            self.most + other.most,
        )

    def _precision(self, hits: int) -> float:
        return hits / (self.cutoff * self.relevant) if self.relevant else float("nan")


def precision_bounds(together: Hits, apart: Hits, cutoff: int) -> PrecisionBounds:
    """The bounds of a system from its hits in AR (together) and in 1R (apart).

    Both are of the same users, candidates and N_u.
    """
    relevant = together.ratings >= together.relevance
    owners = together.owners
    positives = np.bincount(owners[relevant], minlength=len(together))
    depth = cutoff + positives[owners] - 1
    ranked = relevant & (together.ranks != UNRANKED)
    hit = (apart.ranks != UNRANKED) & (apart.ranks <= cutoff) & (apart.ratings >= apart.relevance)
    return PrecisionBounds(
        cutoff=cutoff,
        relevant=len(apart),
        fewest=int(np.count_nonzero(ranked & (together.ranks <= cutoff))),
        found=int(np.count_nonzero(hit)),
        most=int(np.count_nonzero(ranked & (together.ranks <= depth))),
    )


def bounds_of_one_relevant(apart: Hits, cutoff: int) -> PrecisionBounds:
    """The bounds of a system from its hits in 1R alone, where a user's topics share N_u.

    An item at rank k of its own ranking has k − 1 items of N_u above it; in T_u, the
    user's other relevant items that have no more of them stand above it too.
    """
    relevant = apart.ratings >= apart.relevance
    users = apart.topics.users[apart.owners][relevant]
    ranks = apart.ranks[relevant].astype(np.int64)
    counts = np.bincount(users)
    found = ranks != UNRANKED
    order = np.lexsort((ranks[found], users[found]))
    sorted_users, sorted_ranks = users[found][order], ranks[found][order]
    starts = np.searchsorted(sorted_users, sorted_users)
    together = sorted_ranks + np.arange(len(sorted_ranks)) - starts
    depth = cutoff + counts[sorted_users] - 1
    return PrecisionBounds(
        cutoff=cutoff,
        relevant=len(apart),
        fewest=int(np.count_nonzero(together <= cutoff)),
        found=int(np.count_nonzero(sorted_ranks <= cutoff)),
        most=int(np.count_nonzero(together <= depth)),
    )


BOUNDS_WORDS = {"lower_bound": "lower bound", "one_relevant": "1R", "upper_bound": "upper bound"}
"""What readers see in place of the columns of a table of bounds."""


def bounds_table(bounds: Mapping[str, PrecisionBounds]) -> pl.DataFrame:
    """Value and bounds of every system, and whether it is between them."""
    return pl.DataFrame(
        [
            {
                "system": system,
                "lower_bound": each.lower,
                "one_relevant": each.value,
                "upper_bound": each.upper,
                "width": each.width,
                "holds": "yes" if each.holds else "no",
            }
            for system, each in bounds.items()
        ]
    )
