"""WRMF and MF: matrix factorisation for implicit feedback, by alternating least squares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.weighted_ridge import gram, solve_rows
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor, initial_factors
from cranfield.recommendation.recommenders.training import (
    AutoFloat,
    number_of,
    positive,
    typical_rating,
)

_ROWS = 128
"""Rows that a thread solves at a time."""


_ALPHA, _LAMBDA = 4.0, 60.0
"""Confidence gained by a median rating and λ, where ratings differ: tuned on MovieLens 1M."""
_IMPLICIT_ALPHA, _PER_RATING = 20.0, 0.45
"""The same where all are alike, λ for each rating of a mean user: of Gowalla and CiteULike."""


class _Entries(NamedTuple):
    """The ratings of one side: α·r of each, and confidence times preference."""

    side: CSR
    pulls: Floats


@option("recommender", "WRMF", aliases=("HKV", "iALS"))
@dataclass(frozen=True, kw_only=True)
class WRMF(Recommender):
    r"""Weighted matrix factorisation: every unrated pair is a weak zero, a rating a firm one.

        min Σ_ui c_ui·(p_ui − x_u·y_i)² + λ·(Σ_u |x_u|² + Σ_i |y_i|²),   c_ui = 1 + α·r_ui

    p_ui is 1 where u rated i and 0 elsewhere, where r_ui is 0, too. With
    ``preference=rating`` p_ui is r_ui itself, as in the HKV of RankSys: then a low rating
    is also a low preference. Alternates between the exact solutions for all users and for
    all items,

        x_u = (YᵀY + Yᵀ(C_u − I)Y + λI)⁻¹ Yᵀ C_u p_u,

    and predicts x_u·y_i. ``auto`` suits the training ratings, whose median is m: α is 4/m,
    1 on most scales from 1 to 5, and λ is 60. Where all ratings are alike, α is 20/m and λ is
    0.45·n, n being the mean number of ratings of a user. Not computable for a user or an item
    without training ratings.
    Hu, Koren & Volinsky 2008, eqs 3–5; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    factors: int = parameter(50, "Number of factors, at least 1.", at_least=1, tune="16..200, log")
    regularisation: AutoFloat = parameter(
        "auto",
        "λ: how strongly factors are pulled towards 0. auto: 60 (MovieLens 1M), or 0.45·n.",
        above=0,
        aliases=("lambda",),
        tune="1.0..300.0, log",
    )
    alpha: AutoFloat = parameter(
        "auto",
        "α: confidence gained per unit of rating. auto: 4/m (MovieLens 1M), or 20/m (Gowalla).",
        at_least=0,
        tune="0.3..60, log",
    )
    iterations: int = parameter(15, "Times that users and items are solved for.", at_least=1)
    binarised: bool = parameter(False, "Whether every rating counts 1.")
    preference: Literal["one", "rating"] = parameter(
        "one", "p of a rated pair: 1, or its rating, as RankSys takes it."
    )

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Alternate between users and items, users first."""
        train = positive(train, str(self), binarised=self.binarised)
        return self.resolve(train)._alternate(train, seeds)

    def resolve(self, train: Ratings) -> WRMF:
        """The same with the confidence and λ that suit the training ratings."""
        train = positive(train, str(self), binarised=self.binarised)
        alike = float(np.ptp(train.values)) == 0.0
        profile = len(train) / np.count_nonzero(train.user_counts)
        gained, pull = (_IMPLICIT_ALPHA, _PER_RATING * profile) if alike else (_ALPHA, _LAMBDA)
        alpha = number_of(self.alpha, gained / typical_rating(train))
        regularisation = number_of(self.regularisation, pull)
        return replace(self, alpha=alpha, regularisation=regularisation)

    def _alternate(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Alternate with numbers for all parameters, from random factors of items."""
        users, items = (self._entries(side) for side in (by_user(train), by_item(train)))
        x = np.zeros((train.n_users, self.factors))
        y = initial_factors(seeds, "items", (train.n_items, self.factors), 0.1)
        y[train.item_counts == 0] = 0.0
        for _ in track(range(self.iterations), str(self), self.iterations):
            self._solve(users, y, x)
            self._solve(items, x, y)
        self._solve(users, y, x)
        return FactorPredictor.of(train, x, y)

    def _entries(self, side: CSR) -> _Entries:
        """What the normal equations take of each rating."""
        gained = float(self.alpha) * side.values
        pulls = (1 + gained) * side.values if self.preference == "rating" else 1 + gained
        return _Entries(side._replace(values=gained), pulls)

    def _solve(self, given: _Entries, others: Floats, out: Floats) -> None:
        """The best factors of one side, given those of the other."""
        base = gram(others) + float(self.regularisation) * np.eye(self.factors)

        def solve(rows: slice) -> None:
            solve_rows(rows.start, rows.stop, given.side, given.pulls, others, base, out)

        for _ in in_threads(solve, chunks(given.side.size, _ROWS)):
            pass


@option("recommender", "MF")
@dataclass(frozen=True, kw_only=True)
class MF(WRMF):
    """Weighted matrix factorisation with the parameters that canamares2020 prints.

    The same as WRMF: 50 factors, λ = 1, α = 0.1, 20 iterations (canamares2020 §3).
    """

    factors: int = parameter(50, "Number of factors, at least 1.", at_least=1, tune="16..200, log")
    regularisation: float = parameter(
        1.0,
        "λ: how strongly factors are pulled towards 0.",
        above=0,
        aliases=("lambda",),
        tune="1.0..300.0, log",
    )
    alpha: float = parameter(
        0.1, "α: confidence gained per unit of rating.", at_least=0, tune="0.3..60, log"
    )
    iterations: int = parameter(20, "Times that users and items are solved for.", at_least=1)
