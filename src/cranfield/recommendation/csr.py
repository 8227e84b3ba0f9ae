"""Sides: the ratings seen from the users, or from the items, as flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.ragged import frozen, offsets_of
from cranfield.base.storable import storable
from cranfield.collection.ratings import Ratings

Floats = npt.NDArray[np.float64]


@storable
class CSR(NamedTuple):
    """A sparse matrix in compressed rows.

    Row r owns the entries ``[offsets[r]:offsets[r+1]]``, in ascending order of their
    places; each place once per row. A named tuple, since kernels can read its fields.
    """

    offsets: npt.NDArray[np.int64]
    places: Codes
    values: Floats

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1


def by_user(train: Ratings) -> CSR:
    """The ratings as one row per user."""
    return CSR(train.user_offsets, train.items, train.values)


def by_item(train: Ratings) -> CSR:
    """The ratings as one row per item."""
    order = np.argsort(train.items, kind="stable")
    # As the arrays of ratings are: kernels would be compiled twice, for both kinds.
    places, values = frozen(train.users[order]), frozen(train.values[order])
    return CSR(offsets_of(train.item_counts), places, values)
