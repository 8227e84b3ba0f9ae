"""PureSVD: the truncated singular value decomposition of the ratings, zeros included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse.linalg

from cranfield.base.blas import one_blas_thread
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
        """One row per item."""
        smaller = min(matrix.shape)
        if self.factors >= smaller:
            return np.linalg.svd(matrix.toarray(), full_matrices=False)[2].T
        if not matrix.data.any():  # no vector to start from leads anywhere
            return np.zeros((matrix.shape[1], self.factors))
        start = seeds.stream("start").normal(size=smaller)
        vectors = scipy.sparse.linalg.svds(matrix, k=self.factors, v0=start)[2]
        return np.asarray(vectors.T)
