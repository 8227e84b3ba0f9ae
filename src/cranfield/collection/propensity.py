"""Propensity: how likely it was that a user rated an item, estimated on training alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Protocol
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadPropensity, MissingFacts, shown
from cranfield.base.ids import Codes
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class Propensities(Protocol):
    """How likely pairs of a user and an item were to be rated, users and items by code."""

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """The propensity of each pair, given what the user would say of the item.

        NaN where it is not known; above 0 and at most 1 elsewhere.
        """
        ...

    def relevant_counts(self, relevance: float) -> Counts | None:
        """|R_u| outside training for each user, judged or not; None where nobody knows."""
        return None


@contract("propensity")
class Propensity(Protocol):
    """How likely a rating was to be observed; estimators weight by it."""

    up_to_scale: ClassVar[bool] = True
    """Whether propensities are known but for a common factor."""
    needs_train: ClassVar[bool] = True
    """Whether they are estimated on training ratings."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that propensities depend on besides training ratings."""
        return ()

    def estimate(self, train: Ratings, seeds: Seeds) -> Propensities:
        """The propensities of all pairs, from training ratings alone."""
        ...


@dataclass(frozen=True, eq=False)
class ItemPropensities(Propensities):
    """Propensities that depend on the item alone."""

    by_item: Floats

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """That of each pair's item."""
        found: Floats = self.by_item[items]
        return found


@dataclass(frozen=True)
class Strata:
    """Ranges of propensity of equal width, and what a score within each counts.

    Stratum q holds propensities from ``lowest`` + q·``width`` on.
    """

    lowest: float
    width: float
    shares: tuple[float, ...]

    def of(self, propensities: Floats) -> npt.NDArray[np.int64]:
        """The stratum of each propensity."""
        if not self.width > 0:
            return np.zeros(len(propensities), dtype=np.int64)
        places = np.floor((propensities - self.lowest) / self.width)
        return np.clip(places, 0, len(self.shares) - 1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Weighing:
    """What weighs the judged targets of a collection.

    ``propensities`` by the model that they come from; ``strata`` by the metric, as spelled,
    that is scored within them.
    """

    propensities: Mapping[Propensity, Propensities]
    strata: Mapping[str, Strata] = field(default_factory=dict)


_estimated: WeakKeyDictionary[Ratings, dict[tuple[Propensity, int], Propensities]]
_estimated = WeakKeyDictionary()
"""What was estimated from ratings that are still in memory: every system asks for it."""


def estimate(model: Propensity, train: Ratings, seed: int = 0) -> Propensities:
    """The propensities of a model, estimated once for the same training ratings."""
    if model.needs_train and not len(train):
        raise MissingFacts(f"propensity {model}", "training ratings", "them as train")
    held = _estimated.setdefault(train, {})
    key = model, seed
    if key not in held:
        seeds = Seeds(seed).child("propensity", str(model))
        held[key] = model.estimate(train, seeds)
    return held[key]


def check_propensities(model: object, found: Floats, pair: str = "a test rating") -> Floats:
    """The propensities, unless one is unknown, not above 0, or above 1."""
    wrong = ~((found > 0) & (found <= 1))
    if wrong.any():
        value = float(found[np.flatnonzero(wrong)[0]])
        count = int(np.count_nonzero(wrong))
        raise BadPropensity(str(model), pair, shown(value), count, missing=bool(np.isnan(value)))
    return found
