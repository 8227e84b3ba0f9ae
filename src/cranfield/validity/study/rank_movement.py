"""Rank movement: how far systems change places from design to design."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Floats
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.importance import Importance, importance

Reference = Literal["base", "mean rank"]
"""The order that others are held against: the base's, or that by mean rank over designs."""


@dataclass(frozen=True, kw_only=True)
class SystemRanks:
    """The ranks of one system over all designs in which it has a value, 1 the best.

    Equal systems share a mean rank. ``first`` counts the designs in which no other is
    better. ``reference`` is the rank in the base or, without one, the mean rank over all
    designs, the last where it has no value. All are None for a system without any value.
    """

    system: str
    reference: float | None
    best: float | None
    lower_quartile: float | None
    median: float | None
    upper_quartile: float | None
    worst: float | None
    first: int
    designs: int


@dataclass(frozen=True, eq=False, kw_only=True)
class RankMovement:
    """How the order of systems moves over designs.

    ``taus[d]`` is Kendall's τ-b of the order of design d with the reference order; NaN
    where a value is undefined or all are tied. ``importance`` says which decisions move
    it. Systems come in the reference order.
    """

    reference: Reference
    systems: tuple[SystemRanks, ...]
    taus: Floats
    median_tau: float | None
    lowest_tau: float | None
    same_order: int
    importance: Importance


def rank_movement(designs: Designs) -> RankMovement:
    """The ranks of every system over all designs, and τ of each order with the reference."""
    ranks = np.where(np.isnan(designs.values), np.nan, designs.ranks)
    base = designs.base
    reference = -designs.ranks.mean(axis=0) if base is None else -ranks[base]
    taus = tau_b(-ranks, reference)
    known = taus[~np.isnan(taus)]
    rows = [_system(designs, place, ranks) for place in range(len(designs.systems))]
    order = np.argsort(np.nan_to_num(-reference, nan=np.inf), kind="stable")
    return RankMovement(
        reference="mean rank" if base is None else "base",
        systems=tuple(rows[place] for place in order.tolist()),
        taus=frozen(taus),
        median_tau=float(np.median(known)) if len(known) else None,
        lowest_tau=float(known.min()) if len(known) else None,
        same_order=int(np.count_nonzero(known == 1)),
        importance=importance(factors_of(designs.decisions), taus, "τ with the reference order"),
    )


def _system(designs: Designs, place: int, ranks: Floats) -> SystemRanks:
    mine = ranks[:, place]
    known = mine[~np.isnan(mine)]
    quartiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist() if len(known) else [None] * 5
    best, lower_quartile, median, upper_quartile, worst = quartiles
    if designs.base is None:
        reference = float(designs.ranks[:, place].mean()) if len(known) else None
    else:
        at_base = mine[designs.base]
        reference = None if np.isnan(at_base) else float(at_base)
    return SystemRanks(
        system=designs.systems[place],
        reference=reference,
        best=best,
        lower_quartile=lower_quartile,
        median=median,
        upper_quartile=upper_quartile,
        worst=worst,
        first=int(np.count_nonzero(designs.first[:, place])),
        designs=len(known),
    )
