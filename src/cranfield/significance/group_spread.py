"""Group spread: how far groups of users are apart, and which of them is served worst."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from math import exp, isnan, nan
from statistics import fmean

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.scoring.breakdown import UNKNOWN, Breakdown, BreakdownRow
from cranfield.scoring.summary import CONFIDENCE
from cranfield.significance.group_gaps import welch

_LARGEST = 700.0
"""Logarithms of which the exponential still fits a number."""


@dataclass(frozen=True)
class GroupSpread:
    """How far the groups of one breakdown are apart, by one system and metric.

    ``mad`` is the mean absolute difference over all pairs of groups. ``lowest`` and
    ``highest`` are the groups with these values, ``gap`` the difference of the two and
    ``ratio`` the lower value over the higher. ``p`` is the p-value of no difference between
    any two groups. NaN where something is not known.
    """

    system: str
    metric: str
    groups: int
    mad: float
    lowest: str
    highest: str
    gap: float
    ratio: float
    mad_low: float = nan
    mad_high: float = nan
    gap_low: float = nan
    gap_high: float = nan
    ratio_low: float = nan
    ratio_high: float = nan
    p: float = nan


def group_spreads(breakdown: Breakdown) -> tuple[GroupSpread, ...]:
    r"""The spread of the groups of a breakdown, for each system and metric.

        MAD = 2/(G(G−1)) · Σ_{g<h} |X_g − X_h|,  gap = X_max − X_min,  ratio = X_min/X_max

    X are the values of groups. Every pair is tested by Welch's t test with users as the unit;
    intervals hold for all pairs together with 95 % confidence (Bonferroni), so that the two
    groups may be chosen for being lowest and highest. Those of the MAD have the ends of the
    absolute differences averaged; those of the ratio are of its logarithm (delta method), and
    need values above 0. The p-value is the smallest of all pairs times their number. Groups
    of items have the same users and thus neither intervals nor p-values. Users of an unknown
    group are left out. Nothing with fewer than two groups. Deldjoo et al. 2021.
    """
    cells: dict[tuple[str, str], list[BreakdownRow]] = {}
    for part in breakdown.parts:
        if not isnan(part.value) and part.group != UNKNOWN:
            cells.setdefault((part.system, part.metric), []).append(part)
    return tuple(_spread(parts) for parts in cells.values() if len(parts) > 1)


def spread_table(spreads: tuple[GroupSpread, ...]) -> pl.DataFrame:
    """A table with a row for each spread; what is not known is null."""
    types = {"float": pl.Float64, "int": pl.Int64, "str": pl.String}
    columns = {
        each.name: pl.Series([getattr(row, each.name) for row in spreads], dtype=kind)
        for each in fields(GroupSpread)
        for kind in (types[str(each.type)],)
    }
    return pl.DataFrame(columns).fill_nan(None)


@dataclass(frozen=True)
class _Pair:
    """Two groups: their difference, how far its interval reaches, and its p-value."""

    difference: float
    reach: float
    p: float

    @property
    def distance(self) -> float:
        """How far the two are apart, whichever is higher."""
        return abs(self.difference)


def _spread(parts: list[BreakdownRow]) -> GroupSpread:
    """The spread of the groups of one system and metric."""
    # Of equal values, that of the larger standard error, so that names decide nothing.
    low = min(parts, key=lambda part: (part.value, -part.standard_error))
    others = [part for part in parts if part is not low]
    high = max(others, key=lambda part: (part.value, part.standard_error))
    tested = not any(isnan(part.gap) or isnan(part.standard_error) for part in parts)
    number = len(parts) * (len(parts) - 1) // 2
    pairs = [_pair(one, two, number, tested=tested) for one, two in combinations(parts, 2)]
    widest = _pair(high, low, number, tested=tested)
    ratio = low.value / high.value if low.value >= 0 and high.value > 0 else nan
    reach = nan if not tested or not ratio > 0 else _log_reach(low, high, number)
    return GroupSpread(
        system=low.system,
        metric=low.metric,
        groups=len(parts),
        mad=fmean(each.distance for each in pairs),
        lowest=low.group,
        highest=high.group,
        gap=widest.difference,
        ratio=ratio,
        mad_low=fmean(max(each.distance - each.reach, 0.0) for each in pairs),
        mad_high=fmean(each.distance + each.reach for each in pairs),
        gap_low=widest.difference - widest.reach,
        gap_high=widest.difference + widest.reach,
        ratio_low=ratio * exp(-reach),
        ratio_high=ratio * exp(reach),
        p=min(1.0, number * min(each.p for each in pairs)) if tested else nan,
    )


def _pair(one: BreakdownRow, two: BreakdownRow, pairs: int, *, tested: bool) -> _Pair:
    """The difference of two groups, with an interval that holds for so many pairs together."""
    from scipy.special import stdtr

    difference = one.value - two.value
    error, freedom = welch((one.standard_error, one.users), (two.standard_error, two.users))
    if not tested:
        return _Pair(difference, nan, nan)
    if error == 0:
        return _Pair(difference, 0.0, float(difference == 0))
    p_value = float(2 * stdtr(freedom, -abs(difference) / error))
    return _Pair(difference, _quantile(freedom, pairs) * error, p_value)


def _log_reach(low: BreakdownRow, high: BreakdownRow, pairs: int) -> float:
    """How far the interval of the logarithm of a ratio of two values reaches."""
    relative = [(part.standard_error / part.value, part.users) for part in (low, high)]
    error, freedom = welch(*relative)
    reach = error if isnan(error) or error == 0 else _quantile(freedom, pairs) * error
    return reach if reach < _LARGEST else nan


def _quantile(freedom: float, pairs: int) -> float:
    """The quantile of Student's t for intervals of so many pairs together."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - (1 - CONFIDENCE) / (2 * pairs)))
