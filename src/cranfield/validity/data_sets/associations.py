"""Associations: how differences relate to traits of data sets; no explanation of them."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.statistics import Statistics
from cranfield.scoring.scores import Floats

TRAITS = {
    "ratings": "ratings",
    "users": "users",
    "items": "items",
    "density": "share of pairs that are rated",
    "skew": "Gini index of ratings over items",
    "positive_share": "share of positive ratings",
}
"""What data sets are described by, as figures and in words."""


@dataclass(frozen=True, kw_only=True)
class Association:
    """One trait of every data set, and Kendall's τ_b of it with the difference; NaN below three."""

    trait: str
    values: tuple[float, ...]
    tau: float


def traits_of(ratings: Ratings, relevance: float) -> dict[str, float]:
    """What one data set is like, as its statistics have it."""
    found = Statistics(ratings, relevance)
    return {
        "ratings": float(found.ratings),
        "users": float(found.users),
        "items": float(found.items),
        "density": found.density,
        "skew": found.per_item.gini,
        "positive_share": found.positive,
    }


def associations(
    traits: Mapping[str, Mapping[str, float]], differences: Mapping[str, float]
) -> tuple[Association, ...]:
    """Each trait against the differences, over the data sets that have one."""
    known = [name for name in traits if np.isfinite(differences.get(name, nan))]
    effects = np.array([differences[name] for name in known])
    made = []
    for trait in TRAITS:
        values = np.array([traits[name][trait] for name in known])
        made.append(
            Association(trait=trait, values=tuple(values.tolist()), tau=_tau(values, effects))
        )
    return tuple(made)


def _tau(values: Floats, effects: Floats) -> float:
    from scipy.stats import kendalltau

    if len(values) < 3 or np.ptp(values) == 0 or np.ptp(effects) == 0:
        return nan
    return float(kendalltau(values, effects).statistic)
