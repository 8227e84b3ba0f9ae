"""HT: how soon a random walk from an item comes to the user."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import scipy.sparse.csgraph

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.hitting_time import times_everywhere, times_nearby
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.training import positive

_MOST_STEPS = 10_000
"""Walks that are cut off later than this would not end."""


@option("recommender", "HT")
@dataclass(frozen=True, kw_only=True)
class HittingTime(Recommender):
    r"""Hitting time: items from which a random walk over ratings soon meets the user.

        h_0 = 0,   h_t(n) = 1 + Σ_m p(n→m)·h_(t−1)(m),   h_t(u) = 0,   r̂_ui = −h_τ(i)

    on the graph that joins users and items by ratings, p(n→m) = r_nm/Σ_k r_nk. The walk
    is cut off after τ steps and stays among the nodes that a breadth-first search from the
    user meets before it has ``most_items`` items; other items are not computable, and
    neither is any item for a user without training ratings. Meant for the long tail: an
    item with few users, of which u's neighbours are a large share, is near. The walks are
    made for each user when asked for, which takes τ passes over the ratings that the search
    meets.
    Yin et al. 2012, eq. 3 and Algorithm 1; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    steps: int = parameter(
        15,
        "τ: steps after which the walk is cut off.",
        at_least=1,
        at_most=_MOST_STEPS,
        tune="3..15",
    )
    most_items: int = parameter(
        6000, "μ: how many items the search around a user visits.", at_least=1, aliases=("mu",)
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")

    def fit(self, train: Ratings, seeds: Seeds) -> Nearby | Everywhere:
        """Find what hangs together; the walks come when they are asked for."""
        train = positive(train, str(self), binarised=self.binarised)
        users, items = by_user(train), by_item(train)
        if np.count_nonzero(train.item_counts) > self.most_items:
            return Nearby(users, items, self.most_items, self.steps)
        return Everywhere(_moves(users), _moves(items), self.steps, *_components(train))


@storable
@dataclass(frozen=True, eq=False)
class Nearby(Predictor):
    """Predicts minus the truncated hitting time among the items that a search meets."""

    users: CSR
    items: CSR
    most_items: int
    steps: int

    def predict(self, users: Codes) -> Floats:
        """Walk from every item near each user; NaN for items beyond reach."""
        users = user_codes(users, self.users.size)
        times = np.empty((len(users), self.items.size))
        times_nearby(users, self.users, self.items, self.most_items, self.steps, times)
        return -times

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return _graph_fits(self.users, self.items, n_users, n_items, self.steps)


@storable
@dataclass(frozen=True, eq=False)
class Everywhere(Predictor):
    """Predicts the same on the whole graph, which the search would meet anyway."""

    users: CSR
    items: CSR
    steps: int
    user_components: Codes
    item_components: Codes

    def predict(self, users: Codes) -> Floats:
        """Walk from every item; NaN for items from which no walk leads to the user."""
        users = user_codes(users, self.users.size)
        times = np.empty((len(users), self.items.size))
        times_everywhere(users, self.users, self.items, self.steps, times)
        apart = self.user_components[users][:, np.newaxis] != self.item_components
        return np.where(apart, np.nan, -times)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            _graph_fits(self.users, self.items, n_users, n_items, self.steps)
            and self.user_components.shape == (n_users,)
            and self.item_components.shape == (n_items,)
        )


def _graph_fits(users: CSR, items: CSR, n_users: int, n_items: int, steps: int) -> bool:
    fits = rows_fit(users, n_users, n_items) and rows_fit(items, n_items, n_users)
    return fits and 1 <= steps <= _MOST_STEPS


def _moves(side: CSR) -> CSR:
    """The side with the probabilities of moving along its entries as values."""
    totals = np.add.reduceat(np.append(side.values, 0.0), side.offsets[:-1])
    return side._replace(values=side.values / np.repeat(totals, np.diff(side.offsets)))


def _components(train: Ratings) -> tuple[Codes, Codes]:
    """The number of the part of the graph that each user and each item belongs to."""
    nodes = train.n_users + train.n_items
    edges = np.ones(len(train)), (train.users, train.n_users + train.items)
    graph = scipy.sparse.coo_array(edges, shape=(nodes, nodes))
    labels = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
    return labels[: train.n_users], labels[train.n_users :]
