"""Propensities by Poisson factorisation of who rated what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks
from cranfield.collection.propensity import Floats, Propensities, Propensity
from cranfield.collection.ratings import Ratings

if TYPE_CHECKING:
    import scipy.sparse

_AT_ONCE = 1 << 17
"""Pairs whose factors are multiplied at a time, which bounds their memory."""


@option("propensity", "poisson-factorisation", aliases=("poisson-factorization",))
@dataclass(frozen=True, kw_only=True)
class PoissonFactorisation(Propensity):
    r"""Users and items have exposure factors; a pair is rated if at least one event occurs.

        y_ui ~ Poisson(Σ_k θ_uk·β_ik),  θ_uk, β_ik ~ Gamma(a, a),  p_ui = 1 − exp(−E[θ_u·β_i])

    y_ui is 1 for what is rated in training, else 0. Means are those of the variational
    posterior, in which all factors are independent gammas, after so many rounds of coordinate
    ascent from a start that is drawn. It is the chance to be in training; see `logistic`.
    Gopalan, Hofman & Blei 2015 without their hierarchy; Liang, Charlin & Blei 2016 take it for
    exposure.
    """

    factors: int = parameter(20, "Number of factors.", at_least=1, at_most=1000)
    a: float = parameter(0.3, "Shape and rate of the gamma prior, above 0.", above=0)
    iterations: int = parameter(30, "Iterations of coordinate ascent.", at_least=1)

    def estimate(self, train: Ratings, seeds: Seeds) -> FactorPropensities:
        """By coordinate ascent on the variational bound."""
        stream = seeds.stream("start")
        users, items = (
            _Gammas(
                self.a + 0.1 * stream.random((size, self.factors)),
                np.full(self.factors, self.a + 1.0),
            )
            for size in (train.n_users, train.n_items)
        )
        for _ in range(self.iterations):
            # Both sides see the same allocation of events to factors.
            left, right = users.geometric, items.geometric
            events = _events(train, left, right)
            shapes = self.a + left * (events @ right)
            users = _Gammas(shapes, self.a + items.mean.sum(axis=0))
            left = users.geometric
            events = _events(train, left, right)
            shapes = self.a + right * (events.T @ left)
            items = _Gammas(shapes, self.a + users.mean.sum(axis=0))
        return FactorPropensities(users.mean, items.mean)


@dataclass(frozen=True, eq=False)
class FactorPropensities(Propensities):
    """The chance of at least one event, of which θ_u·β_i are expected."""

    users: Floats
    items: Floats

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """1 − exp(−θ_u·β_i), never 0."""
        expected = _products(self.users, self.items, users, items)
        return np.maximum(-np.expm1(-expected), np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class _Gammas:
    """Independent gamma variables: one row each, with rates by factor."""

    shapes: Floats
    rates: Floats

    @property
    def mean(self) -> Floats:
        """E[x]."""
        return np.asarray(self.shapes / self.rates)

    @property
    def geometric(self) -> Floats:
        """exp(E[ln x])."""
        from scipy.special import psi

        return np.asarray(np.exp(psi(self.shapes)) / self.rates)


def _events(train: Ratings, left: Floats, right: Floats) -> scipy.sparse.csr_matrix:
    """1 over the sum of factors of each pair that is rated: what allocates its event."""
    from scipy.sparse import csr_matrix

    sums = _products(left, right, train.users, train.items)
    shares = 1 / np.maximum(sums, np.finfo(np.float64).tiny)
    shape = train.n_users, train.n_items
    return csr_matrix((shares, train.items, train.user_offsets), shape=shape)


def _products(left: Floats, right: Floats, users: Codes, items: Codes) -> Floats:
    """The product of the factors of each pair."""
    found = np.empty(len(users))
    for some in chunks(len(users), _AT_ONCE):
        found[some] = np.einsum("ij,ij->i", left[users[some]], right[items[some]])
    return found
