"""Gain: how much a rating is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.options import contract

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """How ratings are read: the lowest and highest there are, and the threshold τ."""

    lowest: float
    highest: float
    relevance: float


@contract("gain")
class Gain(Protocol):
    """How much a rating is worth (decision C2)."""

    def of_rating(self, ratings: Floats, scale: Scale) -> Floats:
        """The gain of each rating; never negative, and never falling as ratings rise."""
        ...
