"""PLSA: a mixture of topics, by expectation maximisation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.mixture import expected_counts
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.training import positive

_ROWS = 256
"""Rows that a thread works on at a time."""


@option("recommender", "PLSA", aliases=("pLSA",))
@dataclass(frozen=True, kw_only=True)
class PLSA(Recommender):
    r"""Probabilistic latent semantic analysis: users mix topics, topics draw items.

        p(i|u) = Σ_z p(i|z)·p(z|u),   max Σ_(u,i) r_ui·log p(i|u)

    by expectation maximisation:

        p(z|u,i) ∝ (p(i|z)·p(z|u))^β,   p(z|u) ∝ Σ_i r_ui·p(z|u,i),   p(i|z) ∝ Σ_u r_ui·p(z|u,i)

    β below 1 tempers the posterior against overfitting. Predicts p(i|u). Not computable
    for a user or an item without training ratings.
    Hofmann 2004; Hofmann 1999, eqs 3–5 and §3.2 (tempering); valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    topics: int = parameter(
        50, "Number of topics, at least 1.", at_least=1, aliases=("factors",), tune="20..300, log"
    )
    iterations: int = parameter(60, "Steps of expectation maximisation.", at_least=1)
    temper: float = parameter(
        0.9,
        "β: exponent of the posterior; 1 is plain. The default suits MovieLens 1M.",
        above=0,
        at_most=1,
        aliases=("beta",),
        tune="0.5..1.0",
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Expect and maximise from random distributions."""
        train = positive(train, str(self), binarised=self.binarised)
        users, items = by_user(train), by_item(train)
        stream = seeds.stream("topics")
        of_users = _shares(0.5 + stream.random((train.n_users, self.topics)), axis=1)
        of_topics = _shares(0.5 + stream.random((train.n_items, self.topics)), axis=0)
        for _ in track(range(self.iterations), str(self), self.iterations):
            u, i = of_users**self.temper, of_topics**self.temper
            of_users = _shares(_expected(users, u, i), axis=1)
            of_topics = _shares(_expected(items, i, u), axis=0)
        return FactorPredictor.of(train, of_users, of_topics)


def _expected(side: CSR, own: Floats, others: Floats) -> Floats:
    """The expected number of ratings that each row has under each topic."""
    out = np.empty_like(own)

    def expect(rows: slice) -> None:
        expected_counts(rows.start, rows.stop, side, own, others, out)

    for _ in in_threads(expect, chunks(side.size, _ROWS)):
        pass
    return out


def _shares(counts: Floats, axis: int) -> Floats:
    """Counts as shares along an axis; zeros where there is nothing to share."""
    totals = counts.sum(axis=axis, keepdims=True)
    return np.asarray(np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0))
