"""A comparison in which items are a random sample too, not users alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

import numpy as np

from cranfield.significance.comparison import Comparison, Pair
from cranfield.significance.correction import adjust_families
from cranfield.significance.effect_size import (
    MeanDifference,
    interval_of,
    smallest_detectable,
    student_p,
)

Differences = Mapping[tuple[str, str, str], MeanDifference]
"""By metric, first and second system: their difference with users and items at random."""


def with_random_items(made: Comparison, differences: Differences) -> Comparison:
    """The same comparison, tested by Student's t with standard errors over users and items.

    Effects and wins stay those of users. What users alone would tell of equivalence and of
    the number of users needed is not known of both, and left out.
    """
    choice, found = made.choice, [_difference(pair, differences) for pair in made.pairs]
    size = (len(made.metrics), len(made.pairs) // max(len(made.metrics), 1))
    p_values = np.array([student_p(each) for each in found]).reshape(size)
    adjusted = adjust_families(choice.correction, p_values, choice.family).ravel()
    pairs = []
    for pair, each, value in zip(made.pairs, found, adjusted.tolist(), strict=True):
        ends = interval_of(each)
        pairs.append(
            replace(
                pair,
                low=ends.low,
                high=ends.high,
                statistic=each.statistic,
                p_value=student_p(each),
                p_error=0.0,
                adjusted=value,
                significant=value < choice.alpha,
                believed_first=nan,
                believed_equivalent=nan,
                believed_second=nan,
                equivalence_p=nan,
                detectable=smallest_detectable(each, choice.alpha, choice.power),
                users_needed=nan,
            )
        )
    return replace(made, pairs=tuple(pairs), choice=replace(choice, random="users-and-items"))


def _difference(pair: Pair, differences: Differences) -> MeanDifference:
    """The difference of a pair, whichever of both comes first."""
    known = differences.get((pair.metric, pair.first, pair.second))
    other = known or differences[pair.metric, pair.second, pair.first]
    return replace(other, mean=pair.difference)
