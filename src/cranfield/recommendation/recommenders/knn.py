"""user-kNN and item-kNN: nearest neighbours by cosine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.neighbours import Rows
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.neighbours import (
    Cosine,
    Over,
    averaged,
    cosine_neighbours,
    over_items,
    over_users,
    profiles,
    summed,
    transposed,
)
from cranfield.recommendation.recommenders.training import require_nonempty


@dataclass(frozen=True, kw_only=True)
class _Nearest:
    """What both kinds of neighbours have in common."""

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    min_overlap: int = parameter(
        1, "The least number of ratings that neighbours share, at least 1.", at_least=1
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")
    threshold: float | None = parameter(None, "Ratings below it are ignored; none uses all.")
    exponent: float = parameter(1.0, "The power that similarities are raised to.", at_least=0)
    shrinkage: float = parameter(
        0.0,
        "λ: shrinks similarities from few shared ratings towards 0.",
        at_least=0,
        tune="0.1..100, log",
    )
    alpha: float = parameter(
        0.5,
        "α: share of the target in the norm of the cosine; ½ is plain.",
        at_least=0,
        at_most=1,
        tune="0.2..0.7",
    )
    length_exponent: float = parameter(
        0.0,
        "γ: items with m ratings count m^−γ in the cosine; 0 is plain.",
        at_least=0,
        tune="0.0..1.0",
    )
    inverted: bool = parameter(
        False,
        "Whether neighbours are those that have the target among their k nearest.",
        tune="[false, true]",
    )
    normalised: bool = parameter(
        False, "Whether the sum is divided by its similarities, so that it predicts a rating."
    )

    def _counting(self, train: Ratings) -> Ratings:
        """The ratings that count, as they count."""
        require_nonempty(train, str(self))
        if self.threshold is not None:
            train = train.take(train.values >= self.threshold)
        return replace(train, values=np.ones(len(train))) if self.binarised else train

    def _neighbours(self, rows: Rows, columns: int) -> Rows:
        """The neighbours of each row and their similarities, raised to the exponent."""
        cosine = Cosine(
            least_overlap=self.min_overlap,
            shrinkage=self.shrinkage,
            alpha=1 - self.alpha if self.inverted else self.alpha,
            length_exponent=self.length_exponent,
        )
        found = cosine_neighbours(rows, columns, self.k, cosine)
        offsets, codes, weights = transposed(found, len(rows[0]) - 1) if self.inverted else found
        return offsets, codes, weights**self.exponent

    def _summed(self, over: Over, train: Ratings, neighbours: Rows) -> Predictor:
        """The sum over neighbours, or their average."""
        how = averaged if self.normalised else summed
        return how(over, train, neighbours, train.values)


@option("recommender", "user-kNN", aliases=("kNN",))
@dataclass(frozen=True, kw_only=True)
class UserKNN(_Nearest, Recommender):
    """What the most similar users rated, weighted by how similar they are.

        s(u, i) = Σ_{v∈V_u} w_uv^q·r_vi
        w_uv = Σ_j r_uj·r_vj/m_j^γ ÷ (|u|^2α·|v|^2(1−α)) · n_uv/(n_uv + λ)

    V_u are the k users of the highest w with u (above 0); inverted, they are all those of
    whose k nearest u is one. m_j is the number of ratings of item j, |u|² = Σ_j r_uj²/m_j^γ,
    n_uv the number of items that both rated, and q the exponent. By default w is the cosine.
    The sum is not divided by the similarities, unless ``normalised``: then it is the mean
    rating of the neighbours who rated i, by w_uv^q (Resnick et al. 1994 without deviations),
    which does not grow with their number. NaN for an item that no neighbour rated; a user
    without neighbours gets NaN only. Where k users are not to be had, V_u is smaller.
    canamares2020 §4, with ``binarised`` and ``min_overlap`` for its Fig. 8. Shrinkage: Bell
    & Koren 2007; α: Aiolli 2013; γ = 1 on ratings of 1: Deshpande & Karypis 2004 §4.1.1,
    turned to users; inverted: Vargas & Castells 2014.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours."""
        train = self._counting(train)
        return self._summed(over_users, train, self._neighbours(profiles(train), train.n_items))


@option("recommender", "item-kNN")
@dataclass(frozen=True, kw_only=True)
class ItemKNN(_Nearest, Recommender):
    """What is most similar to the items that the user rated.

        s(u, i) = Σ_{j∈J_i∩I_u} w_ij^q·r_uj
        w_ij = Σ_v r_vi·r_vj/m_v^γ ÷ (|i|^2α·|j|^2(1−α)) · n_ij/(n_ij + λ)

    J_i are the k items of the highest w with i (above 0) over the users who rated them;
    inverted, they are all those of whose k nearest i is one, as in implicit: each rated
    item proposes its k nearest. m_v is the number of ratings of user v, |i|² = Σ_v r_vi²/m_v^γ,
    n_ij the number of users who rated both, and q the exponent. By default w is the cosine.
    The sum is not divided by the similarities, unless ``normalised``: then it is the mean
    rating that the user gave to neighbours of i, by w_ij^q (Sarwar et al. 2001). NaN for an
    item none of whose neighbours the user rated. Ning et al. 2015. Shrinkage: Bell & Koren
    2007; α: Aiolli 2013; γ = 1 on ratings of 1: Deshpande & Karypis 2004 §4.1.1; inverted:
    Vargas & Castells 2014.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every item's neighbours."""
        train = self._counting(train)
        columns = transposed(profiles(train), train.n_items)
        return self._summed(over_items, train, self._neighbours(columns, train.n_users))
