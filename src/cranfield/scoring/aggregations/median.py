"""The median: half of the topics score less, half more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import EnteredScores

_SLACK = 1e-9
"""Weights that differ from a half by rounding alone make a half."""


@option("aggregation", "median")
@dataclass(frozen=True, kw_only=True)
class Median(Aggregation):
    """Score that half of the topics do not reach and half do not exceed.

    Half of their weight where topics differ in it (P1R); the mean of the two middle
    scores where the weight parts evenly. canamares2020 C3.
    """

    def of_scores(self, entered: EnteredScores) -> float:
        """The score at which the summed weights pass a half."""
        order = np.argsort(entered.scores, kind="stable")
        scores, reached = entered.scores[order], np.cumsum(entered.weights[order])
        low = int(np.searchsorted(reached, 0.5 - _SLACK))
        high = int(np.searchsorted(reached, 0.5 + _SLACK))
        return float((scores[low] + scores[min(high, len(scores) - 1)]) / 2)
