"""EASE: every item as a linear combination of the others, in closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from cranfield.base.blas import one_blas_thread
from cranfield.base.errors import TooLarge
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_user
from cranfield.recommendation.kernels.products import combine_rows
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.recommenders.factors import RatedIds
from cranfield.recommendation.recommenders.training import require_nonempty


@option("recommender", "EASE", aliases=("EASE^R", "EASER"))
@dataclass(frozen=True, kw_only=True)
class EASE(Recommender):
    r"""Embarrassingly shallow autoencoder: ridge regression of each item on all the others.

        min_B |X − X·B|² + λ·|B|²  with diag(B) = 0
        P = (XᵀX + λ·I)⁻¹,   B_ij = −P_ij/P_jj (i ≠ j),   r̂_uj = x_u·B_j

    X is the rating matrix with zeros for what is unrated. The inverse is dense by
    definition: it takes up to 20 bytes × items² while fitting, so that a catalogue of more than
    ``most_items`` is refused. Not computable for a user or an item without training
    ratings. Steck 2019, eqs 1, 7 and 8.
    """

    regularisation: float = parameter(
        500.0,
        "λ: how strongly weights are pulled towards 0. The default suits MovieLens 20M.",
        above=0,
        aliases=("lambda",),
        tune="10..5000, log",
    )
    binarised: bool = parameter(True, "Whether every rating counts 1.")
    most_items: int = parameter(
        12_000, "Largest catalogue accepted; 12,000 items take up to 2.9 GB.", at_least=1
    )

    def refuse(self, train: Ratings) -> None:
        """Refuse a catalogue whose matrix would be too large."""
        require_nonempty(train, str(self))
        if train.n_items > self.most_items:
            gigabytes = 20e-9 * train.n_items**2
            raise TooLarge(
                str(self),
                f"{train.n_items:,} items would take {gigabytes:.1f} GB of memory",
                "Raise most_items if there is as much, drop rare items, or choose SLIM",
            )

    def fit(self, train: Ratings, seeds: Seeds) -> Dense:
        """Invert the Gram matrix; nothing is random."""
        self.refuse(train)
        side = by_user(train)
        if self.binarised:
            side = side._replace(values=np.ones(len(train)))
        return Dense(side, self._weights(train, side), RatedIds.of(train))

    def _weights(self, train: Ratings, side: CSR) -> Floats:
        """B, by the Cholesky decomposition of the Gram matrix."""
        matrix = train.matrix()
        matrix.data = side.values
        gram = (matrix.T @ matrix).toarray()
        gram[np.diag_indices_from(gram)] += self.regularisation
        weights = _inverse(gram)
        weights /= -np.diag(weights)
        weights[np.diag_indices_from(weights)] = 0.0
        return weights


@storable
@dataclass(frozen=True, eq=False)
class Dense(Predictor):
    """Predicts a user's ratings times a dense items × items matrix."""

    ratings: CSR
    weights: Floats
    known: RatedIds

    def predict(self, users: Codes) -> Floats:
        """Weighted sums; NaN for a user or an item without training ratings."""
        predictions = np.empty((len(users), len(self.weights)))
        combine_rows(users, self.ratings, self.weights, predictions)
        return self.known.mark(users, predictions)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            rows_fit(self.ratings, n_users, n_items)
            and self.weights.shape == (n_items, n_items)
            and self.known.fits(n_users, n_items)
        )


def _inverse(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive definite matrix, in the memory of the matrix."""
    with one_blas_thread():
        factor, failed = scipy.linalg.lapack.dpotrf(matrix.T, lower=1, overwrite_a=1)
        assert not failed
        inverse, failed = scipy.linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)
        assert not failed
    # LAPACK works on the transpose, so its lower triangle is the upper one here.
    whole = np.ascontiguousarray(inverse.T)
    for row in range(1, len(whole)):
        whole[row, :row] = whole[:row, row]
    return whole
