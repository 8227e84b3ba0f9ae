"""BPRMF: matrix factorisation that learns to order pairs of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.bpr import Pace, RankingFactors, Triples, climb, draw
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor, initial_factors
from cranfield.recommendation.recommenders.training import require_nonempty

_STEPS = 1 << 14
"""Steps that are drawn at a time, while those before them are taken."""


@option("recommender", "BPRMF", aliases=("BPR",))
@dataclass(frozen=True, kw_only=True)
class BPRMF(Recommender):
    r"""Bayesian personalised ranking: factors that put rated items above unrated ones.

        max Σ_(u,i,j) ln σ(x̂_ui − x̂_uj) − λ/2·|Θ|²,   x̂_ui = b_i + x_u·y_i

    over triples in which u rated i and not j. Each epoch takes as many stochastic steps
    as there are ratings; a step draws a rating (u, i), either any rating alike or any user
    alike and then one of the user's ratings, and an unrated item j uniformly.
    The learning rate falls linearly to a tenth over the epochs. Steps are drawn ahead of
    time but taken one after another, so that the result depends on the seed alone. Ratings
    count by being there. Not computable for a user or an item without training ratings.
    Rendle et al. 2009, Fig. 4; valcarce2020 §5.3.
    """

    factors: int = parameter(100, "Number of factors, at least 1.", at_least=1, tune="20..200, log")
    epochs: int = parameter(
        130, "Passes, of one step per training rating.", at_least=1, tune="50..200"
    )
    rate: float = parameter(
        0.05, "Learning rate of the first epoch.", above=0, tune="0.01..0.2, log"
    )
    regularisation: float = parameter(
        0.012,
        "λ of the factors of users and of items. The default suits MovieLens 1M.",
        at_least=0,
        aliases=("lambda",),
        tune="0.001..0.1, log",
    )
    draw: Literal["ratings", "users"] = parameter(
        "users", "What every step draws uniformly: a rating, or a user and then a rating."
    )
    bias_regularisation: float = parameter(0.01, "λ of the biases of items.", at_least=0)

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Climb the criterion, epoch by epoch."""
        train = require_nonempty(train, str(self))
        model = RankingFactors(
            initial_factors(seeds, "users", (train.n_users, self.factors), 0.1),
            initial_factors(seeds, "items", (train.n_items, self.factors), 0.1),
            np.zeros(train.n_items),
        )
        known = np.flatnonzero(train.item_counts).astype(np.int32)
        side = by_user(train)
        users = np.unique(train.users) if self.draw == "users" else train.users

        def draw_part(part: tuple[int, slice]) -> tuple[int, Triples]:
            epoch, steps = part
            triples = np.empty((steps.stop - steps.start, 3), np.int32)
            key = np.uint64(seeds.key("steps", epoch=epoch))
            draw(key, steps.start, users, side, known, triples)
            return epoch, triples

        epochs = track(range(self.epochs), str(self), self.epochs)
        parts = ((epoch, steps) for epoch in epochs for steps in chunks(len(train), _STEPS))
        for epoch, triples in in_threads(draw_part, parts):
            climb(triples, model, self._pace(epoch))
        ones = np.ones((train.n_users, 1))
        return FactorPredictor.of(
            train,
            np.hstack([model.users, ones]),
            np.hstack([model.items, model.biases[:, np.newaxis]]),
        )

    def _pace(self, epoch: int) -> Pace:
        rate = self.rate * (1.0 - 0.9 * epoch / self.epochs)
        decay = self.regularisation
        return Pace(rate, decay, decay, decay, self.bias_regularisation)
