"""Arithmetic means: all topics alike, or by the ratings of their users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cranfield.base.blas import dot
from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats


@option("aggregation", "mean", aliases=("arithmetic-mean", "average"))
@dataclass(frozen=True, kw_only=True)
class Mean(Aggregation):
    r"""Arithmetic mean over topics.

        Σ_t w_t·x_t,  w_t = 1/|topics|

    In P1R, w_t = 1/(m·|topics of t's segment|), the mean over segments of the mean within
    each (bellogin2017 §6.1). canamares2020 C3.
    """

    def of_scores(self, entered: EnteredScores) -> float:
        """The sum of scores by weight."""
        return dot(entered.weights, entered.scores)

    def shares(self, entered: EnteredScores) -> Floats:
        """The weights of the topics themselves."""
        return entered.weights


@option("aggregation", "weighted-mean", aliases=("micro",))
@dataclass(frozen=True, kw_only=True)
class WeightedMean(Aggregation):
    r"""Mean in which a user counts by the number of test ratings, or of relevant ones.

        Σ_u |R_test(u)|·x_u ÷ Σ_u |R_test(u)|     (by=test; by=relevant: |PR_test(u)|)

    Undefined if no user has such a rating. canamares2020 C3, Table 4.
    """

    by: Literal["test", "relevant"] = parameter(
        "test", "What a user counts by: all test ratings, or the relevant ones."
    )

    def of_scores(self, entered: EnteredScores) -> float:
        """The sum of scores by share."""
        return dot(self.shares(entered), entered.scores)

    def shares(self, entered: EnteredScores) -> Floats:
        """The weights of the topics, times the ratings of their users."""
        counts = entered.judged if self.by == "test" else entered.relevant
        if counts is None:
            raise MissingFacts(str(self), "the number of test ratings of each user", "judgments")
        weights = entered.weights * counts
        total = weights.sum()
        shares: Floats = weights / total if total else weights * float("nan")
        return shares
