"""user-kNN and item-kNN: plain nearest neighbours by cosine."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.neighbours import Rows
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.neighbours import (
    cosine_neighbours,
    over_items,
    over_users,
    profiles,
    transposed,
)
from cranfield.recommendation.recommenders.training import require_nonempty


@dataclass(frozen=True, kw_only=True)
class _Nearest:
    """What both kinds of neighbours have in common."""

    k: int = parameter(100, "The number of neighbours, at least 1.", at_least=1)
    min_overlap: int = parameter(
        1, "The least number of ratings that neighbours share, at least 1.", at_least=1
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")
    threshold: float | None = parameter(None, "Ratings below it do not count; none: all count.")
    exponent: float = parameter(1.0, "The power that similarities are raised to.", at_least=0)

    def _counting(self, train: Ratings) -> Ratings:
        """The ratings that count, as they count."""
        require_nonempty(train, str(self))
        if self.threshold is not None:
            train = train.take(train.values >= self.threshold)
        return replace(train, values=np.ones(len(train))) if self.binarised else train

    def _neighbours(self, rows: Rows, columns: int) -> Rows:
        offsets, codes, weights = cosine_neighbours(
            rows, columns, self.k, least_overlap=self.min_overlap
        )
        return offsets, codes, weights**self.exponent


@option("recommender", "user-kNN", aliases=("kNN",))
@dataclass(frozen=True, kw_only=True)
class UserKNN(_Nearest, Recommender):
    """What the most similar users rated, weighted by how similar they are.

        s(u, i) = Σ_{v∈V_u} cos(u, v)^q·r_vi

    V_u are the k users of the highest cosine with u (above 0), q is the exponent. The
    sum is not divided by the similarities. NaN for an item that no neighbour rated; a
    user without neighbours gets NaN only. Where k users are not to be had, V_u is
    smaller. canamares2020 §4, with ``binarised`` and ``min_overlap`` for its Fig. 8.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours."""
        train = self._counting(train)
        return over_users(train, self._neighbours(profiles(train), train.n_items))


@option("recommender", "item-kNN")
@dataclass(frozen=True, kw_only=True)
class ItemKNN(_Nearest, Recommender):
    """What is most similar to the items that the user rated.

        s(u, i) = Σ_{j∈J_i∩I_u} cos(i, j)^q·r_uj

    J_i are the k items of the highest cosine with i (above 0) over the users who rated
    them, q is the exponent. The sum is not divided by the similarities. NaN for an item
    none of whose neighbours the user rated. Ning et al. 2015.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every item's neighbours."""
        train = self._counting(train)
        columns = transposed(profiles(train), train.n_items)
        return over_items(train, self._neighbours(columns, train.n_users))
