"""The evidence on the order of systems: how designs move it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from cranfield.base.errors import counted
from cranfield.validity.phrases import joined, signed
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.pair_outcomes import PairCounts
from cranfield.validity.study.rank_movement import RankMovement
from cranfield.validity.study.uncertainty import BasicInterval

_NAMED = 3
"""Systems that are named."""


def order_evidence(
    designs: Designs,
    movement: RankMovement,
    pairs: tuple[PairCounts, ...],
    median_tau: BasicInterval | None,
) -> Iterator[str]:
    """Who is first how often, how well orders agree, and which pairs each of the two wins."""
    yield f"{_leaders(designs, movement, _NAMED)}."
    if movement.median_tau is not None and movement.lowest_tau is not None and len(designs) > 1:
        order = "that of the base" if movement.reference == "base" else "that by mean rank"
        yield (
            f"The order of systems agrees with {order} by a median τ of "
            f"{signed(movement.median_tau, '.2f')}{_tau_interval(median_tau)}, at the least "
            f"{signed(movement.lowest_tau, '.2f')}."
        )
    yield _reversed_pairs(pairs)


def _reversed_pairs(pairs: tuple[PairCounts, ...]) -> str:
    """How many pairs each of the two wins somewhere, jointly tested if all pairs were."""
    jointly = all(counts.joint_p is not None for counts in pairs)
    turned = sum(
        counts.established_wins > 0 and counts.established_losses > 0
        if jointly
        else counts.reversed_significantly
        for counts in pairs
    )
    won = f"Of the {len(pairs):,} pairs, {turned:,} {'is' if turned == 1 else 'are'} won"
    if jointly:
        return f"{won} by each of the two in some designs, allowing for all designs and pairs."
    return (
        f"{won} significantly by each of the two in some designs, each tested by itself, which "
        f"allows neither for the number of designs nor of pairs."
    )


def _tau_interval(median_tau: BasicInterval | None) -> str:
    if median_tau is None or isnan(median_tau.low):
        return ""
    low, high = (signed(end, ".2f") for end in median_tau)
    return f" (95 % interval {low} to {high})"


def _leaders(designs: Designs, movement: RankMovement, most: int) -> str:
    """The systems that are first most often."""
    ranked = sorted(movement.systems, key=lambda system: -system.first)
    top = [system for system in ranked[:most] if system.first]
    if not top:
        return f"none of {len(designs.systems)} systems has a value"
    shared = (designs.first.sum(axis=1) > 1).any()
    rest = [f"{system.system} in {system.first:,}" for system in top[1:]]
    opening = (
        f"{top[0].system} is first of {len(designs.systems)} systems in {top[0].first:,} of "
        f"{counted(len(designs), 'design')}{' (ties included)' if shared else ''}"
    )
    return joined([opening, *rest], "and") if len(rest) < 2 else f"{opening}, {joined(rest, 'and')}"
