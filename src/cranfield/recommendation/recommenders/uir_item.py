"""UIR-Item: the user-item relevance model, seen from the items."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import offsets_of, rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.co_ratings import Lists, add_lifts
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.neighbours import profiles, transposed
from cranfield.recommendation.recommenders.training import require_nonempty


@option("recommender", "UIR-Item", aliases=("UIR",))
@dataclass(frozen=True, kw_only=True)
class UIRItem(Recommender):
    """How much likelier the user's items are where an item was rated, and how popular it is.

        s(u, i) = Σ_{j∈I_u, c(i,j)>0} log(1 + (1−λ)·p(j|i) / (λ·p(j))) + log p(i)
        p(j|i) = c(i, j)/c(i),  p(i) = c(i)/Σ_j c(j)

    c(i) is the number of users who rated i, c(i, j) of those who rated both. Ratings
    count only as having been given. At λ = 1 the order is that of Popularity. As p(j) is
    a share of all ratings and p(j|i) one of the users of i, their quotient is large, and
    λ must be near 1 for popularity to weigh at all. NaN for users or items without
    training ratings. Wang et al. 2006; valcarce2020 §5.3.
    """

    lambda_: float = parameter(
        0.99999,
        "The collection's share λ in p(j|i). The default suits MovieLens 1M.",
        above=0,
        at_most=1,
        tune="[0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999]",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> Predictor:
        """Count who rated what; pairs of items are counted when they are asked for."""
        require_nonempty(train, str(self))
        offsets, users, _ = transposed(profiles(train), train.n_items)
        odds = (1 - self.lambda_) / self.lambda_
        return _RelevanceModel((train.user_offsets, train.items), (offsets, users), odds)


@storable
@dataclass(frozen=True, eq=False)
class _RelevanceModel:
    """Holds no counts of pairs, which would be items × items: each call counts what it needs."""

    rated: Lists
    raters: Lists
    odds: float

    def predict(self, users: Codes) -> Floats:
        """Predictions of some users."""
        users = user_codes(users, len(self.rated[0]) - 1)
        counts = np.diff(self.raters[0])
        prior = np.full(len(counts), np.nan)
        np.log(counts / counts.sum(), out=prior, where=counts > 0)
        out = np.zeros((len(users), len(counts)))
        add_lifts(self.raters, self.rated, self.odds, self._askers(users), out)
        out += prior
        out[np.diff(self.rated[0])[users] == 0] = np.nan
        return out

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return rows_fit(self.rated, n_users, n_items) and rows_fit(self.raters, n_items, n_users)

    def _askers(self, users: Codes) -> Lists:
        """For each item, the places of those users who rated it."""
        offsets, rated = self.rated
        counts = np.diff(offsets)[users]
        rows = np.repeat(np.arange(len(users), dtype=np.int32), counts)
        first = np.repeat(offsets[users] - offsets_of(counts)[:-1], counts)
        items = rated[first + np.arange(len(rows))]
        order = np.argsort(items, kind="stable")
        return offsets_of(np.bincount(items, minlength=len(self.raters[0]) - 1)), rows[order]
