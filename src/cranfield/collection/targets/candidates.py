"""Which items may be targets: all of them, or those with a test rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.collection.target import Candidates, Mask
from cranfield.collection.test_collection import TestCollection

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

    def choose(self, collection: TestCollection) -> Mask:
        """All items but the head."""
        return ~head(collection, self.without_head)


@option("candidates", "test-items", aliases=("TI",))
@dataclass(frozen=True, kw_only=True)
class TestItems(Candidates):
    """Every item that someone rated in the test part: C = ∪ R_test(u).

    bellogin2017 §3.1, TI.
    """

    needs_catalogue: ClassVar[bool] = False

    without_head: float = parameter(0.0, _HEAD, at_least=0, below=1)

    def choose(self, collection: TestCollection) -> Mask:
        """All items with a test rating but the head."""
        rated: Mask = collection.judgments.ratings.item_counts > 0
        return rated & ~head(collection, self.without_head)


def head(collection: TestCollection, share: float) -> Mask:
    """The most popular ⌊share · |I|⌋ items, I being those with a rating (bellogin2017 §6.3)."""
    dropped = np.zeros(collection.judgments.ratings.n_items, dtype=bool)
    if share > 0:
        rated = int(np.count_nonzero(collection.popularity))
        dropped[collection.by_popularity[: int(share * rated + _ALMOST)]] = True
    return dropped
