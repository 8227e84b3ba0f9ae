"""The uniform split: every target item has the same number of test ratings."""

from __future__ import annotations

from functools import partial
from math import ceil, floor, inf

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import Mask
from cranfield.collection.group_order import Counts, GroupOrder, nearest, random_order
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import MOST_FOLDS, draw_repeatedly, repeats_parameter

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

    In n folds, each with the same T and η, fold f = 0, …, n−1 tests the ratings

        ⌊f·|R(i)|/n⌋ + 1, …, ⌊f·|R(i)|/n⌋ + η

    of every target item i in its random order, which begins again after its end. So each
    rating of i is test in ⌊n·η/|R(i)|⌋ or ⌈n·η/|R(i)|⌉ folds, at most once if i has n·η
    ratings. Needed is ε ≥ 1/n (bellogin2017 §6.2): then every rating is training in some
    fold. With ε ≥ 1 − 1/n every rating is test at most once. Both hold but for the
    rounding of η.
    """

    test_share: float = parameter(
        0.2, "Share σ of the ratings that goes to test, above 0 and below 1.", above=0, below=1
    )
    epsilon: float = parameter(
        0.2,
        "Smallest share ε of an item's ratings that stays in training, from 0 to below 1.",
        at_least=0,
        below=1,
    )
    folds: int = parameter(
        1,
        f"Number n of folds, from 1 to {MOST_FOLDS:,}; several need ε ≥ 1/n.",
        at_least=1,
        at_most=MOST_FOLDS,
    )
    repeats: int = repeats_parameter()

    def __post_init__(self) -> None:
        if self.folds > 1 and self.epsilon < _ALMOST / self.folds:
            least = f"Raise epsilon to {ceil(1e4 / self.folds) / 1e4:g}"
            enough = ceil(_ALMOST / self.epsilon) if self.epsilon else inf
            more = f", or choose at least {enough} folds" if enough <= MOST_FOLDS else ""
            raise OptionError(
                f"uniform: {self.folds} folds need an epsilon of at least 1/{self.folds}, so that "
                f"every rating is training in one of them; it is {self.epsilon:g}. {least}{more}."
            )

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test are η ratings of every target item in random order, in each fold the next ones."""
        return draw_repeatedly(partial(self._draw, ratings), self.repeats, seeds)

    def _draw(self, ratings: Ratings, seeds: Seeds) -> Division:
        counts = ratings.item_counts
        targets, each = self._targets(counts)
        words = seeds.words("uniform", size=len(ratings))
        order = random_order(ratings.items, ratings.n_items, words)
        chosen = np.zeros_like(counts)
        chosen[targets] = counts[targets]
        facts = {
            "target_items": len(targets),
            "ratings_per_item": each,
            "test_share": len(targets) * each / len(ratings),
        }
        tests = (_arc(order, chosen, self.folds, fold, each) for fold in range(self.folds))
        return Division(ratings, tuple(tests), facts)

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


def _arc(order: GroupOrder, sizes: Counts, folds: int, fold: int, each: int) -> Mask:
    """So many successive rows of every group of a size above 0, those of one fold.

    The rows of a group form a circle, on which the folds begin at equal distances.
    """
    starts = fold * sizes // folds
    ends = np.where(sizes > 0, starts + each, 0)
    until: Mask = order.first(np.minimum(ends, sizes))
    if not fold:
        return until
    return (until & ~order.first(starts)) | order.first(np.maximum(ends - sizes, 0))
