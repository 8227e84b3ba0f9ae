"""BPRMF: matrix factorisation that learns to order pairs of items."""

from __future__ import annotations

from math import isqrt
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds, Words
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.bpr import (
    Deal,
    Pace,
    RankingFactors,
    Rated,
    Round,
    by_block,
    climb_block,
    draw_others,
    draw_ratings,
    mark,
)
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor, initial_factors
from cranfield.recommendation.recommenders.training import require_nonempty

_PORTION = 1 << 14
"""Steps that a thread draws at a time."""
_ROUND = 1 << 22
"""Steps at most between one deal of users and items and the next."""
_BLOCK = 1 << 12
"""Steps of a block at least, on average."""
_PARTS = 8
"""Parts at most of users, and of items: so many threads have something to do."""
_OF_EACH = 16
"""Users and items of a part at least."""


@option("recommender", "BPRMF", aliases=("BPR",))
@dataclass(frozen=True, kw_only=True)
class BPRMF(Recommender):
    r"""Bayesian personalised ranking: factors that put rated items above unrated ones.

        max Σ_(u,i,j) ln σ(x̂_ui − x̂_uj) − λ/2·|Θ|²,   x̂_ui = b_i + x_u·y_i

    over triples in which u rated i and not j. Each epoch takes as many stochastic steps
    as there are ratings; a step draws a rating (u, i), either any rating alike or any user
    alike and then one of the user's ratings, and an unrated item j uniformly.
    The learning rate falls linearly to a tenth over the epochs. Factors are in single precision.

    Users and items are dealt out to as many parts at random, anew for each epoch, and j is of
    the part of i. Steps are taken block by block, a block being a part of the users and a part
    of the items: threads step in blocks that share neither, so that the result depends on the
    seed alone (Gemulla et al. 2011). Ratings count by being there. Not computable for a user
    or an item without training ratings. Rendle et al. 2009, Fig. 4; valcarce2020 §5.3.
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
        "users",
        "What every step draws uniformly: a rating, or a user and then one of the user's ratings. "
        "The latter ranked better on MovieLens 1M and Gowalla, each with its best rate.",
    )
    bias_regularisation: float = parameter(0.01, "λ of the biases of items.", at_least=0)

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Climb the criterion, epoch by epoch."""
        train = require_nonempty(train, str(self))
        model = RankingFactors(
            initial_factors(seeds, "users", (train.n_users, self.factors), 0.1).astype(np.float32),
            initial_factors(seeds, "items", (train.n_items, self.factors), 0.1).astype(np.float32),
            np.zeros(train.n_items, np.float32),
        )
        users = np.unique(train.users) if self.draw == "users" else train.users
        given = mark(by_user(train))
        for epoch in track(range(self.epochs), str(self), self.epochs):
            for steps in chunks(len(train), _ROUND):
                deal = _deal(train, seeds.child("parts", epoch=epoch, start=steps.start), steps)
                key = np.uint64(seeds.key("steps", epoch=epoch))
                drawn = _drawn(key, steps, users, given, deal)
                _climb(drawn, model, self._pace(epoch))
        ones = np.ones((train.n_users, 1))
        return FactorPredictor.of(
            train,
            np.hstack([model.users, ones]),
            np.hstack([model.items, model.biases[:, np.newaxis]]).astype(np.float64),
        )

    def _pace(self, epoch: int) -> Pace:
        rate = self.rate * (1.0 - 0.9 * epoch / self.epochs)
        decay = self.regularisation
        return Pace(rate, decay, decay, decay, self.bias_regularisation)


def _drawn(key: np.uint64, steps: slice, users: Codes, given: Rated, deal: Deal) -> Round:
    """The steps of one round, of which there are fewer in the last round of an epoch."""
    size = steps.stop - steps.start
    blocks = (len(deal.starts) - 1) ** 2
    triples = np.empty((size, 3), np.int32)
    bounds = np.empty((-(-size // _PORTION), blocks + 1), np.int32)

    def draw_portion(part: slice) -> None:
        drawn = np.empty((part.stop - part.start, 3), np.int32)
        first = steps.start + part.start
        draw_ratings(key, first, users, given.side, drawn)
        draw_others(key, first, given, deal, drawn)
        by_block(drawn, deal, triples[part], bounds[part.start // _PORTION])

    for _ in in_threads(draw_portion, chunks(size, _PORTION)):
        pass
    return Round(triples, bounds, _PORTION)


def _deal(train: Ratings, seeds: Seeds, steps: slice) -> Deal:
    """Users and items dealt out at random, to as many parts as so many steps are worth."""
    known = np.flatnonzero(train.item_counts).astype(np.int32)
    fewest = min(int(np.count_nonzero(train.user_counts)), len(known))
    parts = int(
        max(1, min(_PARTS, isqrt((steps.stop - steps.start) // _BLOCK), fewest // _OF_EACH))
    )
    of_users = _parts_of(seeds.words("users", size=train.n_users), parts)
    among_known = _parts_of(seeds.words("items", size=len(known)), parts)
    of_items = np.zeros(train.n_items, np.int32)
    of_items[known] = among_known
    order = np.argsort(among_known, kind="stable")
    return Deal(of_users, of_items, known[order], offsets_of(np.bincount(among_known)))


def _parts_of(words: Words, parts: int) -> Codes:
    """Parts of almost equal size, by the order of random words."""
    found = np.empty(len(words), np.int32)
    found[np.argsort(words, kind="stable")] = np.arange(len(words)) * parts // len(words)
    return found


def _climb(steps: Round, model: RankingFactors, pace: Pace) -> None:
    """Take the steps stratum by stratum, the blocks of a stratum side by side."""
    blocks = steps.bounds.shape[1] - 1
    for stratum in chunks(blocks, isqrt(blocks)):
        parts = range(stratum.start, stratum.stop)
        for _ in in_threads(lambda block: climb_block(block, steps, model, pace), parts):
            pass
