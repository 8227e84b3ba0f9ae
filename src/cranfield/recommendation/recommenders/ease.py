"""EASE: every item as a linear combination of the others, in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import TooLarge
from cranfield.base.ids import Codes
from cranfield.base.machine.memory import free_bytes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import rows_fit
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import CSR, Floats, by_item, by_user
from cranfield.recommendation.kernels.elastic_net import products_with
from cranfield.recommendation.kernels.products import combine_rows
from cranfield.recommendation.recommender import Predictor, Recommender, user_codes
from cranfield.recommendation.recommenders.factors import RatedIds
from cranfield.recommendation.recommenders.inversion import Array, negate_inverse
from cranfield.recommendation.recommenders.training import require_nonempty

_DOUBLE = 12_000
"""Items up to which the matrix is in double precision: in 1.2 GB."""
_ITEMS = 64
"""Items whose inner products a thread works out at a time."""


@option("recommender", "EASE", aliases=("EASE^R", "EASER"))
@dataclass(frozen=True, kw_only=True)
class EASE(Recommender):
    r"""Embarrassingly shallow autoencoder: ridge regression of each item on all the others.

        min_B |X − X·B|² + λ·|B|²  with diag(B) = 0
        P = (XᵀX + λ·I)⁻¹,   B_ij = −P_ij/P_jj (i ≠ j),   r̂_uj = x_u·B_j

    X is the rating matrix with zeros for what is unrated. The inverse is dense by
    definition: it takes 8 bytes × items² for up to 12,000 items, and beyond, in single
    precision, 4 bytes × items² (41,000 items: 6.9 GB). A catalogue of more than ``most_items``,
    or of more than memory holds, is refused. Not computable for a user or an item without
    training ratings. Steck 2019, eqs 1, 7 and 8.
    """

    regularisation: float = parameter(
        500.0,
        "λ: how strongly weights are pulled towards 0. The default suits MovieLens 20M.",
        above=0,
        aliases=("lambda",),
        tune="10..5000, log",
    )
    binarised: bool = parameter(True, "Whether every rating counts as 1.")
    most_items: int | None = parameter(
        None, "Largest catalogue accepted; none: as large as memory allows.", at_least=1
    )

    def bytes_of_fit(self, items: int) -> int:
        """What the matrix of so many items takes, and two columns of its tiles."""
        return _precision(items).itemsize * items * (items + 1024)

    def refuse(self, train: Ratings) -> None:
        """Refuse a catalogue whose matrix would be too large."""
        require_nonempty(train, str(self))
        gigabytes = f"{train.n_items:,} items would take {self._gigabytes(train):.1f} GB of memory"
        if self.most_items is not None and train.n_items > self.most_items:
            remedy = "Raise most_items if there is as much, drop rare items, or choose SLIM"
            raise TooLarge(str(self), gigabytes, remedy)
        free = free_bytes()
        if free is not None and self.bytes_of_fit(train.n_items) > free:
            problem = f"{gigabytes}, and {1e-9 * free:.1f} GB are free"
            raise TooLarge(str(self), problem, "Drop rare items, or choose SLIM")

    def _gigabytes(self, train: Ratings) -> float:
        return 1e-9 * self.bytes_of_fit(train.n_items)

    def fit(self, train: Ratings, seeds: Seeds) -> Dense:
        """Invert the Gram matrix; nothing is random."""
        self.refuse(train)
        users, items = by_user(train), by_item(train)
        if self.binarised:
            ones = np.ones(len(train))
            users, items = users._replace(values=ones), items._replace(values=ones)
        return Dense(users, self._weights(users, items), RatedIds.of(train))

    def _weights(self, users: CSR, items: CSR) -> Array:
        """B, in the memory of the Gram matrix."""
        weights = _gram(users, items)
        weights[np.diag_indices_from(weights)] += self.regularisation
        negate_inverse(weights)
        weights /= -np.diag(weights)
        weights[np.diag_indices_from(weights)] = 0.0
        return weights


def _precision(items: int) -> np.dtype[np.floating[Any]]:
    return np.dtype(np.float64 if items <= _DOUBLE else np.float32)


def _gram(users: CSR, items: CSR) -> Array:
    """The inner products of all items."""
    gram: Array = np.empty((items.size, items.size), _precision(items.size))

    def multiply(part: slice) -> None:
        for item in range(part.start, part.stop):
            products_with(item, items, users, gram[item])

    for _ in in_threads(multiply, chunks(items.size, _ITEMS)):
        pass
    return gram


@storable
@dataclass(frozen=True, eq=False)
class Dense(Predictor):
    """Predicts a user's ratings times a dense items × items matrix."""

    ratings: CSR
    weights: Array
    known: RatedIds

    def predict(self, users: Codes) -> Floats:
        """Weighted sums; NaN for a user or an item without training ratings."""
        users = user_codes(users, self.ratings.size)
        predictions = np.empty((len(users), len(self.weights)))
        combine_rows(users, self.ratings, self.weights, predictions)
        return self.known.mark(users, predictions)

    def fits(self, n_users: int, n_items: int) -> bool:
        """Whether there is something for so many users and items."""
        return (
            rows_fit(self.ratings, n_users, n_items)
            and self.weights.shape == (n_items, n_items)
            and self.weights.dtype == _precision(n_items)
            and self.known.fits(n_users, n_items)
        )
