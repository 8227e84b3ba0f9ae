"""Standardised scores: how a system stands among all systems, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.base.options import option
from cranfield.scoring.aggregation import ROUNDING, TransformedMean, refuse_fewer_than_two
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats


@option("aggregation", "standardised", aliases=("standardized",))
@dataclass(frozen=True, kw_only=True)
class Standardised(TransformedMean):
    r"""Mean of scores that are standardised over systems, so that all topics weigh alike.

        Σ_t w_t·Φ((x_t − μ_t)/σ_t)

    μ_t and σ_t are the mean and the standard deviation (with |systems| − 1) of the scores
    of all systems on topic t, Φ the normal distribution; where all systems score the
    same, the topic counts ½. Between 0 and 1. Needs at least two systems, and depends on
    which they are. Webber, Moffat & Zobel 2008.
    """

    compares: ClassVar[bool] = True

    def transformed(self, entered: EnteredScores) -> Floats:
        """How the system stands on each topic."""
        from scipy.special import ndtr

        refuse_fewer_than_two(str(self), entered)
        deviations = entered.scores - entered.all_scores.mean(axis=0)
        spread = entered.all_scores.std(axis=0, ddof=1)
        highest = np.abs(entered.all_scores).max(axis=0)
        apart = (np.ptp(entered.all_scores, axis=0) > ROUNDING * highest) & (spread > 0)
        standing = np.divide(deviations, spread, out=np.zeros(len(entered)), where=apart)
        return np.asarray(ndtr(standing))
