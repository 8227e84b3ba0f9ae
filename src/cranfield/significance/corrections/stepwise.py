"""Stepwise corrections: how much a p-value is raised depends on its place among all."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction


@option("correction", "holm")
@dataclass(frozen=True, kw_only=True)
class Holm(Correction):
    r"""Steps down from the smallest p-value; bounds the probability of any false rejection by α.

        p̃_(i) = min(1, max_{j≤i} (k − j + 1)·p_(j))

    p_(1) ≤ … ≤ p_(k) are the p-values of the family. The maximum is the step-down: what
    comes after a hypothesis that is kept is kept. Holm 1979.

    >>> Holm().adjust(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """

    def adjust(self, p_values: Floats) -> Floats:
        """Each p-value times how many are not smaller, made monotone upwards."""
        order = np.argsort(p_values, kind="stable")
        raised = p_values[order] * np.arange(len(p_values), 0, -1)
        return _put_back(np.maximum.accumulate(raised), order)


@option("correction", "benjamini-hochberg", aliases=("BH", "FDR"))
@dataclass(frozen=True, kw_only=True)
class BenjaminiHochberg(Correction):
    r"""Steps up from the largest p-value, so that α bounds the share of false rejections.

        p̃_(i) = min(1, min_{j≥i} k·p_(j)/j)

    p_(1) ≤ … ≤ p_(k) are the p-values of the family. The minimum makes it
    step-up: hypotheses before a rejected one are rejected too. Benjamini & Hochberg 1995.

    >>> BenjaminiHochberg().adjust(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.04, 0.04])
    """

    def adjust(self, p_values: Floats) -> Floats:
        """Each p-value over its share of the ranks, made monotone downwards."""
        size = len(p_values)
        order = np.argsort(p_values, kind="stable")
        raised = p_values[order] * size / np.arange(1, size + 1)
        return _put_back(np.minimum.accumulate(raised[::-1])[::-1], order)


def _put_back(ordered: Floats, order: np.typing.NDArray[np.intp]) -> Floats:
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(ordered, 1.0)
    return adjusted
