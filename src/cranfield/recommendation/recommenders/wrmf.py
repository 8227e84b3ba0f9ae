"""WRMF and MF: matrix factorisation for implicit feedback, by alternating least squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.conjugate_gradients import (
    TOGETHER,
    WeightedRows,
    approach_rows,
)
from cranfield.recommendation.kernels.weighted_ridge import gram, solve_rows
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor, initial_factors
from cranfield.recommendation.recommenders.training import (
    AutoFloat,
    number_of,
    positive,
    typical_rating,
)

_PARTS = 16
"""Parts of the rows, each solved by one thread."""
_STEPS = 3
"""Steps of conjugate gradients towards each row's solution, every time it is solved for."""

Array = npt.NDArray[Any]
Solver = Callable[[Array, Array], None]
"""Given the factors of the other side, changes those of one side in place."""

_ALPHA, _LAMBDA = 4.0, 60.0
"""Confidence gained by a median rating and λ, where ratings differ: tuned on MovieLens 1M."""
_IMPLICIT_ALPHA, _PER_RATING = 20.0, 0.45
"""The same where all are alike, λ for each rating of a mean user: of Gowalla and CiteULike."""


@option("recommender", "WRMF", aliases=("HKV", "iALS"))
@dataclass(frozen=True, kw_only=True)
class WRMF(Recommender):
    r"""Weighted matrix factorisation: every unrated pair is a weak zero, a rating a firm one.

        min Σ_ui c_ui·(p_ui − x_u·y_i)² + λ·(Σ_u |x_u|² + Σ_i |y_i|²),   c_ui = 1 + α·r_ui

    p_ui is 1 where u rated i and 0 elsewhere, where r_ui is 0, too. With
    ``preference=rating`` p_ui is r_ui itself, as in the HKV of RankSys: then a low rating
    is also a low preference. Alternates between the solutions for all users and for all items,

        x_u = (YᵀY + Yᵀ(C_u − I)Y + λI)⁻¹ Yᵀ C_u p_u,

    and predicts x_u·y_i. ``auto`` suits the training ratings, whose median is m: α is 4/m,
    1 on most scales from 1 to 5, and λ is 60. Where all ratings are alike, α is 20/m and λ is
    0.45·n, n being the mean number of ratings of a user. ``solver=cg`` takes three steps of
    conjugate gradients from the last solution towards the next, in single precision;
    ``solver=exact`` solves in double precision each time, which takes several times as long
    and ranks no better. Not computable for a user or an item without training ratings.
    Hu, Koren & Volinsky 2008, eqs 3–5; conjugate gradients: Takács, Pilászy & Tikk 2011, §4;
    valcarce2020 §5.3.
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
    iterations: int = parameter(
        15, "Iterations, each of which solves for users and items.", at_least=1
    )
    binarised: bool = parameter(False, "Whether every rating counts as 1.")
    preference: Literal["one", "rating"] = parameter(
        "one", "p of a rated pair: 1, or its rating as in RankSys."
    )
    solver: Literal["cg", "exact"] = parameter(
        "cg", "Conjugate gradients in single precision, or an exact solution in double."
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
        make = self._exact if self.solver == "exact" else self._approaching
        users, items = (make(side) for side in (by_user(train), by_item(train)))
        y = initial_factors(seeds, "items", (train.n_items, self.factors), 0.1)
        y[train.item_counts == 0] = 0.0
        y = y.astype(np.float64 if self.solver == "exact" else np.float32, copy=False)
        x = np.zeros((train.n_users, self.factors), y.dtype)
        with one_blas_thread():
            for _ in track(range(self.iterations), str(self), self.iterations):
                users(y, x)
                items(x, y)
            users(y, x)
        return FactorPredictor.of(train, x.astype(np.float64), y.astype(np.float64))

    def _terms(self, side: CSR) -> tuple[Floats, Floats]:
        """What the normal equations take of each rating: α·r, and confidence times preference."""
        gained = float(self.alpha) * side.values
        return gained, (1 + gained) * side.values if self.preference == "rating" else 1 + gained

    def _exact(self, side: CSR) -> Solver:
        """What finds the best factors of one side, given those of the other."""
        gained, pulls = self._terms(side)
        weighted = side._replace(values=gained)

        def solve(others: Array, out: Array) -> None:
            base = gram(others) + float(self.regularisation) * np.eye(self.factors)
            _in_rows(
                lambda rows: solve_rows(rows.start, rows.stop, weighted, pulls, others, base, out),
                side.size,
            )

        return solve

    def _approaching(self, side: CSR) -> Solver:
        """What takes steps towards them."""
        extras, pulls = (terms.astype(np.float32) for terms in self._terms(side))
        weighted = WeightedRows(side.offsets, side.places, extras, pulls)

        def solve(others: Array, out: Array) -> None:
            base = others.T @ others
            base[np.diag_indices_from(base)] += np.float32(float(self.regularisation))
            _in_rows(
                lambda rows: approach_rows(
                    rows.start, rows.stop, weighted, others, base, _STEPS, out
                ),
                side.size,
            )

        return solve


def _in_rows(work: Callable[[slice], None], size: int) -> None:
    """Work on some rows at a time, in threads; which rows go together does not depend on them."""
    most = -(-size // (_PARTS * TOGETHER)) * TOGETHER
    for _ in in_threads(work, chunks(size, max(most, TOGETHER))):
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
    iterations: int = parameter(
        20, "Iterations, each of which solves for users and items.", at_least=1
    )
