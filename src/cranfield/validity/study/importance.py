"""Importance: which decisions explain how an outcome varies over designs."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.blas import one_blas_thread
from cranfield.scoring.scores import Floats
from cranfield.significance.samples.samples import ROUNDING
from cranfield.validity.study.designs import (
    DOES_NOT_APPLY,
    Codes,
    DesignFactors,
    Factor,
    factors_of,
)
from cranfield.validity.study.pair_outcomes import PairOutcomes
from cranfield.validity.study.variance_decomposition import VarianceDecomposition, columns_of

_MOST_WORK = 5e9
"""Multiplications up to which all interactions are weighed at once."""


@dataclass(frozen=True)
class OneDecisionPairs:
    """Pairs of designs that differ in one decision alone.

    ``flipped`` of the ``compared`` pairs have different winners; in ``reversed`` ones
    both winners are established.
    """

    compared: int
    flipped: int
    reversed: int


@dataclass(frozen=True, kw_only=True)
class DecisionImportance:
    """What one decision does to an outcome.

    ``share`` is what it adds to R², averaged over all orders of adding decisions;
    ``alone`` is its correlation ratio η², ``unique`` what R² loses without it. ``flips``
    are the pairs of designs that differ in it alone; None where there is no winner.
    """

    decision: str
    answers: int
    share: float
    alone: float
    unique: float
    flips: OneDecisionPairs | None = None


@dataclass(frozen=True)
class Interaction:
    """What two decisions explain together beyond what they add up to."""

    first: str
    second: str
    share: float


@dataclass(frozen=True, kw_only=True)
class Importance:
    """Which decisions explain the variation of an outcome, the one that explains most first.

    ``explained`` is R² of all decisions without interactions: the sum of the shares.
    ``interacting`` is what all pairs of decisions add to it, None if no design could show
    it or there are too many; ``interactions`` are the pairs, strongest first. ``left_out``
    counts the designs in which the outcome is undefined or infinite.
    """

    outcome: str
    designs: int
    left_out: int
    spread: float
    explained: float
    interacting: float | None
    decisions: tuple[DecisionImportance, ...]
    interactions: tuple[Interaction, ...]


def importance_of_effect(pair: PairOutcomes) -> Importance:
    """Which decisions explain the standardised effect of a pair, and which flip its winner.

    Only designs in which both systems have a value can flip it.
    """
    factors, defined = factors_of(pair.designs.decisions), pair.defined
    flips = one_decision_pairs(
        factors.take(defined), pair.winners[defined], pair.established[defined]
    )
    return importance(factors, pair.effects, "standardised effect", flips)


def importance(
    factors: DesignFactors,
    outcome: Floats,
    name: str,
    flips: tuple[OneDecisionPairs, ...] | None = None,
) -> Importance:
    """How much of the variation of an outcome each decision explains.

    It is right for crossed, one-at-a-time and sampled designs: shares always add up to R²
    of the additive model, and equal η² where designs are balanced; see `explained`.
    """
    usable = np.isfinite(outcome)
    usable_factors, values = factors.take(usable), _steadied(outcome[usable])
    with one_blas_thread():
        model = VarianceDecomposition(usable_factors, values)
        found = _decisions(usable_factors, model, flips)
        varies = bool(model.total[0] > 0)
        cells = [_cells(one, two) for one, two in combinations(usable_factors, 2)] if varies else []
        interacting = _all_interactions(usable_factors, cells, values)
        interactions = _interactions(usable_factors, cells, values)
    return Importance(
        outcome=name,
        designs=len(values),
        left_out=len(outcome) - len(values),
        spread=float(values.std()) if len(values) else 0.0,
        explained=float(model.of(tuple(range(len(usable_factors))))[0]),
        interacting=interacting,
        decisions=found,
        interactions=interactions,
    )


def _decisions(
    factors: DesignFactors, model: VarianceDecomposition, flips: tuple[OneDecisionPairs, ...] | None
) -> tuple[DecisionImportance, ...]:
    everything = tuple(range(len(factors)))
    whole = float(model.of(everything)[0])
    rest = [
        float(model.of(tuple(other for other in everything if other != one))[0])
        for one in everything
    ]
    rows = [
        DecisionImportance(
            decision=factor.name,
            answers=len(factor.answers),
            share=max(float(share[0]), 0.0),
            alone=float(alone[0]),
            unique=max(whole - without, 0.0),
            flips=None if flips is None else flips[place],
        )
        for place, (factor, share, alone, without) in enumerate(
            zip(factors, model.shares(), model.alone(), rest, strict=True)
        )
    ]
    return tuple(sorted(rows, key=lambda row: -round(row.share, 12)))


def _steadied(values: Floats) -> Floats:
    """The values; those that vary by rounding alone do not vary."""
    largest = float(np.abs(values).max(initial=0.0))
    steady = len(values) == 0 or float(np.ptp(values)) <= ROUNDING * largest
    return np.zeros(len(values)) if steady else values


def _interactions(
    factors: DesignFactors, cells: list[Factor], values: Floats
) -> tuple[Interaction, ...]:
    """What each pair of decisions explains beyond the sum of its two, the most first."""
    found = []
    for (one, two), cell in zip(combinations(factors, 2), cells, strict=bool(cells)):
        nested = VarianceDecomposition(DesignFactors((one, two, cell), factors.designs), values)
        gained = float((nested.of((0, 1, 2)) - nested.of((0, 1)))[0])
        found.append(Interaction(one.name, two.name, max(gained, 0.0)))
    return tuple(sorted(found, key=lambda pair: -round(pair.share, 12)))


def _cells(one: Factor, two: Factor) -> Factor:
    """The combinations of the answers of two decisions, as one decision.

    It applies where both do.
    """
    applies = one.applies & two.applies
    combined = np.where(applies, one.codes * len(two.answers) + two.codes, -1)
    known, codes = np.unique(combined[applies], return_inverse=True)
    dense = np.full(len(combined), -1, dtype=np.int64)
    dense[applies] = codes
    return Factor(f"{one.name} × {two.name}", tuple(map(float, known)), dense, numeric=True)


def _all_interactions(factors: DesignFactors, cells: list[Factor], values: Floats) -> float | None:
    """What all pairs of decisions add to R²; None where no design could show it."""
    added = [columns_of(factor) for factor in factors]
    paired = [columns_of(cell) for cell in cells]
    width = sum(block.shape[1] for block in (*added, *paired))
    if not paired or len(values) * float(width) ** 2 > _MOST_WORK:
        return None
    centred = values - values.mean()
    additive, few = _fit(np.column_stack(added), centred)
    saturated, many = _fit(np.column_stack([*added, *paired]), centred)
    return max(saturated - additive, 0.0) if many > few else None


def _fit(columns: Floats, centred: Floats) -> tuple[float, int]:
    """R² of least squares on the columns, and their rank."""
    from scipy.linalg import eigh

    gram = columns.T @ columns
    lengths, axes = eigh(gram)
    independent = lengths > lengths[-1] * 1e-9 if len(lengths) else np.zeros(0, bool)
    along = (columns.T @ centred) @ axes[:, independent]
    fitted = float((along * along / lengths[independent]).sum())
    return fitted / float(centred @ centred), int(independent.sum())


def one_decision_pairs(
    factors: DesignFactors, winners: npt.NDArray[np.int64], established: npt.NDArray[np.int64]
) -> tuple[OneDecisionPairs, ...]:
    """For each decision, the pairs of designs between which it alone changes.

    Two designs differ in one decision alone if it applies to both with different answers,
    and every other decision that applies to both has the same answer. One that applies to
    only one of them follows from the decision that changed, as the gain of nDCG does where
    precision takes its place.
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
            apart = _agreeing_pairs(codes, others, (left, right), (winners, established))
            alike = _agreeing_pairs(codes, shared, (left, right), (winners, established))
            # within one group every pair meets twice
            found[place] += (apart - alike) // (2 if one == two else 1)
    return tuple(OneDecisionPairs(*row) for row in found.tolist())


def _agreeing_pairs(
    codes: npt.NDArray[np.int64],
    places: npt.NDArray[np.intp],
    sides: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    outcomes: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
) -> npt.NDArray[np.int64]:
    """The pairs of a design of each side that agree in the decisions at ``places``.

    Counted are all, those with opposite winners and those with opposite established ones.
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
