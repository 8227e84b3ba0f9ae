"""Correction: p-values of many comparisons, adjusted so that α still means what it says."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cranfield.base.options import contract
from cranfield.scoring.scores import Floats


@contract("correction")
class Correction(Protocol):
    """How p-values of one family of comparisons are adjusted (decision D)."""

    def adjust(self, p_values: Floats) -> Floats:
        """The adjusted p-values, in the order given; none is above 1 or NaN."""
        ...


def adjust_family(correction: Correction, p_values: Floats) -> Floats:
    """The adjusted p-values of a family in which some are NaN: those stay, and do not count."""
    known = ~np.isnan(p_values)
    adjusted = np.full(p_values.shape, np.nan)
    adjusted[known] = correction.adjust(p_values[known])
    return adjusted
