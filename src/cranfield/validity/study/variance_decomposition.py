r"""How much of the variation of an outcome decisions explain, alone and together.

    R²(S) = 1 − min_b Σ_d (y_d − ȳ − Σ_{f∈S} x_f(d)·b_f)² / Σ_d (y_d − ȳ)²

x_f(d) holds 1[answer of d = a] − n_a/n_f for each answer a of decision f, n_f being the
designs to which f applies; it is 0 where f does not apply, so that a decision answers for
what its answers change and not for whether it applies (which follows from another one).
R²({f}) is then the correlation ratio η² of the decision.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import DesignFactors, Factor

EXACT = 12
"""Decisions up to which every subset is weighed."""

_ORDERS = 256
"""Orders drawn, with their reverses, where there are more decisions than that."""

_DEPENDENT = 2.0**-26
"""A column with less than this share of its length left is a sum of the others."""


def columns_of(factor: Factor) -> Floats:
    """The centred indicator columns of one decision (designs × answers)."""
    applies = factor.applies
    shown = np.zeros((len(factor.codes), len(factor.answers)))
    shown[np.flatnonzero(applies), factor.codes[applies]] = 1.0
    return shown - np.where(applies[:, None], shown.sum(0) / max(applies.sum(), 1), 0.0)


class VarianceDecomposition:
    """R² of additive models of decisions, from the products of their columns."""

    def __init__(self, factors: DesignFactors, outcome: Floats) -> None:
        blocks = [columns_of(factor) for factor in factors]
        centred = outcome - outcome.mean() if len(outcome) else outcome
        matrix = np.column_stack([centred, *blocks])
        self._gram = matrix.T @ matrix
        ends = 1 + np.cumsum([block.shape[1] for block in blocks], dtype=int)
        starts = [1, *ends[:-1]] if blocks else []
        self._groups = [range(start, end) for start, end in zip(starts, ends, strict=True)]
        self._least = _DEPENDENT * np.maximum(np.diagonal(self._gram), 1.0)

    @property
    def total(self) -> float:
        """The variation of the outcome, Σ (y − ȳ)²."""
        return float(self._gram[0, 0])

    def alone(self) -> Floats:
        """η² of each decision: R² of a model of nothing else."""
        return np.array([self.of((place,)) for place in range(len(self._groups))])

    def of(self, places: tuple[int, ...]) -> float:
        """R² of the model of a subset of the decisions."""
        gram = self._gram
        for place in places:
            gram = self._without(gram, place)
        return self._share(gram)

    def shares(self) -> Floats:
        r"""What each decision adds to R², averaged over all orders of adding them.

            LMG_f = Σ_{S∌f} |S|!·(k − |S| − 1)!/k! · (R²(S ∪ f) − R²(S))

        The shares add up to R² of all decisions; in a balanced cross each is η². k is the
        number of decisions; with more than 12, 256 orders are drawn, and their reverses.
        Lindeman, Merenda & Gold 1980; the Shapley value of R² (Lipovetsky & Conklin 2001).
        """
        count = len(self._groups)
        return self._exact(count) if count <= EXACT else self._drawn(count)

    def _exact(self, count: int) -> Floats:
        of_subset = self._all_subsets()
        subsets = np.arange(2**count)
        sizes = np.array([int(subset).bit_count() for subset in subsets])
        weights = np.array(
            [factorial(size) * factorial(count - size - 1) / factorial(count)
             for size in range(count)]
        )  # fmt: skip
        shares = np.zeros(count)
        for place in range(count):
            without = subsets[subsets >> place & 1 == 0]
            gained = of_subset[without | 1 << place] - of_subset[without]
            shares[place] = weights[sizes[without]] @ gained
        return shares

    def _all_subsets(self) -> Floats:
        """R² of every subset of decisions; bit f of its number is set if f is in."""
        found = np.zeros(2 ** len(self._groups))

        def visit(gram: Floats, subset: int, after: int) -> None:
            found[subset] = self._share(gram)
            for place in range(after, len(self._groups)):
                visit(self._without(gram, place), subset | 1 << place, place + 1)

        visit(self._gram, 0, 0)
        return found

    def _drawn(self, count: int) -> Floats:
        stream = Seeds().stream("importance", decisions=count)
        shares = np.zeros(count)
        for _ in range(_ORDERS):
            drawn = np.argsort(stream.bit_generator.random_raw(count), kind="stable")
            for order in (drawn, drawn[::-1]):
                gram, before = self._gram, 0.0
                for place in order.tolist():
                    gram = self._without(gram, place)
                    now = self._share(gram)
                    shares[place] += now - before
                    before = now
        return shares / (2 * _ORDERS)

    def _without(self, gram: Floats, place: int) -> Floats:
        """The products that are left when one decision has explained all that it can.

        Gauss's elimination, column by column; those that earlier ones already span stay out.
        """
        left = gram.copy()
        for column in self._groups[place]:
            pivot = left[column, column]
            if pivot > self._least[column]:
                left -= np.outer(left[column], left[column]) / pivot
        return left

    def _share(self, gram: Floats) -> float:
        total = self.total
        return float(min(max(1 - gram[0, 0] / total, 0.0), 1.0)) if total > 0 else 0.0
