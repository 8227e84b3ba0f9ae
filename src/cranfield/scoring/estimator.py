"""Estimator: how propensities correct a score."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from cranfield.base.decisions import parameter
from cranfield.base.options import contract
from cranfield.scoring.gain import Floats


@contract("estimator")
class Estimator(Protocol):
    """How propensities correct a score (with the parameter propensity of a metric)."""

    def weights(self, propensities: Floats) -> Floats:
        """What each judged target counts, given its propensity."""
        ...


def clip_parameter() -> Any:
    """The field of an estimator below which propensities are cut off."""
    text = "The least propensity: smaller ones are raised to it, for weights of at most 1/clip."
    return parameter(0.0, text, at_least=0, at_most=1)


def inverse(propensities: Floats, clip: float) -> Floats:
    """1/max(p, clip)."""
    return np.asarray(1 / np.maximum(propensities, clip))


def effective_size(weights: Floats) -> float:
    r"""How many equally weighted ratings would be as precise as these: (Σ w)²/Σ w².

    Kish 1965. 0 without any.

    >>> effective_size(np.array([1.0, 1.0])), effective_size(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    squares = float(weights @ weights)
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0
