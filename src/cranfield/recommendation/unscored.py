"""What happens to items, and to users, without a prediction (NC, decision B2)."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.collection.ratings import Ratings

Unscored = Literal["drop", "random", "popularity", "average-rating"]
"""What happens to items without a prediction: left out of the list, or appended below the
scored items, at random, by their number of training ratings, or by their mean rating."""


def fallback_values(policy: Unscored, train: Ratings) -> npt.NDArray[np.float64]:
    """The value that orders each item without a prediction; NaN goes last of all.

    It only ever orders items among themselves, below every scored one, so its scale
    need not match the predictions'.
    """
    if policy == "popularity":
        return train.item_counts.astype(np.float64)
    if policy == "average-rating":
        total = np.bincount(train.items, weights=train.values, minlength=train.n_items)
        counts = train.item_counts
        return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)
    return np.zeros(train.n_items)
