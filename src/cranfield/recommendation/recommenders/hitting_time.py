"""HT: how soon a random walk from an item comes to the user."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.hitting_time import hitting_times
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.training import positive
from cranfield.recommendation.sides import Floats, Side, by_item, by_user


@option("recommender", "HT")
@dataclass(frozen=True, kw_only=True)
class HittingTime(Recommender):
    r"""Hitting time: items from which a random walk over ratings soon meets the user.

        h_0 = 0,   h_t(n) = 1 + Σ_m p(n→m)·h_(t−1)(m),   h_t(u) = 0,   r̂_ui = −h_τ(i)

    on the graph that joins users and items by ratings, p(n→m) = r_nm/Σ_k r_nk. The walk
    is cut off after τ steps and stays among the nodes that a breadth-first search from the
    user meets before it has ``most_items`` items; other items are not computable, and
    neither is any item for a user without training ratings. Meant for the long tail: an
    item with few users, of which u's neighbours are a large share, is near.
    Yin et al. 2012, eq. 3 and Algorithm 1; valcarce2020 §5.3.
    """

    steps: int = parameter(15, "τ: steps after which the walk is cut off.", at_least=1)
    most_items: int = parameter(
        6000, "μ: items that the search around a user meets.", at_least=1, aliases=("mu",)
    )
    binarised: bool = parameter(False, "Whether every rating counts 1.")

    def fit(self, train: Ratings, seeds: Seeds) -> Walks:  # noqa: ARG002
        """Nothing is learned beforehand."""
        train = positive(train, str(self), binarised=self.binarised)
        return Walks(by_user(train), by_item(train), self)


@dataclass(frozen=True, eq=False)
class Walks(Predictor):
    """Predicts minus the truncated hitting time from each item to the user."""

    users: Side
    items: Side
    option: HittingTime

    def predict(self, users: Codes) -> Floats:
        """Walk from every item near each user; NaN for items beyond reach."""
        times = np.empty((len(users), self.items.size))
        option = self.option
        hitting_times(users, self.users, self.items, option.most_items, option.steps, times)
        return -times
