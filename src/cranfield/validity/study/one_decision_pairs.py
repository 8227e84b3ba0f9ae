"""Neighbours: designs that differ in one decision alone, and whether they disagree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from cranfield.validity.study.factors import DOES_NOT_APPLY, Codes, DesignFactors


@dataclass(frozen=True)
class Neighbours:
    """Pairs of designs that differ in one decision alone.

    ``flipped`` of the ``compared`` pairs have different winners; ``reversed`` have
    different significant winners.
    """

    compared: int
    flipped: int
    reversed: int


def neighbours(
    factors: DesignFactors, winners: npt.NDArray[np.int64], significant: npt.NDArray[np.int64]
) -> tuple[Neighbours, ...]:
    """For each decision, the pairs of designs between which it alone changes.

    Two designs are neighbours in a decision if it applies to both with different answers,
    and every other decision that applies to both has the same answer. One that applies to
    only one of them follows from the decision that changed, as the gain of nDCG does where
    precision is its neighbour.
    """
    codes = np.array([factor.codes for factor in factors]).reshape(len(factors), factors.designs)
    patterns, of_design = np.unique(codes == DOES_NOT_APPLY, axis=1, return_inverse=True)
    groups = [np.flatnonzero(of_design == number) for number in range(patterns.shape[1])]
    found = np.zeros((len(factors), 3), dtype=np.int64)
    for one, two in combinations_with_replacement(range(len(groups)), 2):
        left, right = groups[one], groups[two]
        shared = np.flatnonzero(~patterns[:, one] & ~patterns[:, two])
        for place in shared.tolist():
            others = shared[shared != place]
            apart = _meetings(codes, others, (left, right), (winners, significant))
            alike = _meetings(codes, shared, (left, right), (winners, significant))
            # within one group every pair meets twice
            found[place] += (apart - alike) // (2 if one == two else 1)
    return tuple(Neighbours(*row) for row in found.tolist())


def _meetings(
    codes: npt.NDArray[np.int64],
    places: npt.NDArray[np.intp],
    sides: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    outcomes: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
) -> npt.NDArray[np.int64]:
    """The pairs of a design of each side that agree in some decisions.

    Counted are all, those with opposite winners and those with opposite significant ones.
    """
    left, right = sides
    keys = _keys(codes[np.ix_(places, np.concatenate(sides))])
    size = int(keys.max()) + 1
    mine, theirs = keys[: len(left)], keys[len(left) :]
    counted = [int(np.bincount(mine, minlength=size) @ np.bincount(theirs, minlength=size))]
    for outcome in outcomes:
        won, lost = (
            [np.bincount(key[outcome[side] == sign], minlength=size)
             for key, side in ((mine, left), (theirs, right))]
            for sign in (1, -1)
        )  # fmt: skip
        counted.append(int(won[0] @ lost[1] + lost[0] @ won[1]))
    return np.array(counted, dtype=np.int64)


def _keys(rows: npt.NDArray[np.int64]) -> Codes:
    """A number for each column, the same for equal columns; made dense at every step."""
    keys = np.zeros(rows.shape[1], dtype=np.int64)
    for row in rows:
        keys = np.unique(keys * (int(row.max()) + 1) + row, return_inverse=True)[1]
    return keys
