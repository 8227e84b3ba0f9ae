"""PureSVD: the truncated singular value decomposition of the ratings, zeros included."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse.linalg

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import Floats
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.training import require_nonempty


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

    def _right_vectors(self, matrix: scipy.sparse.csr_array[np.float64], seeds: Seeds) -> Floats:
        """One row per item; none of them tells anything where the singular value is 0.

        The iteration starts anew, by draws of its own, once it has found all there is, so
        that a matrix of no more rank than factors is decomposed as a whole.
        """
        rank = min(np.count_nonzero(np.bincount(codes)) for codes in matrix.nonzero())
        if not matrix.data.any():  # no vector to start from leads anywhere
            return np.zeros((matrix.shape[1], self.factors))
        if self.factors < rank:
            start = seeds.stream("start").normal(size=min(matrix.shape))
            _, values, vectors = scipy.sparse.linalg.svds(matrix, k=self.factors, v0=start)
            if not _negligible(values, matrix).any():
                return np.asarray(vectors.T)
        _, values, vectors = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return np.asarray(vectors[~_negligible(values, matrix)][: self.factors].T)


def _negligible(
    values: npt.NDArray[np.floating[Any]], matrix: scipy.sparse.csr_array[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which singular values are 0 but for rounding, as NumPy finds the rank of a matrix."""
    least = float(values.max()) * max(matrix.shape) * float(np.finfo(np.float64).eps)
    return np.asarray(values <= least)
