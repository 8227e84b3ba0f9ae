"""The median: half of the topics score less, half more."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.aggregation import Aggregation, DrawnScores
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats

_SLACK = 1e-9
"""Weights that differ from a half by rounding alone make a half."""


@option("aggregation", "median")
@dataclass(frozen=True, kw_only=True)
class Median(Aggregation):
    """The median score over topics.

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

    def of_draws(self, drawn: DrawnScores) -> Floats:
        """The same in each draw; scores are ordered once for all of them."""
        scores = np.concatenate([entered.scores for entered, _ in drawn.sets])
        order = np.argsort(scores, kind="stable")
        reached = np.cumsum(drawn.weights[:, order], axis=1)
        reached /= reached[:, -1:]
        low = np.count_nonzero(reached < 0.5 - _SLACK, axis=1)
        high = np.count_nonzero(reached < 0.5 + _SLACK, axis=1)
        return np.asarray((scores[order[low]] + scores[order[high]]) / 2)
