r"""How much of the variation of an outcome decisions explain, alone and together.

    R²(S) = 1 − min_b Σ_d (y_d − ȳ − Σ_{f∈S} x_f(d)·b_f)² / Σ_d (y_d − ȳ)²

x_f(d) holds 1[answer of d = a] − n_a/n_f for each answer a of decision f, n_f being the
designs to which f applies; it is 0 where f does not apply, so that a decision answers for
what its answers change and not for whether it applies (which follows from another one).
R²({f}) is then the correlation ratio η² of the decision.
"""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

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


class _Left(NamedTuple):
    """Products of the columns, of these with the outcomes, and variation not yet explained."""

    gram: Floats
    products: Floats
    unexplained: Floats


class VarianceDecomposition:
    """R² of additive models of decisions, from the products of their columns.

    Of several outcomes (designs × outcomes) each has its own R².
    """

    def __init__(self, factors: DesignFactors, outcomes: Floats) -> None:
        blocks = [columns_of(factor) for factor in factors]
        matrix = np.column_stack([np.empty((len(outcomes), 0)), *blocks])
        columns = outcomes[:, None] if outcomes.ndim == 1 else outcomes
        centred = columns - (columns.mean(axis=0) if len(columns) else 0.0)
        self.total: Floats = (centred * centred).sum(axis=0)
        """The variation of each outcome, Σ (y − ȳ)²."""
        self._whole = _Left(matrix.T @ matrix, matrix.T @ centred, self.total)
        ends = np.cumsum([block.shape[1] for block in blocks], dtype=int)
        starts = [0, *ends[:-1]] if blocks else []
        self._groups = [range(start, end) for start, end in zip(starts, ends, strict=True)]
        self._least = _DEPENDENT * np.maximum(np.diagonal(self._whole.gram), 1.0)

    def alone(self) -> Floats:
        """η² of each decision: R² of a model of nothing else (decisions × outcomes)."""
        return np.array([self.of((place,)) for place in range(len(self._groups))])

    def of(self, places: tuple[int, ...]) -> Floats:
        """R² of the model of a subset of the decisions, for each outcome."""
        left = self._whole
        for place in places:
            left = self._without(left, place)
        return self._share(left)

    def shares(self) -> Floats:
        r"""What each decision adds to R², averaged over all orders of adding them.

            LMG_f = Σ_{S∌f} |S|!·(k − |S| − 1)!/k! · (R²(S ∪ f) − R²(S))

        The shares add up to R² of all decisions; in a balanced cross each is η². k is the
        number of decisions; with more than 12, 256 orders are drawn, and their reverses.
        A row per decision, a column per outcome.
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
        shares = np.zeros((count, len(self.total)))
        for place in range(count):
            without = subsets[subsets >> place & 1 == 0]
            gained = of_subset[without | 1 << place] - of_subset[without]
            shares[place] = weights[sizes[without]] @ gained
        return shares

    def _all_subsets(self) -> Floats:
        """R² of every subset of decisions; bit f of its number is set if f is in."""
        found = np.zeros((2 ** len(self._groups), len(self.total)))

        def visit(left: _Left, subset: int, after: int) -> None:
            found[subset] = self._share(left)
            for place in range(after, len(self._groups)):
                visit(self._without(left, place), subset | 1 << place, place + 1)

        visit(self._whole, 0, 0)
        return found

    def _drawn(self, count: int) -> Floats:
        stream = Seeds().stream("importance", decisions=count)
        shares = np.zeros((count, len(self.total)))
        for _ in range(_ORDERS):
            drawn = np.argsort(stream.bit_generator.random_raw(count), kind="stable")
            for order in (drawn, drawn[::-1]):
                left, before = self._whole, np.zeros(len(self.total))
                for place in order.tolist():
                    left = self._without(left, place)
                    now = self._share(left)
                    shares[place] += now - before
                    before = now
        return shares / (2 * _ORDERS)

    def _without(self, before: _Left, place: int) -> _Left:
        """What is left when one decision has explained all that it can.

        Gauss's elimination, column by column; those that earlier ones already span stay out.
        """
        gram, products, unexplained = (each.copy() for each in before)
        for column in self._groups[place]:
            pivot = gram[column, column]
            if pivot > self._least[column]:
                row, along = gram[column] / pivot, products[column].copy()
                unexplained -= along * along / pivot
                products -= np.outer(row, along)
                gram -= np.outer(row, gram[column])
        return _Left(gram, products, unexplained)

    def _share(self, left: _Left) -> Floats:
        shares = np.zeros(len(self.total))
        np.divide(left.unexplained, self.total, out=shares, where=self.total > 0)
        return np.where(self.total > 0, np.clip(1 - shares, 0.0, 1.0), 0.0)
