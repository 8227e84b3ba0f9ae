"""Gain: how much a rating is worth."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnmappableRating
from cranfield.base.options import contract

Floats = npt.NDArray[np.float64]

LARGEST_EXPONENT = 1000
"""Beyond this, powers of two no longer fit a number."""


@dataclass(frozen=True)
class RatingScale:
    """How ratings are read: the lowest and highest there are, and the threshold τ."""

    lowest: float
    highest: float
    relevance: float


@contract("gain")
class Gain(Protocol):
    """How much a rating is worth (decision C2)."""

    reads_relevance: ClassVar[bool] = False
    """Whether the threshold of relevance matters, and not only the rating."""

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """The gain of each rating; never negative, and never falling as ratings rise."""
        ...


def check_at_least(ratings: Floats, least: float, gain: str) -> None:
    """Refuse ratings whose gain would be negative."""
    if len(ratings) and ratings.min() < least:
        raise UnmappableRating(gain, float(ratings.min()), f"ratings of at least {least:g}")


def check_highest(scale: RatingScale, above: float, gain: str) -> None:
    """Refuse scales whose highest rating leaves nothing to divide by, or overflows."""
    if not above < scale.highest <= LARGEST_EXPONENT:
        wanted = f"a highest rating above {above:g} and at most {LARGEST_EXPONENT}"
        raise UnmappableRating(gain, scale.highest, wanted)
