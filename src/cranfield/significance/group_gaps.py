"""Group gaps: whether a group of users is served worse than all others."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan, sqrt

import numpy as np

from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.breakdown import Breakdown, BreakdownRow, Groups
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import CONFIDENCE, Row, SummaryChoice, summarise
from cranfield.significance.correction import adjust_family
from cranfield.significance.corrections.stepwise import Holm


def with_gaps(
    breakdown: Breakdown, scores: Scores, groups: Groups, choice: SummaryChoice | None = None
) -> Breakdown:
    r"""A breakdown by groups of users with the gap of each group to all other users.

        gap = X_g − X_r,  SE² = SE_g² + SE_r²,  ν = SE⁴ ÷ (SE_g⁴/(n_g−1) + SE_r⁴/(n_r−1))

    X_g and X_r are the values of a group and of the rest, SE their standard errors with users
    as the unit, n the users who enter. Groups have different users, so this is Welch's t test
    (Welch 1947). Its p-values are adjusted by Holm over the groups of a system and metric; of
    two groups, each is the rest of the other, and there is one test. For means alone.
    """
    aggregation = (choice or SummaryChoice()).aggregation
    found = groups.of_code[scores.topics.users]
    places = np.unique(found).tolist()
    if len(places) < 2 or not isinstance(aggregation, LinearAggregation):
        return breakdown
    rests = {
        (groups.names[place], row.system, row.metric): row
        for place in places
        for row in summarise(scores.take(found != place), choice).rows
    }
    parts = [_gap(part, rests[part.group, part.system, part.metric]) for part in breakdown.parts]
    return Breakdown(breakdown.name, tuple(_adjusted(parts, len(places))))


def _gap(part: BreakdownRow, rest: Row) -> BreakdownRow:
    """A part with its gap and the p-value of it, not yet adjusted."""
    from scipy.special import stdtr, stdtrit

    gap = part.value - rest.value
    error, freedom = welch((part.standard_error, part.users), (rest.standard_error, rest.users))
    if isnan(gap) or isnan(error):
        return replace(part, gap=gap)
    if error == 0:
        return replace(part, gap=gap, gap_low=gap, gap_high=gap, gap_p=float(gap == 0))
    reach = float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    p_value = float(2 * stdtr(freedom, -abs(gap) / error))
    return replace(part, gap=gap, gap_low=gap - reach, gap_high=gap + reach, gap_p=p_value)


def welch(first: tuple[float, int], second: tuple[float, int]) -> tuple[float, float]:
    """The standard error of the difference of two means, and its degrees of freedom.

    Each is given by its own standard error and its number of users. NaN where one is not
    known; nothing is free where both errors are 0.
    """
    error = sqrt(first[0] ** 2 + second[0] ** 2)
    if isnan(error) or error == 0:
        return error, nan
    return error, 1 / sum((e / error) ** 4 / (n - 1) for e, n in (first, second))


def _adjusted(parts: list[BreakdownRow], groups: int) -> list[BreakdownRow]:
    """The parts with p-values adjusted over the groups of a system and metric."""
    if groups == 2:
        return parts
    families: dict[tuple[str, str], list[int]] = {}
    for place, part in enumerate(parts):
        families.setdefault((part.system, part.metric), []).append(place)
    p_values = np.array([part.gap_p for part in parts]) if parts else np.array([nan])
    for family in families.values():
        p_values[family] = adjust_family(Holm(), p_values[family])
    return [replace(part, gap_p=float(p)) for part, p in zip(parts, p_values, strict=True)]
