"""Aggregation: from scores per topic to one value per system."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from cranfield.base.blas import dot
from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import contract
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Counts, Floats

ROUNDING = 1e-12
"""Scores that differ by so small a share of the highest differ by rounding alone."""


@contract("aggregation")
class Aggregation(Protocol):
    """How the scores of all topics become one value (decision C3)."""

    compares: ClassVar[bool] = False
    """Whether the value of a system depends on the scores of the others."""

    def of_scores(self, entered: EnteredScores) -> float:
        """The value of one system by one metric; at least one topic has entered."""
        ...


@runtime_checkable
class LinearAggregation(Protocol):
    """An aggregation that is a weighted mean, so that expectations carry over to it."""

    def shares(self, entered: EnteredScores) -> Floats:
        """How much each topic counts; the shares add up to 1."""
        ...


def standard_error(scores: Floats, shares: Floats, users: Counts) -> float:
    r"""The standard error of a weighted mean of scores, users being independent.

        SE² = U/(U−1) · Σ_u (Σ_{t of u} w_t (x_t − x̄))²

    With one topic per user of equal weight it is s/√|U|. Topics of one user (1R, P1R)
    go together, so that they do not pass for independent ones. NaN for a single user.

    >>> standard_error(np.array([1.0, 0.0]), np.array([0.5, 0.5]), np.array([0, 1]))
    0.5
    """
    by_user = np.bincount(users, weights=shares * (scores - dot(shares, scores)))
    count = int(np.count_nonzero(np.bincount(users)))
    if count < 2:
        return float("nan")
    return float(np.sqrt(dot(by_user, by_user) * count / (count - 1)))


def refuse_fewer_than_two(asker: str, entered: EnteredScores) -> None:
    """Refuse to compare a system with nothing."""
    if len(entered.systems) < 2:
        raise MissingFacts(asker, "the scores of at least two systems", "more runs")


def scores_of(asker: str, baseline: str, entered: EnteredScores) -> Floats:
    """The scores of the baseline."""
    if baseline not in entered.systems:
        known = f"one of the systems {', '.join(entered.systems)}"
        raise BadParameter(asker, "baseline", baseline, known)
    scores: Floats = entered.all_scores[entered.systems.index(baseline)]
    return scores
