"""RW, RSV, CHI2, KLD: what neighbours rated, as feedback on a query that expands itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.neighbours import (
    SumOfRows,
    cosine_neighbours,
    over_users,
    profiles,
)
from cranfield.recommendation.recommenders.training import positive, require_nonempty


@dataclass(frozen=True, eq=False)
class Feedback(ABC):
    """The ratings of a user's neighbours, summed, with the sizes needed to read the sums.

    ``sizes`` are |V_u|, ``masses`` Σ_{v∈V_u} Σ_j r_vj, by user.
    """

    sums: SumOfRows
    sizes: Floats
    masses: Floats

    @abstractmethod
    def weigh(self, sums: Floats, users: Codes) -> Floats:
        """Predictions from the sums Σ_{v∈V_u} r_vi of some users."""

    def predict(self, users: Codes) -> Floats:
        """Predictions from the neighbours' ratings; NaN for what none of them rated."""
        return self.weigh(self.sums.predict(users), users)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        sizes = self.sizes.shape, self.masses.shape
        return sizes == ((n_users,), (n_users,)) and self.sums.fits(n_users, n_items)


def _feedback(train: Ratings, k: int) -> tuple[SumOfRows, Floats, Floats]:
    """The ratings of each user's k nearest users by cosine: sums, sizes and masses."""
    offsets, codes, weights = cosine_neighbours(profiles(train), train.n_items, k)
    totals = np.bincount(train.users, train.values, minlength=train.n_users)
    sizes = np.diff(offsets)
    owners = np.repeat(np.arange(train.n_users), sizes)
    masses: Floats = np.zeros(train.n_users)
    np.add.at(masses, owners, totals[codes])
    sums = over_users(train, (offsets, codes, np.ones(len(weights))))
    return sums, sizes.astype(np.float64), masses


@option("recommender", "RW", aliases=("Rocchio",))
@dataclass(frozen=True, kw_only=True)
class RocchioWeights(Recommender):
    """The mean rating of an item by the nearest users, where a missing rating counts as 0.

        s(u, i) = Σ_{v∈V_u} r_vi / |V_u|

    V_u are the k users of the highest cosine with u. NaN for an item that none of them
    rated; a user without neighbours gets NaN only. Valcarce et al. 2016; valcarce2020 §5.3.
    """

    k: int = parameter(50, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log")

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours."""
        require_nonempty(train, str(self))
        return _MeanRating(*_feedback(train, self.k))


@storable
@dataclass(frozen=True, eq=False)
class _MeanRating(Feedback):
    def weigh(self, sums: Floats, users: Codes) -> Floats:
        return np.asarray(sums / self.sizes[users, None])


@option("recommender", "RSV")
@dataclass(frozen=True, kw_only=True)
class RobertsonSelectionValue(Recommender):
    """Rocchio's weight of an item, times its share of all that the nearest users rated.

        s(u, i) = Σ_{v∈V_u} (r_vi/|V_u|)·p(i|V_u),  p(i|V_u) = Σ_{v∈V_u} r_vi / Σ_{v∈V_u} Σ_j r_vj

    V_u are the k users of the highest cosine with u; ratings must be above 0. The order
    of items is that of RW with the same k. NaN for an item that no neighbour rated.
    Valcarce et al. 2016; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(50, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log")

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours."""
        positive(train, str(self))
        return _SelectionValue(*_feedback(train, self.k))


@storable
@dataclass(frozen=True, eq=False)
class _SelectionValue(Feedback):
    def weigh(self, sums: Floats, users: Codes) -> Floats:
        return np.asarray(sums / self.sizes[users, None] * (sums / self.masses[users, None]))


@dataclass(frozen=True, eq=False)
class _AgainstAll(Feedback):
    """Feedback held against p(i|C), the share of each item in all ratings."""

    everywhere: Floats

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return super().fits(n_users, n_items) and self.everywhere.shape == (n_items,)


def collection_model(train: Ratings, gamma: float) -> Floats:
    """p(i|C) = (Σ_v r_vi + γ) / (Σ_v Σ_j r_vj + γ·|I|), the share of each item in all ratings."""
    masses = np.bincount(train.items, train.values, minlength=train.n_items) + gamma
    return np.asarray(masses / masses.sum())


@option("recommender", "CHI2", aliases=("chi-squared",))
@dataclass(frozen=True, kw_only=True)
class ChiSquared(Recommender):
    """How far an item's share among the nearest users is from its share among all, squared.

        s(u, i) = (p(i|V_u) − p(i|C))² / p(i|C)
        p(i|V_u) = Σ_{v∈V_u} r_vi / Σ_{v∈V_u} Σ_j r_vj
        p(i|C) = (Σ_v r_vi + γ) / (Σ_v Σ_j r_vj + γ·|I|)

    V_u are the k users of the highest cosine with u; ratings must be above 0. Without γ
    an item that one neighbour alone rated is ranked first, its p(i|C) being so small.
    NaN for an item that no neighbour rated. Valcarce et al. 2016; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    gamma: float = parameter(
        5000.0,
        "Mass γ added to every item, in rating units. The default suits MovieLens 1M.",
        at_least=0,
        tune="10..20000, log",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours, and each item's share in all ratings."""
        positive(train, str(self))
        everywhere = collection_model(train, self.gamma)
        return _SquaredDifference(*_feedback(train, self.k), everywhere)


@storable
@dataclass(frozen=True, eq=False)
class _SquaredDifference(_AgainstAll):
    def weigh(self, sums: Floats, users: Codes) -> Floats:
        difference = sums / self.masses[users, None] - self.everywhere
        return np.asarray(difference * difference / self.everywhere)


@option("recommender", "KLD", aliases=("Kullback-Leibler",))
@dataclass(frozen=True, kw_only=True)
class KullbackLeibler(Recommender):
    """What an item adds to the divergence between the nearest users' ratings and all ratings.

        s(u, i) = p(i|V_u)·log(p(i|V_u) / p(i|C))
        p(i|V_u) = Σ_{v∈V_u} r_vi / Σ_{v∈V_u} Σ_j r_vj
        p(i|C) = (Σ_v r_vi + γ) / (Σ_v Σ_j r_vj + γ·|I|)

    V_u are the k users of the highest cosine with u; ratings must be above 0. γ keeps
    rare items from being ranked first for their rarity alone. NaN for an item that no
    neighbour rated. Valcarce et al. 2016; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    gamma: float = parameter(
        5000.0,
        "Mass γ added to every item, in rating units. The default suits MovieLens 1M.",
        at_least=0,
        tune="10..20000, log",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours, and each item's share in all ratings."""
        positive(train, str(self))
        everywhere = collection_model(train, self.gamma)
        return _Divergence(*_feedback(train, self.k), everywhere)


@storable
@dataclass(frozen=True, eq=False)
class _Divergence(_AgainstAll):
    def weigh(self, sums: Floats, users: Codes) -> Floats:
        shares = sums / self.masses[users, None]
        return np.asarray(shares * np.log(shares / self.everywhere))
