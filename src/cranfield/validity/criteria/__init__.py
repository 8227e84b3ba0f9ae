"""The criteria that ship."""

from __future__ import annotations

from cranfield.validity.criteria.correlation import Correlation
from cranfield.validity.criteria.discriminative_power import DiscriminativePower
from cranfield.validity.criteria.robustness import Robustness
from cranfield.validity.criteria.sampling import Sampling
from cranfield.validity.criteria.stability import Stability
from cranfield.validity.criteria.thinned_power import ThinnedPower

__all__ = [
    "Correlation",
    "DiscriminativePower",
    "Robustness",
    "Sampling",
    "Stability",
    "ThinnedPower",
]
