"""RankingChoice: how predictions become rankings."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.collection.ratings import Ratings

Ties = Literal["item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected"]
"""How items of equal prediction are ordered: by ascending item id; at random; the highest
rated first or last (the unjudged count as lowest); by descending item id as text, after
rounding predictions to single precision, as trec_eval does; or by item id, with metrics
taking their expected value over all orders."""

Unscored = Literal[
    "drop",
    "random",
    "popularity",
    "average-rating",
    "minimum",
    "merged(by=popularity)",
    "merged(by=average-rating)",
]
"""What happens to items without a prediction: left out of the list; appended below the
scored items, at random, by their number of training ratings, by their mean rating, or all
tied; or merged with the scored items, at the quantile of the user's own predictions that
they reach among all items by one of the two (canamares2020 B2)."""


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
    need not match the predictions'. Where items are merged, it is the quantile, from 0 for
    the lowest of all items to 1 for the highest; equal ones share the middle of theirs.
    """
    if policy.startswith("merged"):
        values = fallback_values(cast(Unscored, policy[len("merged(by=") : -1]), train)
        levels, places, counts = np.unique(
            np.nan_to_num(values, nan=-np.inf), return_inverse=True, return_counts=True
        )
        middles = np.cumsum(counts) - (counts + 1) / 2
        return np.asarray(middles[places] / max(len(values) - 1, 1)) if len(levels) else values
    if policy == "popularity":
        return train.item_counts.astype(np.float64)
    if policy == "average-rating":
        total = np.bincount(train.items, weights=train.values, minlength=train.n_items)
        counts = train.item_counts
        return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)
    return np.zeros(train.n_items)


def quantile_of(ascending: npt.NDArray[np.float64], share: float) -> float:
    """The value that a share of some ascending ones does not exceed, between two if need be.

    Without any value, the share itself, which orders as well.

    >>> quantile_of(np.array([1.0, 2.0, 4.0]), 0.75)
    3.0
    """
    if not len(ascending):
        return share
    place = share * (len(ascending) - 1)
    low = int(place)
    high = min(low + 1, len(ascending) - 1)
    return float(ascending[low] + (ascending[high] - ascending[low]) * (place - low))
