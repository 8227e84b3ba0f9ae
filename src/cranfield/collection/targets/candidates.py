"""Which items may be targets: all of them, or those with a test rating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.collection.target import Candidates, Known, Mask

_ALMOST = 1e-9
"""What a product such as 0.29 · 100 may miss a whole number by and still count as one."""

_HEAD = "Share of the items, the most popular ones, that are left out (−head)."


@option("candidates", "all-items", aliases=("AI",))
@dataclass(frozen=True, kw_only=True)
class AllItems(Candidates):
    """Every item of the collection: C = I.

    bellogin2017 §3.1, AI.
    """

    without_head: float = parameter(0.0, _HEAD, at_least=0, below=1)

    def choose(self, known: Known) -> Mask:
        """All items but the head."""
        return ~head(known, self.without_head)


@option("candidates", "test-items", aliases=("TI",))
@dataclass(frozen=True, kw_only=True)
class TestItems(Candidates):
    """Every item that someone rated in the test part: C = ∪ R_test(u).

    bellogin2017 §3.1, TI.
    """

    without_head: float = parameter(0.0, _HEAD, at_least=0, below=1)

    def choose(self, known: Known) -> Mask:
        """All items with a test rating but the head."""
        rated: Mask = known.judgments.ratings.item_counts > 0
        return rated & ~head(known, self.without_head)


def head(known: Known, share: float) -> Mask:
    """The most popular ⌊share · |I|⌋ items, I being those with a rating (bellogin2017 §6.3)."""
    dropped = np.zeros(known.judgments.ratings.n_items, dtype=bool)
    if share > 0:
        rated = int(np.count_nonzero(known.popularity))
        dropped[known.by_popularity[: int(share * rated + _ALMOST)]] = True
    return dropped
