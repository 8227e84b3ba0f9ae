"""Arithmetic means: all topics alike, or by what is known of their users."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Counts, Floats
from cranfield.scoring.user_weight import WEIGHT, Weight, weights_of


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
    r"""Mean in which a user counts by a number of ratings, or by any column of users.

        Σ_u c_u·x_u ÷ Σ_u c_u

    c_u is |R_test(u)| (by=test), |PR_test(u)| (by=relevant), |R_train(u)| (by=train),
    |R_train(u)| + |R_test(u)| (by=all), or a number of at least 0 in a table of users
    (by=column(NAME)). Over folds, test ratings are added up, the others averaged.
    Undefined if c_u is 0 for all users. canamares2020 C3, Table 4, has test and relevant.
    """

    by: Weight = parameter("test", WEIGHT)

    def counts(self, entered: EnteredScores) -> Floats | Counts:
        """The weight of each topic's user."""
        return weights_of(str(self), self.by, entered)
