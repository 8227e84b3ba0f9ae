"""PureSVD: the truncated singular value decomposition of the ratings, zeros included."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse.linalg

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.base.threads import in_threads, thread_count
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.training import require_nonempty

Matrix: TypeAlias = "scipy.sparse.csr_array[np.float64]"

_LEAST = 100_000
"""Ratings that are worth a thread, in a product with a vector."""


@option("recommender", "PureSVD")
@dataclass(frozen=True, kw_only=True)
class PureSVD(Recommender):
    r"""Singular value decomposition of the rating matrix with zeros for what is unrated.

        R ≈ U·Σ·Qᵀ,   r̂_ui = r_u·Q·q_iᵀ

    Q holds the right singular vectors of the largest singular values, r_u is the user's
    row of R. With at least as many factors as the smaller side of R has rows, the
    decomposition is complete. Not computable for a user or an item without training
    ratings. Cremonesi, Koren & Turrin 2010, eqs 4–5; valcarce2020 §5.3.
    """

    factors: int = parameter(
        30,
        "Number of factors, at least 1. The default suits MovieLens 1M.",
        at_least=1,
        tune="5..300, log",
    )

    def fit(self, train: Ratings, seeds: Seeds) -> FactorPredictor:
        """Decompose the matrix, from a random first vector."""
        matrix = require_nonempty(train, str(self)).matrix()
        with one_blas_thread():
            items = self._right_vectors(matrix, seeds)
        return FactorPredictor.of(train, np.asarray(matrix @ items), items)

    def _right_vectors(self, matrix: Matrix, seeds: Seeds) -> Floats:
        """One row per item; none of them tells anything where the singular value is 0.

        The iteration starts anew, by draws of its own, once it has found all there is, so
        that a matrix of no more rank than factors is decomposed as a whole.
        """
        rank = min(np.count_nonzero(np.bincount(codes)) for codes in matrix.nonzero())
        if not matrix.data.any():  # no vector to start from leads anywhere
            return np.zeros((matrix.shape[1], self.factors))
        if self.factors < rank:
            start = seeds.stream("start").normal(size=min(matrix.shape))
            shared = _shared_among_threads(matrix)
            _, values, vectors = scipy.sparse.linalg.svds(shared, k=self.factors, v0=start)
            if not _negligible(values, matrix).any():
                return np.asarray(vectors.T)
        _, values, vectors = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return np.asarray(vectors[~_negligible(values, matrix)][: self.factors].T)


def _shared_among_threads(matrix: Matrix) -> scipy.sparse.linalg.LinearOperator[np.float64]:
    """The matrix, of whose products with a vector each thread computes some rows, as SciPy does."""
    turned = matrix.T
    return scipy.sparse.linalg.LinearOperator(
        matrix.shape,
        dtype=np.float64,
        matvec=partial(_product, _parts(matrix)),
        rmatvec=partial(_product, _parts(turned.tocsr())),
        matmat=matrix.dot,
        rmatmat=turned.dot,
    )


def _parts(matrix: Matrix) -> list[Matrix]:
    """Consecutive rows of about as many ratings, for as many threads as these are worth."""
    count = max(1, min(thread_count(), matrix.nnz // _LEAST))
    ends = np.searchsorted(matrix.indptr, np.linspace(0, matrix.nnz, count + 1)[1:-1]).tolist()
    return [_rows(matrix, *each) for each in pairwise([0, *ends, matrix.shape[0]])]


def _rows(matrix: Matrix, start: int, end: int) -> Matrix:
    """Some rows, where they are: a slice would copy them."""
    first, last = matrix.indptr[[start, end]]
    held = matrix.data[first:last], matrix.indices[first:last]
    shape = end - start, matrix.shape[1]
    return scipy.sparse.csr_array((*held, matrix.indptr[start : end + 1] - first), shape=shape)


def _product(parts: list[Matrix], vector: Floats) -> Floats:
    return np.concatenate(list(in_threads(lambda part: part @ vector, parts)))


def _negligible(values: npt.NDArray[np.floating[Any]], matrix: Matrix) -> npt.NDArray[np.bool_]:
    """Which singular values are 0 but for rounding, as NumPy finds the rank of a matrix."""
    least = float(values.max()) * max(matrix.shape) * float(np.finfo(np.float64).eps)
    return np.asarray(values <= least)
