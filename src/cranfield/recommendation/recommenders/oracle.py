"""Oracle: ranks simulated items by the truth behind them."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import Truth, truth_of
from cranfield.collection.source import Source
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes


@option("recommender", "oracle")
@dataclass(frozen=True, kw_only=True)
class Oracle(Recommender):
    """The true relevance of every item, known because the ratings were simulated.

    Predicts the probability that the user finds the item relevant, whether observed or
    not: no recommender can be expected to do better. Learns nothing; the training ratings
    only say which users and items are asked about. An id that the source does not have is
    not computable. A source of real ratings is refused.
    """

    source: Source = parameter(
        text='The simulated source of the ratings, such as "simulated(size=small)".'
    )

    def fit(self, train: Ratings, seeds: Seeds) -> TrueRelevance:
        """Find the users and items of the training ratings in the truth."""
        truth = truth_of(self.source)
        users = truth.user_ids.encode(train.user_ids.values)
        return TrueRelevance(truth, users, truth.item_ids.encode(train.item_ids.values))


@dataclass(frozen=True, eq=False)
class TrueRelevance(Predictor):
    """Predicts the true relevance; ``users`` and ``items`` are codes of the truth, or −1."""

    truth: Truth
    users: Codes
    items: Codes

    def predict(self, users: Codes) -> Floats:
        """The true relevance; NaN for ids that the truth does not have."""
        asked = self.users[user_codes(users, len(self.users))]
        predictions = self.truth.relevance(asked, self.items)
        predictions[:, self.items < 0] = np.nan
        predictions[asked < 0] = np.nan
        return predictions
