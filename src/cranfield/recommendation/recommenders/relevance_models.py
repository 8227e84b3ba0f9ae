"""RM1 and RM2: relevance models of users, estimated from their neighbours."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.neighbours import Rows
from cranfield.recommendation.kernels.relevance_models import first_model, second_model
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.neighbours import cosine_neighbours, profiles
from cranfield.recommendation.recommenders.smoothing import (
    Additive,
    JelinekMercer,
    Smoothing,
)
from cranfield.recommendation.recommenders.training import positive


@option("recommender", "RM1")
@dataclass(frozen=True, kw_only=True)
class RM1(Recommender):
    """Items that those neighbours like whose models make the user's whole profile likely.

        s(u, i) ∝ Σ_{v∈V_u} p(v)·p(i|v)·Π_{j∈I_u} p(j|v)

    V_u are the k users of the highest cosine with u, p(v) is the same for all of them,
    and p(i|v) is smoothed. The factors are scaled to sum to 1 over a user's neighbours.
    Ratings must be above 0. NaN for items without training ratings and for users
    without neighbours. Parapar et al. 2013; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    smoothing: Smoothing = parameter(
        JelinekMercer(lambda_=0.9),
        "How p(i|v) is smoothed.",
        tune="jelinek-mercer(tune), dirichlet(tune), additive(tune)",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours, and every user's model."""
        positive(train, str(self))
        return _First(*_estimated(train, self.k, self.smoothing))


@option("recommender", "RM2")
@dataclass(frozen=True, kw_only=True)
class RM2(Recommender):
    """Items that go with each single item of the user's profile, in the neighbours' models.

        s(u, i) = log p(i) + Σ_{j∈I_u} log Σ_{v∈V_u} p(v)·p(i|v)·p(j|v)/p(i)

    V_u are the k users of the highest cosine with u, p(v) = 1/|V_u|, and p(i|v) is
    smoothed. p(i) is the share of item i in the collection as the smoothing has it, or
    the same for all items. Ratings must be above 0. NaN for items without training
    ratings and for users without neighbours. Parapar et al. 2013; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        100, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    smoothing: Smoothing = parameter(
        Additive(gamma=0.01),
        "How p(i|v) is smoothed. The default suits MovieLens 1M.",
        tune="jelinek-mercer(tune), dirichlet(tune), additive(tune)",
    )
    prior: Literal["collection", "uniform"] = parameter(
        "uniform",
        "p(i): the item's share in the collection, or the same for all items.",
        tune="[uniform, collection]",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours, and every user's model."""
        positive(train, str(self))
        neighbours, seen, share, background = _estimated(train, self.k, self.smoothing)
        rated = background > 0
        uniform = rated / np.count_nonzero(rated)
        prior = background if self.prior == "collection" else uniform
        return _Second(neighbours, seen, share, background, prior)


def _estimated(train: Ratings, k: int, smoothing: Smoothing) -> tuple[Rows, Rows, Floats, Floats]:
    """Neighbours by cosine, what is seen in each profile, and the rest of its models."""
    rows = profiles(train)
    models = smoothing.smooth(rows, train.n_items)
    neighbours, seen = cosine_neighbours(rows, train.n_items, k), profiles(train, models.seen)
    return neighbours, seen, models.share, models.background


@storable
@dataclass(frozen=True, eq=False)
class _First:
    neighbours: Rows
    seen: Rows
    share: Floats
    background: Floats

    def predict(self, users: Codes) -> Floats:
        """Predictions of some users."""
        share, background = self.share, self.background
        out = np.empty((len(users), len(background)))
        asked = user_codes(users, len(share))
        first_model(asked, self.neighbours, self.seen, share, background, out)
        return out

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            rows_fit(self.neighbours, n_users, n_users)
            and rows_fit(self.seen, n_users, n_items)
            and self.share.shape == (n_users,)
            and self.background.shape == (n_items,)
        )


@storable
@dataclass(frozen=True, eq=False)
class _Second(_First):
    prior: Floats

    def predict(self, users: Codes) -> Floats:
        """Predictions of some users."""
        share, background = self.share, self.background
        out = np.empty((len(users), len(background)))
        asked = user_codes(users, len(share))
        second_model(asked, self.neighbours, self.seen, share, background, out)
        sizes = np.diff(self.seen[0])[asked, None]
        known = background > 0
        prior, behind = np.zeros((2, len(known)))
        np.log(self.prior, out=prior, where=known)
        np.log(background, out=behind, where=known)
        return np.asarray(out + prior + sizes * (behind - prior))

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return super().fits(n_users, n_items) and self.prior.shape == (n_items,)
