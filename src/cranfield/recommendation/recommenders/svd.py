"""SVD: biased matrix factorisation of the ratings themselves."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnsuitableRatings
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.biased_sgd import BiasedFactors, Rated, pass_over
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor, initial_factors
from cranfield.recommendation.recommenders.training import require_nonempty


@option("recommender", "SVD")
@dataclass(frozen=True, kw_only=True)
class SVD(Recommender):
    r"""Biased matrix factorisation: predicts the rating that a user would give.

        r̂_ui = μ + b_u + b_i + x_u·y_i
        min Σ_(u,i) (r_ui − r̂_ui)² + λ·(b_u² + b_i² + |x_u|² + |y_i|²)

    over the training ratings alone, by stochastic gradient steps in random order. It
    learns how much items are liked by those who rated them, not which items get rated, so
    that it ranks rarely rated items high and does poorly where unrated items count as not
    relevant. Not computable for a user or an item without training ratings. Steps that
    diverge, as on ratings in hundreds, are refused: lower the rate.
    Koren, Bell & Volinsky 2009, eqs 4–5; Takács et al. 2009, §3.1; valcarce2020 §5.3.
    """

    predicts_ratings: ClassVar[bool] = True

    factors: int = parameter(50, "Number of factors, at least 1.", at_least=1, tune="10..200, log")
    epochs: int = parameter(
        30, "Passes over the training ratings.", at_least=1, tune="10..100, log"
    )
    rate: float = parameter(0.01, "Learning rate.", above=0, tune="0.002..0.05, log")
    regularisation: float = parameter(
        0.05, "λ of factors and biases.", at_least=0, aliases=("lambda",), tune="0.005..0.2, log"
    )

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Descend the squared error, epoch by epoch."""
        train = require_nonempty(train, str(self))
        mean = float(train.values.mean())
        model = BiasedFactors(
            initial_factors(seeds, "users", (train.n_users, self.factors), 0.1),
            initial_factors(seeds, "items", (train.n_items, self.factors), 0.1),
            np.zeros(train.n_users),
            np.zeros(train.n_items),
        )
        rated = Rated(train.users, train.items, train.values - mean)
        for epoch in track(range(self.epochs), str(self), self.epochs):
            order = seeds.stream("order", epoch=epoch).permutation(len(train))
            pass_over(order, rated, model, self.rate, self.regularisation)
        self._refuse_divergence(model, train)
        ones = np.ones(max(train.n_users, train.n_items))
        users = np.column_stack([model.users, ones[: train.n_users], mean + model.user_biases])
        items = np.column_stack([model.items, model.item_biases, ones[: train.n_items]])
        return FactorPredictor.of(train, users, items)

    def _refuse_divergence(self, model: BiasedFactors, train: Ratings) -> None:
        """Refuse a model whose steps grew without end, which would predict nothing."""
        if not all(np.isfinite(part).all() for part in model):
            low, high = train.values.min(), train.values.max()
            problem = (
                f"a lower rate for ratings from {low:g} to {high:g}, on which its steps diverge"
            )
            raise UnsuitableRatings(str(self), problem)
