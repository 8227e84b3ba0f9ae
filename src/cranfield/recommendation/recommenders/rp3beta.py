"""P3alpha and RP3beta: three random steps from the user, to items of similar users."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.neighbours import Rows
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.neighbours import (
    SumOfRows,
    product_neighbours,
    profiles,
    row_sums,
    transposed,
)
from cranfield.recommendation.recommenders.training import positive


@dataclass(frozen=True, kw_only=True)
class _ThreeSteps:
    """What walks of three steps have in common."""

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        100,
        "Neighbours of each rated item; as many as there are items means all.",
        at_least=1,
        tune="20..1000, log",
    )
    alpha: float = parameter(
        1.0, "α: the power of the probability of a step.", at_least=0, tune="0.3..1.6"
    )
    normalised: bool = parameter(
        False,
        "Whether the weights of each item's neighbours are divided by their sum.",
        tune="[false, true]",
    )
    binarised: bool = parameter(True, "Whether every rating counts as 1.")

    def _fit(self, train: Ratings, beta: float) -> SumOfRows:
        """The steps of users, and the k likeliest items two steps from each item."""
        train = positive(train, str(self), binarised=self.binarised)
        users = self._steps(profiles(train))
        items = transposed(profiles(train), train.n_items)
        degrees = row_sums(items[0], items[2])
        reached = product_neighbours(self._steps(items), users, degrees**beta, self.k)
        return SumOfRows(users, _shares(reached) if self.normalised else reached, train.n_items)

    def _steps(self, rows: Rows) -> Rows:
        """The probability of a step along each entry of a row, to the power of α."""
        offsets, codes, shares = _shares(rows)
        return offsets, codes, shares**self.alpha


def _shares(rows: Rows) -> Rows:
    """Rows whose values are divided by their sum."""
    offsets, codes, values = rows
    shares: Floats = values / np.repeat(row_sums(offsets, values), np.diff(offsets))
    return offsets, codes, shares


@option("recommender", "P3alpha", aliases=("P3α",))
@dataclass(frozen=True, kw_only=True)
class P3alpha(_ThreeSteps, Recommender):
    """Where a walk of three random steps leads: to a rated item, to its user, to an item.

        s(u, i) = Σ_{j∈I_u, i∈N_j} p_uj^α·w_ji,   w_ji = Σ_v p_jv^α·p_vi^α
        p_uj = r_uj/Σ_l r_ul,   p_jv = r_vj/Σ_x r_xj

    N_j are the k other items of the highest w_j; with ``normalised``, w_ji is divided by
    Σ_{l∈N_j} w_jl. With k as large as the catalogue and α = 1, s(u, i) is the probability
    that the walk ends at an item i that u has not rated. NaN for an item that no walk
    reaches, and for users and items without training ratings. Cooper et al. 2014, eq. 5;
    k and ``normalised``: Ferrari Dacrema et al. 2021.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find where walks from each item lead; nothing is random."""
        return self._fit(train, 0.0)


@option("recommender", "RP3beta", aliases=("RP3β",))
@dataclass(frozen=True, kw_only=True)
class RP3beta(_ThreeSteps, Recommender):
    """Where a walk of three random steps leads, with popular items held back.

        s(u, i) = Σ_{j∈I_u, i∈N_j} p_uj^α·w_ji,   w_ji = Σ_v p_jv^α·p_vi^α / d_i^β
        p_uj = r_uj/Σ_l r_ul,   p_jv = r_vj/Σ_x r_xj,   d_i = Σ_x r_xi

    N_j are the k other items of the highest w_j; with ``normalised``, w_ji is divided by
    Σ_{l∈N_j} w_jl. At β = 0 it is P3alpha. NaN for an item that no walk reaches, and for
    users and items without training ratings. Paudel et al. 2017, eq. 6 (with α = 1 and all
    items); k and ``normalised``: Ferrari Dacrema et al. 2021.
    """

    beta: float = parameter(
        0.3,
        "β: how strongly popular items are penalised; 0.2 does best on CiteULike-a and Gowalla, "
        "0.7 on MovieLens 1M.",
        at_least=0,
        tune="0.0..1.0",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find where walks from each item lead; nothing is random."""
        return self._fit(train, self.beta)
