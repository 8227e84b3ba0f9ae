"""LDA: a mixture of topics with Dirichlet priors, by Gibbs sampling."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.kernels.gibbs import Counts, Tokens, assign, sample
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.training import positive


@option("recommender", "LDA")
@dataclass(frozen=True, kw_only=True)
class LDA(Recommender):
    r"""Latent Dirichlet allocation: users are documents, the items they rated their words.

        p(i|u) = Σ_z φ_zi·θ_uz,   θ_u ~ Dirichlet(α),   φ_z ~ Dirichlet(β)

    by collapsed Gibbs sampling: every rating is a token whose topic is drawn anew, given
    all others, from

        p(z) ∝ (n_uz + α)·(n_zi + β)/(n_z + β·|I|).

    A sweep gives θ_uz = (n_uz + α)/(n_u + α·K) and φ_zi = (n_zi + β)/(n_z + β·|I|);
    predictions are Σ_z φ_zi·θ_uz, averaged over every so many of the sweeps after the
    burn-in. The sums are averaged, not θ and φ: topics may change their numbers from sweep
    to sweep. The counts n are sums of ratings, as if an item were mentioned as often as it
    has points, all under one topic (Wilson & Chew 2010); if binarised, numbers of ratings.
    I are the items with training ratings. Not computable for a user or an item without.
    Blei, Ng & Jordan 2003; Griffiths & Steyvers 2004, eqs 5–7; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    topics: int = parameter(
        50, "Number of topics, at least 1.", at_least=1, aliases=("factors",), tune="20..200, log"
    )
    alpha: float = parameter(
        0.3, "α: prior of the topics of a user.", above=0, tune="0.01..10, log"
    )
    beta: float = parameter(0.3, "β: prior of the items of a topic.", above=0, tune="0.01..10, log")
    burn_in: int = parameter(50, "Burn-in sweeps, which are not counted.", at_least=0)
    sweeps: int = parameter(50, "Sweeps after the burn-in, at least 1.", at_least=1)
    every: int = parameter(
        10, "Every how many of these sweeps one is averaged; the last one always is.", at_least=1
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Sweep over all tokens, then average."""
        train = positive(train, str(self), binarised=self.binarised)
        tokens = Tokens(train.users, train.items, train.values, np.zeros(len(train), np.int32))
        shapes = (train.n_users, self.topics), (train.n_items, self.topics), self.topics
        counts = Counts(*(np.zeros(shape) for shape in shapes))
        known = np.count_nonzero(train.item_counts)
        assign(np.uint64(seeds.key("assign")), tokens, counts)
        of_users, of_items = list[Floats](), list[Floats]()
        sweeps = self.burn_in + self.sweeps
        for sweep in track(range(sweeps), str(self), sweeps):
            key = np.uint64(seeds.key("sample", sweep=sweep))
            sample(key, tokens, counts, self.alpha, self.beta, self.beta * known)
            if sweep >= self.burn_in and (sweeps - 1 - sweep) % self.every == 0:
                mixing = counts.users + self.alpha
                of_users.append(mixing / mixing.sum(axis=1, keepdims=True))
                of_items.append((counts.items + self.beta) / (counts.totals + self.beta * known))
        # Side by side, the topics of all these sweeps are so many factors, whose products add up.
        mean = np.hstack(of_users) / len(of_users)
        return FactorPredictor.of(train, mean, np.hstack(of_items))
