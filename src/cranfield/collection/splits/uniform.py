"""The uniform split: every target item has the same number of test ratings."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import InfeasibleSplit
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import Counts, nearest, random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter

_ALMOST = 1 - 1e-12
"""Rounding must not cost the item at which a share is just reached."""


@option("split", "uniform")
@dataclass(frozen=True, kw_only=True)
class Uniform(Splitter):
    """Every target item gets the same number of test ratings, so popularity is not rewarded.

        ζ = max{k : (1−ε)·|R(i_k)|·k/|R| ≥ σ},   T = {i_1, …, i_ζ},   η = (1−ε)·|R(i_ζ)|

    i_k is the k-th most popular item, σ the test share, ε the share of an item's ratings
    that training keeps, T the target items, as many as possible, and η the test ratings
    of each, rounded to the nearest whole number (halves up), drawn at random. Reported:
    |T| as target_items, η as ratings_per_item, the share reached |T|·η/|R| as test_share.
    bellogin2017 §6.2; MovieLens 1M, σ = ε = 0.2: |T| = 1703, η = 118, share 0.2009.
    """

    test_share: float = parameter(
        0.2, "Share σ of the ratings that goes to test, above 0 and below 1.", above=0, below=1
    )
    epsilon: float = parameter(
        0.2,
        "Least share ε of an item's ratings that stays in training, from 0 to below 1.",
        at_least=0,
        below=1,
    )

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test are the first η ratings of every target item in random order."""
        counts = ratings.item_counts
        targets, each = self._targets(counts)
        words = seeds.words("uniform", size=len(ratings))
        order = random_order(ratings.items, ratings.n_items, words)
        wanted = np.zeros_like(counts)
        wanted[targets] = each
        facts = {
            "target_items": len(targets),
            "ratings_per_item": each,
            "test_share": len(targets) * each / len(ratings),
        }
        return Division(ratings, (order.first(wanted),), facts)

    def _targets(self, counts: Counts) -> tuple[npt.NDArray[np.int64], int]:
        """The items of T, and η."""
        by_popularity = np.argsort(-counts, kind="stable")
        popularity = counts[by_popularity]
        ranks = np.arange(1, len(counts) + 1)
        shares = (1 - self.epsilon) * popularity * ranks / popularity.sum()
        enough = np.flatnonzero(shares >= self.test_share * _ALMOST)
        if not len(enough):
            raise self._unreachable(float(shares.max()))
        targets = by_popularity[: enough[-1] + 1]
        each = int(nearest(1 - self.epsilon, popularity[enough[-1]]))
        if not each:
            raise InfeasibleSplit(
                "uniform",
                f"with epsilon = {self.epsilon:g}, less than half a rating of each of "
                f"{len(targets):,} items would be test",
                "Lower test_share or epsilon",
            )
        return targets, each

    def _unreachable(self, most: float) -> InfeasibleSplit:
        return InfeasibleSplit(
            "uniform",
            f"a test share of {self.test_share:g} cannot be reached with "
            f"epsilon = {self.epsilon:g}; the most is {floor(most * 1e4) / 1e4:g}",
            "Lower test_share or epsilon",
        )
