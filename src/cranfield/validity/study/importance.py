"""Importance: which decisions explain how an outcome varies over designs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield.base.blas import one_blas_thread
from cranfield.scoring.scores import Floats
from cranfield.significance.samples import ROUNDING
from cranfield.validity.study.conclusion import Contest
from cranfield.validity.study.factors import DesignFactors, Factor, factors_of
from cranfield.validity.study.one_decision_pairs import Neighbours, neighbours
from cranfield.validity.study.variance_decomposition import VarianceDecomposition, columns_of

_MOST_WORK = 5e9
"""Multiplications up to which all interactions are weighed at once."""


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
    flips: Neighbours | None = None


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


def importance_of_effect(pair: Contest) -> Importance:
    """Which decisions explain the standardised effect of a pair, and which flip its winner.

    Only designs in which both systems have a value can flip it.
    """
    factors, defined = factors_of(pair.designs.decisions), pair.defined
    flips = neighbours(factors.take(defined), pair.winners[defined], pair.significant[defined])
    return importance(factors, pair.effects, "standardised effect", flips)


def importance(
    factors: DesignFactors,
    outcome: Floats,
    name: str,
    flips: tuple[Neighbours, ...] | None = None,
) -> Importance:
    """How much of the variation of an outcome each decision explains.

    It is right for crossed, one-at-a-time and sampled designs: shares always add up to R²
    of the additive model, and equal η² where designs are balanced; see `explained`.
    """
    usable = np.isfinite(outcome)
    kept, values = factors.take(usable), _steadied(outcome[usable])
    with one_blas_thread():
        model = VarianceDecomposition(kept, values)
        found = _decisions(kept, model, flips)
        varies = model.total > 0
        cells = [_cells(one, two) for one, two in combinations(kept, 2)] if varies else []
        interacting = _all_interactions(kept, cells, values)
        interactions = _interactions(kept, cells, values)
    return Importance(
        outcome=name,
        designs=len(values),
        left_out=len(outcome) - len(values),
        spread=float(values.std()) if len(values) else 0.0,
        explained=model.of(tuple(range(len(kept)))),
        interacting=interacting,
        decisions=found,
        interactions=interactions,
    )


def _decisions(
    factors: DesignFactors, model: VarianceDecomposition, flips: tuple[Neighbours, ...] | None
) -> tuple[DecisionImportance, ...]:
    everything = tuple(range(len(factors)))
    whole = model.of(everything)
    rest = [model.of(tuple(other for other in everything if other != one)) for one in everything]
    rows = [
        DecisionImportance(
            decision=factor.name,
            answers=len(factor.answers),
            share=max(float(share), 0.0),
            alone=float(alone),
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
        gained = nested.of((0, 1, 2)) - nested.of((0, 1))
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
    """R² of least squares on some columns, and their rank."""
    from scipy.linalg import eigh

    gram = columns.T @ columns
    lengths, axes = eigh(gram)
    kept = lengths > lengths[-1] * 1e-9 if len(lengths) else np.zeros(0, bool)
    along = (columns.T @ centred) @ axes[:, kept]
    fitted = float((along * along / lengths[kept]).sum())
    return fitted / float(centred @ centred), int(kept.sum())
