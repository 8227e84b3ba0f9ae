"""LM-WSR-UB and LM-WSR-IB: weighted sums over neighbours that language models find."""

from __future__ import annotations

from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.neighbours import (
    likelihood_neighbours,
    over_items,
    over_users,
    profiles,
    transposed,
)
from cranfield.recommendation.recommenders.smoothing import JelinekMercer, Smoothing
from cranfield.recommendation.recommenders.training import positive


@option("recommender", "LM-WSR-UB", aliases=("LM-WSR",))
@dataclass(frozen=True, kw_only=True)
class LMWSRUserBased(Recommender):
    """What users rated whose models make the user's ratings likely, weighted by how likely.

        s(u, i) = Σ_{v∈V_u} w(u, v)·r_vi,  w(u, v) = Σ_{j∈I_u} r_uj·log(p(j|v) / (s·p(j|C)))

    p(j|v) is the smoothed model of v, p(j|C) the collection's, s the largest share that
    any user's model leaves to the collection: w is the log-likelihood of u's ratings as
    a query, minus that under a model without any ratings of its own. V_u are the k
    users of the highest w (above 0) who share an item with u. Ratings must be above 0.
    NaN for an item that no neighbour rated. Valcarce et al. 2016; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(
        150, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log"
    )
    smoothing: Smoothing = parameter(
        JelinekMercer(lambda_=0.95),
        "How p(j|v) is smoothed. The default suits MovieLens 1M.",
        tune="jelinek-mercer(lambda=tune(0.8..0.999)), dirichlet(tune)",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every user's neighbours."""
        positive(train, str(self))
        rows = profiles(train)
        models = self.smoothing.smooth(rows, train.n_items)
        return over_users(train, likelihood_neighbours(rows, models, train.n_items, self.k))


@option("recommender", "LM-WSR-IB")
@dataclass(frozen=True, kw_only=True)
class LMWSRItemBased(Recommender):
    """What the user rated whose models make an item's ratings likely, weighted by how likely.

        s(u, i) = Σ_{j∈J_i∩I_u} w(i, j)·r_uj,  w(i, j) = Σ_{v∈U_i} r_vi·log(p(v|j) / (s·p(v|C)))

    As LM-WSR-UB, with the roles of users and items exchanged: p(v|j) is the smoothed
    share of user v in the ratings of item j, and J_i are the k items of the highest w.
    Ratings must be above 0. NaN for an item none of whose neighbours the user rated.
    Valcarce et al. 2016; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    k: int = parameter(50, "The number of neighbours, at least 1.", at_least=1, tune="20..500, log")
    smoothing: Smoothing = parameter(
        JelinekMercer(lambda_=0.99),
        "How p(v|j) is smoothed. The default suits MovieLens 1M.",
        tune="jelinek-mercer(lambda=tune(0.8..0.999)), dirichlet(tune)",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Find every item's neighbours."""
        positive(train, str(self))
        rows = transposed(profiles(train), train.n_items)
        models = self.smoothing.smooth(rows, train.n_users)
        return over_items(train, likelihood_neighbours(rows, models, train.n_users, self.k))
