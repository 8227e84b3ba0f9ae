"""Correction: p-values of many comparisons, adjusted so that α still means what it says."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np

from cranfield.base.options import contract
from cranfield.scoring.scores import Floats

Family = Literal["metric", "all"]
"""What is corrected together: the pairs by one metric, or those by all metrics."""


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


def adjust_families(correction: Correction, p_values: Floats, family: Family = "metric") -> Floats:
    """The adjusted p-values of all pairs by all metrics (metrics × pairs), family by family."""
    if family == "all":
        return adjust_family(correction, p_values.ravel()).reshape(p_values.shape)
    return np.array([adjust_family(correction, each) for each in p_values]).reshape(p_values.shape)
