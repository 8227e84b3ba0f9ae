"""Arithmetic means: all topics alike, or by the ratings of their users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Counts


@option("aggregation", "mean", aliases=("arithmetic-mean", "average"))
@dataclass(frozen=True, kw_only=True)
class Mean(LinearAggregation):
    r"""Arithmetic mean over topics.

        Σ_t w_t·x_t,  w_t = 1/|topics|

    In P1R, w_t = 1/(m·|topics of t's segment|), the mean over segments of the mean within
    each (bellogin2017 §6.1). canamares2020 C3.
    """


@option("aggregation", "weighted-mean", aliases=("micro",))
@dataclass(frozen=True, kw_only=True)
class WeightedMean(LinearAggregation):
    r"""Mean in which a user counts by the number of test ratings, or of relevant ones.

        Σ_u |R_test(u)|·x_u ÷ Σ_u |R_test(u)|     (by=test; by=relevant: |PR_test(u)|)

    Undefined if no user has such a rating. canamares2020 C3, Table 4.
    """

    by: Literal["test", "relevant"] = parameter(
        "test", "What a user counts by: all test ratings, or the relevant ones."
    )

    def counts(self, entered: EnteredScores) -> Counts:
        """The ratings of each topic's user."""
        counts = entered.judged if self.by == "test" else entered.relevant
        if counts is None:
            raise MissingFacts(str(self), "the number of test ratings of each user", "judgments")
        return counts
