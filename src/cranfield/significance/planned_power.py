"""Planned power: what so many users can show, before any result is known."""

from __future__ import annotations

from math import nan, sqrt

from cranfield.base.dataclass import dataclass
from cranfield.significance.effect_size import (
    MeanDifference,
    detection_power,
    smallest_detectable,
)


@dataclass(frozen=True, kw_only=True)
class PlannedPower:
    """How likely a difference of a size is to be found, alone and as one of many comparisons.

    ``effect`` is the mean difference in standard deviations of the users' differences, d_z.
    ``power`` is at the level of a single comparison, ``corrected_power`` at the level that
    the smallest of all p-values must reach.
    """

    effect: float
    power: float
    corrected_power: float


def power_of(effect: float, users: int, alpha: float) -> float:
    r"""The probability that a paired two-sided t test of so many users finds an effect.

        detection_power(d_z·√n, n − 1, α)

    NaN for fewer than 2 users. Cohen 1988.

    >>> round(power_of(0.5, 34, 0.05), 3)
    0.808
    """
    return detection_power(effect * sqrt(users), users - 1, alpha) if users > 1 else nan


def detectable_effect(users: int, alpha: float, power: float) -> float:
    r"""The smallest d_z that a paired t test of so many users finds with the power.

    The inverse of `power_of`; NaN for fewer than 2 users.

    >>> round(detectable_effect(34, 0.05, 0.8), 2)
    0.5
    """
    if users < 2:
        return nan
    return smallest_detectable(MeanDifference(0.0, 1 / sqrt(users), users), alpha, power)


def planned_power(effect: float, users: int, alpha: float, comparisons: int) -> PlannedPower:
    """The power for one effect; with m comparisons, the corrected level is α/m.

    That is the level of Bonferroni, and of the smallest p-value by Holm, Hochberg, and
    Benjamini and Hochberg, whose other levels are higher: the power is at least this.
    """
    corrected = alpha / max(comparisons, 1)
    return PlannedPower(
        effect=effect,
        power=power_of(effect, users, alpha),
        corrected_power=power_of(effect, users, corrected),
    )
