"""NNCosNgbr-UB and NNCosNgbr-IB: neighbours' deviations from the baseline, not normalised."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.neighbours import Rows
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.neighbours import (
    AverageOfRows,
    BestOfRows,
    Cosine,
    Over,
    SumOfRows,
    averaged,
    cosine_neighbours,
    over_items,
    over_users,
    profiles,
    transposed,
)
from cranfield.recommendation.recommenders.training import require_nonempty

Counts = npt.NDArray[np.int64]
Among = Literal["all", "rated"]
Deviations = SumOfRows | AverageOfRows | BestOfRows


@storable
@dataclass(frozen=True, eq=False)
class Baseline:
    """What a rating would be without neighbours: b_ui = μ + b_u + b_i; NaN where u or i is new."""

    mean: float
    users: Floats
    items: Floats

    @classmethod
    def of(cls, train: Ratings, damping: float) -> Baseline:
        """The baseline of training ratings, item effects first (Koren 2010).

        b_i = Σ_{u∈U_i} (r_ui − μ)/(λ + |U_i|),  b_u = Σ_{i∈I_u} (r_ui − μ − b_i)/(λ + |I_u|)
        """
        mean = float(train.values.mean())
        items = _damped(train.items, train.values - mean, train.item_counts, damping)
        rest = train.values - mean - items[train.items]
        return cls(mean, _damped(train.users, rest, train.user_counts, damping), items)

    def deviations(self, train: Ratings) -> Floats:
        """r_ui − b_ui of every rating."""
        return train.values - (self.mean + self.users[train.users] + self.items[train.items])


def _damped(codes: Codes, values: Floats, counts: Counts, damping: float) -> Floats:
    """Damped means of the values of each code; NaN for a code without values."""
    sums = np.bincount(codes, values, minlength=len(counts))
    means = np.full(len(counts), np.nan)
    np.divide(sums, counts + damping, out=means, where=counts > 0)
    return means


@storable
@dataclass(frozen=True, eq=False)
class _AboveBaseline:
    """Predicts the baseline plus the neighbours' sum, where there is one."""

    baseline: Baseline
    sums: Deviations

    def predict(self, users: Codes) -> Floats:
        """Baselines and sums of some users."""
        users = user_codes(users, len(self.baseline.users))
        expected = self.baseline.mean + self.baseline.users[users, None] + self.baseline.items
        return np.asarray(expected + np.nan_to_num(self.sums.predict(users)))

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            self.baseline.users.shape == (n_users,)
            and self.baseline.items.shape == (n_items,)
            and self.sums.fits(n_users, n_items)
        )


@dataclass(frozen=True, kw_only=True)
class _NotNormalised:
    """What both kinds of neighbours have in common."""

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    shrinkage: float = parameter(
        100.0, "λ of the similarity, in shared ratings.", at_least=0, tune="1..300, log"
    )
    damping: float = parameter(
        10.0, "λ of the baseline, in ratings.", at_least=0, tune="1..30, log"
    )
    among: Among = parameter(
        "all", "The k nearest of all users or items, or of those that count for an item: rated."
    )
    normalised: bool = parameter(
        False, "Whether the sum is divided by its similarities, so that it predicts a rating."
    )

    def _neighbours(self, rows: Rows, columns: int) -> Rows:
        """The k nearest rows of each row, or all of which the nearest are found by item."""
        every = len(rows[0]) - 1
        k = self.k if self.among == "all" else max(every, 1)
        return cosine_neighbours(rows, columns, k, Cosine(shrinkage=self.shrinkage))

    def _summed(
        self, over: Over, train: Ratings, neighbours: Rows, deviations: Floats
    ) -> Deviations:
        """The neighbours' deviations as they are added to the baseline."""
        if self.among == "rated":
            sums = over(train, neighbours, deviations)
            return BestOfRows(sums, self.k, over is over_items, self.normalised)
        if self.normalised:
            return averaged(over, train, neighbours, deviations)
        return over(train, neighbours, deviations)


@option("recommender", "NNCosNgbr-UB", aliases=("NNCosNgr-UB",))
@dataclass(frozen=True, kw_only=True)
class NNCosUserBased(_NotNormalised, Recommender):
    """The user's baseline for an item, plus the deviations of the nearest users from theirs.

        s(u, i) = b_ui + Σ_{v∈V_u∩U_i} d_uv·(r_vi − b_vi),  d_uv = cos(u, v)·n_uv/(n_uv + λ)
        b_ui = μ + b_u + b_i

    V_u are the k users of the highest d, n_uv the items that both rated, μ the mean
    rating, b_u and b_i the damped effects of user and item. The sum is not divided by
    the similarities, so agreement of many counts. An item that no neighbour rated gets
    its baseline; NaN for users or items without training ratings. Cremonesi et al.
    2010, eq. 4; valcarce2020 §5.3. With ``among=rated`` V_u are, item by item, the k nearest
    of the users who rated it; ``normalised`` divides by Σ d_uv, which gives the rating
    prediction of Koren 2010. ``among=rated`` holds the similarities of all pairs in memory.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours, and the baseline."""
        require_nonempty(train, str(self))
        baseline = Baseline.of(train, self.damping)
        rows = profiles(train)
        neighbours = self._neighbours(rows, train.n_items)
        told = baseline.deviations(train)
        return _AboveBaseline(baseline, self._summed(over_users, train, neighbours, told))


@option("recommender", "NNCosNgbr-IB", aliases=("NNCosNgr-IB", "NNCosNgbr"))
@dataclass(frozen=True, kw_only=True)
class NNCosItemBased(_NotNormalised, Recommender):
    """The user's baseline for an item, plus the user's deviations at the item's nearest items.

        s(u, i) = b_ui + Σ_{j∈J_i∩I_u} d_ij·(r_uj − b_uj),  d_ij = cos(i, j)·n_ij/(n_ij + λ)
        b_ui = μ + b_u + b_i

    J_i are the k items of the highest d, n_ij the users who rated both, μ the mean
    rating, b_u and b_i the damped effects of user and item. The sum is not divided by
    the similarities. An item none of whose neighbours the user rated gets its baseline;
    NaN for users or items without training ratings. Cremonesi et al. 2010, eq. 4, takes
    the k nearest among the items that u rated: ``among=rated``. ``normalised`` divides by
    Σ d_ij, which gives the rating prediction of Koren 2010. valcarce2020 §5.3.
    """

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every item's neighbours, and the baseline."""
        require_nonempty(train, str(self))
        baseline = Baseline.of(train, self.damping)
        rows = transposed(profiles(train), train.n_items)
        neighbours = self._neighbours(rows, train.n_users)
        told = baseline.deviations(train)
        return _AboveBaseline(baseline, self._summed(over_items, train, neighbours, told))
