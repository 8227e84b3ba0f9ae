"""SLIM: every item as a sparse, non-negative combination of the others."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of, rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.elastic_net import (
    Columns,
    Penalty,
    products_with,
    regress_item,
    squares,
)
from cranfield.recommendation.kernels.products import combine_sparse_rows
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.factors import RatedIds
from cranfield.recommendation.recommenders.training import (
    AutoFloat,
    number_of,
    positive,
    typical_rating,
)

_ITEMS = 16
"""Items that a thread regresses at a time."""
_MOST_IN_GRAM = 11_000
"""Items whose inner products are all held, in a GB at most."""


@option("recommender", "SLIM")
@dataclass(frozen=True, kw_only=True)
class SLIM(Recommender):
    r"""Sparse linear method: a non-negative elastic net of each item on all the others.

        min_w ½·|a_j − A·w|² + β/2·|w|² + λ·|w|₁   with w ≥ 0, w_j = 0,   r̂_uj = a_u·w_j

    a_j is item j's column of the rating matrix A (zeros for what is unrated), β is ``l2``
    and λ is ``l1``. Where ratings are multiplied by c, penalties must be by c² for the same
    weights, so that ``auto`` is a multiple of m², m being the median training rating: 10 and
    300 on ratings from 1 to 5 with a median of 4, 0.625 and 18.75 on ratings of 1. Coordinate
    descent: on the inner products of all items, if there are at most 11,000, else on the
    residuals, so that no items × items matrix is held. There an item costs a few passes over
    the ratings of its candidates, so that fewer candidates make a large catalogue quicker to
    fit (200 rather than 1000, say, to tune it). Not computable for a user or an item without
    training ratings.
    Ning & Karypis 2011, eqs 2–5; feature selection (fsSLIM): their §IV-C; valcarce2020 §5.3.
    """

    needs_positive: ClassVar[bool] = True

    l1: AutoFloat = parameter(
        "auto",
        "λ: L1 penalty; more is sparser. auto: ⅝·m² (MovieLens 1M).",
        at_least=0,
        tune="0.1..30, log",
    )
    l2: AutoFloat = parameter(
        "auto",
        "β: L2 penalty. auto: 18¾·m² (MovieLens 1M).",
        above=0,
        tune="5..3000, log",
    )
    candidates: int = parameter(
        1000, "Items that may explain an item: those of largest inner product.", at_least=1
    )
    tolerance: float = parameter(1e-4, "Largest change of a weight at convergence.", above=0)
    rounds: int = parameter(50, "Maximum number of sweeps over the weights of an item.", at_least=1)
    binarised: bool = parameter(False, "Whether every rating counts as 1.")

    def resolve(self, train: Ratings) -> SLIM:
        """The same with the penalties that suit the scale of the training ratings."""
        l1, l2 = self._penalties(positive(train, str(self), binarised=self.binarised))
        return replace(self, l1=l1, l2=l2)

    def _penalties(self, train: Ratings) -> tuple[float, float]:
        """λ and β for ratings as they count."""
        square = typical_rating(train) ** 2
        return number_of(self.l1, 0.625 * square), number_of(self.l2, 18.75 * square)

    def fit(self, train: Ratings, seeds: Seeds) -> Sparse:
        """Regress each item; nothing is random."""
        train = positive(train, str(self), binarised=self.binarised)
        users, items = by_user(train), by_item(train)
        columns = Columns(items, users, squares(items), _gram(items, users))
        penalty = Penalty(*self._penalties(train), self.tolerance, self.rounds, self.candidates)

        def regress(part: slice) -> list[tuple[Codes, Floats]]:
            numbers = range(part.start, part.stop)
            return [regress_item(item, columns, penalty) for item in numbers]

        parts = in_threads(regress, chunks(train.n_items, _ITEMS))
        total = -(-train.n_items // _ITEMS)
        found = [column for part in track(parts, str(self), total) for column in part]
        return Sparse(users, _rows_of(found), RatedIds.of(train))


@storable
@dataclass(frozen=True, eq=False)
class Sparse(Predictor):
    """Predicts a user's ratings times a sparse items × items matrix."""

    ratings: CSR
    weights: CSR
    known: RatedIds

    def predict(self, users: Codes) -> Floats:
        """Weighted sums; NaN for a user or an item without training ratings."""
        users = user_codes(users, self.ratings.size)
        predictions = np.empty((len(users), self.weights.size))
        combine_sparse_rows(users, self.ratings, self.weights, predictions)
        return self.known.mark(users, predictions)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            rows_fit(self.ratings, n_users, n_items)
            and rows_fit(self.weights, n_items, n_items)
            and self.known.fits(n_users, n_items)
        )


def _gram(items: CSR, users: CSR) -> Floats:
    """The inner products of all items; no rows where they would take too much."""
    size = items.size if items.size <= _MOST_IN_GRAM else 0
    gram = np.empty((size, size))

    def multiply(part: slice) -> None:
        for item in range(part.start, part.stop):
            products_with(item, items, users, gram[item])

    for _ in in_threads(multiply, chunks(size, _ITEMS)):
        pass
    return gram


def _rows_of(columns: list[tuple[Codes, Floats]]) -> CSR:
    """The rows of a sparse matrix that is given by its columns."""
    rows = np.concatenate([places for places, _ in columns])
    values = np.concatenate([weights for _, weights in columns])
    lengths = [len(places) for places, _ in columns]
    places = np.repeat(np.arange(len(columns), dtype=np.int32), lengths)
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=len(columns))
    return CSR(offsets_of(counts), places[order], values[order])
