"""Pair effects: the difference of two systems on every data set, and over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.significance.effect_size import CONFIDENCE
from cranfield.significance.pair import Pair
from cranfield.validity.data_sets.random_effects import Combined, combine


@dataclass(frozen=True, kw_only=True)
class DataSetEffect:
    """The difference of two systems on one data set, first minus second.

    From ``low`` to ``high`` with 95 % confidence; ``error`` is its standard error;
    ``p_value`` and ``significant`` allow for the pairs that were compared on this data set.
    """

    data_set: str
    difference: float
    low: float
    high: float
    error: float
    p_value: float
    significant: bool
    users: int


@dataclass(frozen=True, kw_only=True)
class PairEffects:
    """The difference of two systems by one metric on every data set, and over all of them.

    ``combined`` is None where fewer than two data sets have a difference with a standard
    error. ``sign_p`` is the p-value of the exact sign test over data sets.
    """

    metric: str
    first: str
    second: str
    effects: tuple[DataSetEffect, ...]
    combined: Combined | None
    sign_p: float

    @property
    def ahead(self) -> tuple[DataSetEffect, ...]:
        """The data sets on which the first scores more."""
        return tuple(each for each in self.effects if each.difference > 0)

    @property
    def behind(self) -> tuple[DataSetEffect, ...]:
        """The data sets on which the second scores more."""
        return tuple(each for each in self.effects if each.difference < 0)


def pair_effects(
    metric: str, names: tuple[str, str], found: Mapping[str, Iterable[Pair]]
) -> PairEffects:
    """The effects of a pair, given what was compared on each data set."""
    effects = [
        each
        for data_set, pairs in found.items()
        for each in _of_pair(data_set, metric, names, pairs)
    ]
    return PairEffects(
        metric=metric,
        first=names[0],
        second=names[1],
        effects=tuple(effects),
        combined=_combined(effects),
        sign_p=_sign_p(effects),
    )


def _of_pair(
    data_set: str, metric: str, names: tuple[str, str], pairs: Iterable[Pair]
) -> list[DataSetEffect]:
    for pair in pairs:
        if pair.metric == metric and {pair.first, pair.second} == set(names):
            sign = 1 if pair.first == names[0] else -1
            ends = sorted((sign * pair.low, sign * pair.high))
            made = DataSetEffect(
                data_set=data_set,
                difference=sign * pair.difference,
                low=ends[0],
                high=ends[1],
                error=nan,
                p_value=pair.adjusted,
                significant=pair.significant,
                users=pair.users,
            )
            return [replace(made, error=_error(made))]
    return []


def _error(effect: DataSetEffect) -> float:
    """The standard error that an interval of Student's t has come from.

    For values that are no means, whose interval is a bootstrap's, it is an approximation.
    """
    from scipy.special import stdtrit

    if effect.users < 2:
        return nan
    reach = float(stdtrit(effect.users - 1, (1 + CONFIDENCE) / 2))
    return (effect.high - effect.low) / (2 * reach)


def _combined(effects: Sequence[DataSetEffect]) -> Combined | None:
    usable = [each for each in effects if isfinite(each.difference) and each.error > 0]
    if len(usable) < 2:
        return None
    differences = np.array([each.difference for each in usable])
    return combine(differences, np.array([each.error for each in usable]))


def _sign_p(effects: Sequence[DataSetEffect]) -> float:
    """Two-sided, of as many data sets in favour of one system; equal ones are left out."""
    from scipy.stats import binomtest

    signs = np.sign([each.difference for each in effects if isfinite(each.difference)])
    decided = int(np.count_nonzero(signs))
    if not decided:
        return nan
    return float(binomtest(int((signs > 0).sum()), decided).pvalue)
