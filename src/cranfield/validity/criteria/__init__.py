"""The criteria that ship."""

from __future__ import annotations

from cranfield.validity.criteria.correlation import Correlation
from cranfield.validity.criteria.discriminative_power import DiscriminativePower
from cranfield.validity.criteria.robustness import Robustness

__all__ = ["Correlation", "DiscriminativePower", "Robustness"]
