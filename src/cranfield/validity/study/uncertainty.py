"""Uncertainty: how much of what is said about designs is up to the users who were drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.ragged import frozen
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Flags, Floats
from cranfield.significance.resampling import rows_of_blocks
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.study.designs import DesignFactors, Designs, factors_of
from cranfield.validity.study.importance import one_decision_pairs
from cranfield.validity.study.variance_decomposition import VarianceDecomposition

RESAMPLES = 1000
"""Resamples of users."""

_FLIPPED = 200
"""Resamples in which pairs of designs are compared, which takes longest."""

CONFIDENCE = 0.95


class BasicInterval(NamedTuple):
    """A basic (reverse-percentile) interval, 95 %."""

    low: float
    high: float


Lead = Callable[[Floats], Floats]
"""From how often users are drawn (draws × users) to a difference of values, for each draw."""


class DesignSample(NamedTuple):
    """How users move the values of one design.

    ``leads`` tell what the value of each system minus that of the reference is once users
    are drawn again, None for the reference itself. ``users`` are the numbers of those who
    are drawn, ``unit`` is what the effect of the pair is measured in, SE·√U.
    """

    users: Codes
    leads: tuple[Lead | None, ...]
    unit: float


@dataclass(frozen=True, eq=False)
class ResampledDesigns:
    """The designs as observed (row 0) and in every resample of users (resamples × designs).

    ``effects`` are those of the pair, ``taus`` are Kendall's τ with the reference order.
    NaN where a design cannot be resampled.
    """

    effects: Floats
    taus: Floats

    @cached_property
    def known(self) -> Flags:
        """The designs that can be resampled."""
        return np.asarray(np.isfinite(self.effects).all(axis=0))

    def stands_out(self, designs: Flags, sign: int) -> bool:
        """Whether the pair's effect is higher (sign 1) or lower (−1) there than elsewhere.

        It is if the 95 % interval of the difference of mean effects has that sign.
        """
        inside, outside = designs & self.known, ~designs & self.known
        if not inside.any() or not outside.any():
            return False
        apart = self.effects[:, inside].mean(axis=1) - self.effects[:, outside].mean(axis=1)
        return basic_interval(sign * apart).low > 0


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """95 % intervals of what is said about designs, from ``resamples`` resamples of the users.

    ``wins`` and ``losses`` are shares of designs in which the first and the second system
    score more, ``shares`` what decisions explain, ``flips`` shares of the pairs of designs
    that differ in one decision alone and have different winners; ``median_tau`` is that of
    the agreement with the reference order. ``left_out`` designs could not be resampled.
    """

    resamples: int
    left_out: int
    wins: BasicInterval
    losses: BasicInterval
    median_tau: BasicInterval
    shares: dict[str, BasicInterval]
    flips: dict[str, BasicInterval]


def basic_interval(found: Floats, least: float = -np.inf, most: float = np.inf) -> BasicInterval:
    """From 2θ − q_97.5 to 2θ − q_2.5: θ comes first, then its resamples (Davison & Hinkley 1997).

    >>> basic_interval(np.array([2.0, 1.0, 2.0, 3.0, 5.0]), most=3.0)
    BasicInterval(low=-0.85, high=2.925)
    """
    if np.isnan(found).any():
        return BasicInterval(np.nan, np.nan)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found[1:], [tail, 1 - tail])
    low, high = 2 * found[0] - high, 2 * found[0] - low
    return BasicInterval(*(round(float(np.clip(end, least, most)), 12) for end in (low, high)))


def resample(
    samples: Sequence[DesignSample | None],
    pair: tuple[int, int],
    users: int,
    *,
    base: int | None = None,
    resamples: int = RESAMPLES,
    seeds: Seeds | None = None,
) -> ResampledDesigns:
    r"""Draw users with replacement, the same ones in all designs.

        effect* = difference*/(SE·√U)

    SE is that of the observed difference of the ``pair``, U the users of the design. The
    reference order is that of the ``base`` in the same resample or, without one, that by
    mean rank. Efron & Tibshirani 1993, ch. 6 and 13.
    """
    systems = next((len(each.leads) for each in samples if each is not None), 2)
    units = np.array([np.nan if each is None else each.unit for each in samples])
    units[~(units > 0)] = np.nan
    key = np.uint64((seeds or Seeds()).key("designs"))

    def work(block: range) -> Floats:
        counts = _drawn_users(key, block, users)
        leads = np.full((len(block), len(samples), systems), np.nan)
        for place, each in enumerate(samples):
            if each is not None:
                leads[:, place] = _leads(each, counts)
        effects = (leads[:, :, pair[0]] - leads[:, :, pair[1]]) / units
        return np.hstack([effects, _taus(leads, base)])

    found = rows_of_blocks(work, resamples + 1, 2 * users + len(samples) * systems**2)
    return ResampledDesigns(*(frozen(part) for part in np.hsplit(found, 2)))


def _drawn_users(key: np.uint64, block: range, users: int) -> Floats:
    """How often each user is drawn; once in row 0, which leaves the values observed."""
    from cranfield.significance.kernels.drawing import fill_counts

    counts = np.empty((len(block), users))
    fill_counts(key, block.start, counts)
    if block.start == 0:
        counts[0] = 1.0
    return counts


def _leads(sample: DesignSample, counts: Floats) -> Floats:
    """The values of all systems minus that of the reference (draws × systems)."""
    mine = counts[:, sample.users]
    return np.column_stack(
        [np.zeros(len(mine)) if lead is None else lead(mine) for lead in sample.leads]
    )


def _taus(leads: Floats, base: int | None) -> Floats:
    """τ of every design's order with the base's, or with that by mean rank, in each resample."""
    if base is None:
        above = (leads[..., None, :] > leads[..., :, None]).sum(axis=-1)
        reference = -above.sum(axis=1, keepdims=True)
    else:
        reference = leads[:, [base]]
    return tau_b(leads, reference)


def uncertainty_of(designs: Designs, resampled: ResampledDesigns) -> Uncertainty:
    """The intervals of what is said about the designs of a study, each design once."""
    known, effects = resampled.known, resampled.effects
    factors = factors_of(designs.decisions)
    weights = np.ones(len(designs)) if designs.weights is None else designs.weights
    weights = weights[known] / max(weights[known].sum(), np.finfo(float).tiny)
    wins, losses = ((sign * effects[:, known] > 0) @ weights for sign in (1, -1))
    return Uncertainty(
        resamples=len(effects) - 1,
        left_out=int((~known).sum()),
        wins=basic_interval(wins, 0, 1),
        losses=basic_interval(losses, 0, 1),
        median_tau=_median_tau(resampled.taus),
        shares=_by_decision(factors.take(known), effects[:, known], _shares),
        flips=_by_decision(factors.take(known), effects[: _FLIPPED + 1, known], _flipped),
    )


def _median_tau(taus: Floats) -> BasicInterval:
    usable = taus[:, np.isfinite(taus).all(axis=0)]
    return basic_interval(
        np.median(usable, axis=1) if usable.shape[1] else np.full(len(taus), np.nan), -1, 1
    )


def _by_decision(
    factors: DesignFactors, effects: Floats, of: Callable[[DesignFactors, Floats], Floats]
) -> dict[str, BasicInterval]:
    """The interval of a share for each decision."""
    found = of(factors, effects) if factors.designs else np.full((len(factors), 2), np.nan)
    return {
        factor.name: basic_interval(row, 0, 1) for factor, row in zip(factors, found, strict=True)
    }


def _shares(factors: DesignFactors, effects: Floats) -> Floats:
    with one_blas_thread():
        return VarianceDecomposition(factors, effects.T).shares()


def _flipped(factors: DesignFactors, effects: Floats) -> Floats:
    winners = np.sign(effects).astype(np.int64)
    rows = [
        [each.flipped / max(each.compared, 1) for each in one_decision_pairs(factors, row, row)]
        for row in winners
    ]
    return np.array(rows).reshape(len(winners), len(factors)).T
