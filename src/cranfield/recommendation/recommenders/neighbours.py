"""Neighbours: the rows of a matrix that are most like each row, and sums over them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.ragged import frozen, offsets_of, rows_fit
from cranfield.base.storable import storable
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.neighbours import (
    Neighbourhoods,
    Offsets,
    Rows,
    nearest_by_likelihood,
    nearest_by_product,
    sum_best_rows,
    sum_rows,
)
from cranfield.recommendation.recommender import user_codes
from cranfield.recommendation.recommenders.smoothing import Models

_CHUNK = 128
"""Rows whose neighbours are found at a time by one thread."""


def profiles(train: Ratings, values: Floats | None = None) -> Rows:
    """One row per user: the items rated, and the ratings or other values in their place."""
    return train.user_offsets, train.items, train.values if values is None else values


def transposed(rows: Rows, columns: int) -> Rows:
    """One row per column of sparse rows."""
    offsets, codes, values = rows
    shape = (len(offsets) - 1, columns)
    turned = scipy.sparse.csr_array((values, codes, offsets), shape=shape).T.tocsr()
    return turned.indptr.astype(np.int64), turned.indices.astype(np.int32), turned.data


@dataclass(frozen=True, kw_only=True)
class Cosine:
    """How similar two rows are: their cosine, damped, asymmetric or weighted.

        w(a, b) = Σ_c v_c·a_c·b_c / ((Σ_c v_c·a_c²)^α·(Σ_c v_c·b_c²)^(1−α)) · n/(n + shrinkage)

    n is the number of columns that both rows have, and v_c is m_c^−γ, where m_c is the
    number of rows that have column c and γ the ``length_exponent``. With α = ½, γ = 0 and
    without shrinkage it is the plain cosine.
    """

    least_overlap: int = 1
    shrinkage: float = 0.0
    alpha: float = 0.5
    length_exponent: float = 0.0


_PLAIN = Cosine()


def cosine_neighbours(rows: Rows, columns: int, k: int, cosine: Cosine = _PLAIN) -> Rows:
    """The k most similar other rows of each row, by cosine.

    Pairs with fewer than the least overlap, or without a positive cosine, are no
    neighbours. Among equally similar rows the lowest codes win. Neighbours stand in
    ascending order of code.
    """
    offsets, codes, values = rows
    starts, others, weights = transposed(rows, columns)
    lengths = np.diff(starts)
    each = np.maximum(lengths, 1) ** -cosine.length_exponent
    turned = starts, others, weights * np.repeat(each, lengths)
    squares = row_sums(offsets, values * values * each[codes])
    scales = squares**cosine.alpha, squares ** (1 - cosine.alpha)
    known, turned = frozen_rows(rows), frozen_rows(turned)

    def search(first: int, found: Neighbourhoods) -> None:
        least, shrinkage = cosine.least_overlap, cosine.shrinkage
        nearest_by_product(first, known, turned, scales, least, shrinkage, found)

    return _nearest(len(offsets) - 1, k, search)


def product_neighbours(rows: Rows, columns: Rows, scale: Floats, k: int) -> Rows:
    """The k other rows of each row that have the largest products with it.

        w(a, b) = Σ_c a_c·b_c / scale_b

    The values b_c are those of ``columns``, which may differ from those of ``rows``.
    """
    scales, known, turned = (np.ones(len(scale)), scale), frozen_rows(rows), frozen_rows(columns)

    def search(first: int, found: Neighbourhoods) -> None:
        nearest_by_product(first, known, turned, scales, 1, 0.0, found)

    return _nearest(len(scale), k, search)


def likelihood_neighbours(rows: Rows, models: Models, columns: int, k: int) -> Rows:
    """The k other rows whose smoothed models make each row's ratings likeliest.

        w(a, b) = Σ_c a_c·log p(c|b)  −  Σ_c a_c·log(s·p(c|C)),  s = max_b share_b

    The second sum is the likelihood under the model that knows least of its own (only
    the collection, at the largest share that any row gives it), so that weights are
    above 0 for those rows that tell something of a. Rows that share no column with a,
    and weights of 0 or below, are left out.
    """
    offsets, codes, _ = rows
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    gains = np.log1p(models.seen / (models.share[owners] * models.background[codes]))
    known, turned = frozen_rows(rows), frozen_rows(transposed((offsets, codes, gains), columns))
    active = np.diff(offsets) > 0
    biases = np.zeros(len(active))
    biases[active] = np.log(models.share[active] / models.share[active].max())

    def search(first: int, found: Neighbourhoods) -> None:
        nearest_by_likelihood(first, known, turned, biases, found)

    return _nearest(len(active), k, search)


def frozen_rows(rows: Rows) -> Rows:
    """The same rows in arrays that cannot be written, as those of ratings and stored models are.

    Kernels would be compiled for every mixture of both kinds.
    """
    offsets, codes, values = rows
    return frozen(offsets), frozen(codes), frozen(values)


def row_sums(offsets: Offsets, values: Floats) -> Floats:
    """The sum of the values of each row."""
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    sums: Floats = np.bincount(owners, values, minlength=len(offsets) - 1).astype(np.float64)
    return sums


def _nearest(rows: int, k: int, search: Callable[[int, Neighbourhoods], None]) -> Rows:
    """Search in chunks, in threads, and put the findings of all rows together."""
    most = min(k, max(rows - 1, 1))

    def work(part: slice) -> Neighbourhoods:
        size = part.stop - part.start
        found = (
            np.empty((size, most), dtype=np.int32),
            np.empty((size, most)),
            np.zeros(size, dtype=np.int64),
        )
        search(part.start, found)
        kept = np.arange(most) < found[2][:, None]
        return found[0][kept], found[1][kept], found[2]

    parts = list(in_threads(work, chunks(rows, _CHUNK)))
    codes, weights, counts = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return offsets_of(counts), codes, weights


@storable
@dataclass(frozen=True, eq=False)
class SumOfRows:
    """Predicts the weighted sum of table rows that a user's list names; NaN where there is none."""

    lists: Rows
    table: Rows
    n_items: int

    def predict(self, users: Codes) -> Floats:
        """The sums of some users."""
        out = np.empty((len(users), self.n_items))
        lists, table = frozen_rows(self.lists), frozen_rows(self.table)
        chosen = frozen(user_codes(users, len(self.lists[0]) - 1))
        sum_rows(chosen, lists, table, out)
        return out

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        rows = self.table[0].size - 1  # of the users' neighbours, or the items'
        return (
            self.n_items == n_items
            and rows in (n_users, n_items)
            and rows_fit(self.lists, n_users, rows)
            and rows_fit(self.table, rows, n_items)
        )


@storable
@dataclass(frozen=True, eq=False)
class AverageOfRows:
    """Predicts a sum of rows divided by the similarities in it; NaN where there is none."""

    sums: SumOfRows
    similarities: SumOfRows

    def predict(self, users: Codes) -> Floats:
        """The averages of some users."""
        return self.sums.predict(users) / self.similarities.predict(users)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        parts = self.sums, self.similarities
        return all(part.fits(n_users, n_items) for part in parts)


@storable
@dataclass(frozen=True, eq=False)
class BestOfRows:
    """Predicts the sum of the k rows most similar for each item, or their average.

    ``in_table`` says that similarities are the values of the table, not those of the lists.
    """

    rows: SumOfRows
    k: int
    in_table: bool
    averaged: bool

    def predict(self, users: Codes) -> Floats:
        """The sums of some users."""
        lists, table = frozen_rows(self.rows.lists), frozen_rows(self.rows.table)
        out = np.empty((len(users), self.rows.n_items))
        k = min(self.k, max(len(table[0]) - 1, 1))
        chosen = frozen(user_codes(users, len(lists[0]) - 1))
        sum_best_rows(chosen, lists, table, self.in_table, k, self.averaged, out)
        return out

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return self.k >= 1 and self.rows.fits(n_users, n_items)


def over_users(train: Ratings, neighbours: Rows, values: Floats | None = None) -> SumOfRows:
    """Predicts Σ_{v∈V_u} w_uv·r_vi: what a user's neighbours think of an item."""
    return SumOfRows(neighbours, profiles(train, values), train.n_items)


def over_items(train: Ratings, neighbours: Rows, values: Floats | None = None) -> SumOfRows:
    """Predicts Σ_{j∈J_i∩I_u} w_ij·r_uj: what a user thinks of an item's neighbours."""
    return SumOfRows(profiles(train, values), transposed(neighbours, train.n_items), train.n_items)


Over = Callable[[Ratings, Rows, Floats], SumOfRows]
"""Over users or over items: a sum of some values of ratings."""


def summed(over: Over, train: Ratings, neighbours: Rows, values: Floats) -> SumOfRows:
    """The sum of values over users or over items, by similarity."""
    return over(train, neighbours, values)


def averaged(over: Over, train: Ratings, neighbours: Rows, values: Floats) -> AverageOfRows:
    """The same divided by the similarities of what was rated."""
    ones = np.ones(len(train))
    return AverageOfRows(over(train, neighbours, values), over(train, neighbours, ones))
