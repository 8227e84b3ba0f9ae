"""Places of metrics by discriminative power, and how far they depend on the systems."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.meta.p_values import PairwisePValues

_DIGITS = 9
"""Decimals of a sum of p-values: sums that differ by rounding alone are tied."""
_INTERVAL = (0.025, 0.975)
_TOP = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerPlaces:
    """The place of each metric by DP over all systems, and over random subsets of them.

    ``low`` and ``high`` hold 95 % of the places over subsets, ``first`` is the share of the
    subsets in which no metric has a lower DP. ``top`` is the share of DP over all systems
    that its three highest p-values make up (NaN where DP is 0).
    """

    places: Floats
    low: Floats
    high: Floats
    first: Floats
    top: Floats


def places_of(sums: Floats) -> Floats:
    """The place of each metric in each row of DP, the lowest first; tied ones share the best."""
    rounded = np.round(sums, _DIGITS)
    return np.asarray(1.0 + (rounded[..., None, :] < rounded[..., :, None]).sum(axis=-1))


def power_places(given: PairwisePValues, *, subsets: int, share: float, seed: int) -> PowerPlaces:
    """Places over all systems and over subsets of a share of them, two systems at least."""
    drawn = subset_sums(given, draw_subsets(given, subsets, share, seed))
    places = places_of(drawn)
    low, high = np.quantile(places, _INTERVAL, axis=0, method="inverted_cdf")
    sums = given.values.sum(axis=1)
    top = -np.sort(-given.values, axis=1)[:, :_TOP].sum(axis=1)
    return PowerPlaces(
        places=places_of(sums),
        low=low,
        high=high,
        first=(places == 1).mean(axis=0),
        top=np.divide(top, sums, out=np.full_like(sums, np.nan), where=sums > 0),
    )


def draw_subsets(given: PairwisePValues, subsets: int, share: float, seed: int) -> Flags:
    """Which systems, by name, are in each subset (subsets × systems)."""
    count = len(given.systems)
    size = min(count, max(2, round(share * count)))
    stream = Seeds(seed).stream("discriminative-power", "subsets")
    order = stream.permuted(np.tile(np.arange(count), (subsets, 1)), axis=1)
    return np.asarray(order < size)


def subset_sums(given: PairwisePValues, drawn: Flags) -> Floats:
    """DP over the pairs of systems within each subset (subsets × metrics)."""
    number = {name: place for place, name in enumerate(sorted(given.systems))}
    first, second = (np.array([number[pair[side]] for pair in given.pairs]) for side in (0, 1))
    together = drawn[:, first] & drawn[:, second]
    return np.asarray(np.einsum("sp,mp->sm", together.astype(np.float64), given.values))
