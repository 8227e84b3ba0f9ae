"""Both means of scores: arithmetic, and geometric for where low scores matter."""

from __future__ import annotations

import numpy as np

from cranfield.base.machine.blas import dot
from cranfield.collection.topics import Topics
from cranfield.scoring.coverage import topic_weights
from cranfield.scoring.scores import Floats

MEANS = ("arithmetic", "geometric")

DIGITS = 12
"""Decimals of an average: systems whose means differ by rounding alone are tied."""


def averages(scores: Floats, topics: Topics, epsilon: float) -> Floats:
    r"""The arithmetic and the geometric mean of each row of scores (2 × rows).

        Σ_t w_t·x_t      exp(Σ_t w_t·ln(x_t + ε)) − ε

    Topics on which a row is NaN are left out, and weights are as in the mean of an
    evaluation: alike, or alike for each popularity segment. NaN where no topic is left,
    and the geometric mean of scores below −ε, which have no logarithm.
    """
    made = np.full((2, len(scores)), np.nan)
    for row, values in enumerate(scores):
        defined = ~np.isnan(values)
        if not defined.any():
            continue
        weights = topic_weights(topics, defined)[defined]
        made[0, row] = dot(weights, values[defined])
        with np.errstate(invalid="ignore", divide="ignore"):
            logarithms = np.log(values[defined] + epsilon)
        made[1, row] = np.exp(dot(weights, logarithms)) - epsilon
    return np.round(made, DIGITS)
