"""RankingChoice: how predictions become rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.decisions import decisions, parameter
from cranfield.collection.ratings import Ratings

Ties = Literal["item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected"]
"""How items of equal prediction are ordered: by ascending item id; at random; the highest
rated first or last (the unjudged count as lowest); by descending item id as text, after
rounding predictions to single precision, as trec_eval does; or by item id, with metrics
taking their expected value over all orders."""

Unscored = Literal["drop", "random", "popularity", "average-rating"]
"""What happens to items without a prediction: left out of the list, or appended below the
scored items, at random, by their number of training ratings, or by their mean rating."""


@decisions("ranking")
@dataclass(frozen=True, kw_only=True)
class RankingChoice:
    """How predictions become rankings: ties, items without a prediction, list depth.

    ``depth`` limits the run; hits keep ranks below it, unless the lists are cut.
    """

    ties: Ties = "item-id"
    unscored: Unscored = "drop"
    depth: int = parameter(100, at_least=1)
    seed: int = parameter(0, at_least=0)


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
