"""Student's t: of differences, of weighted differences, of differences of logarithms."""

from __future__ import annotations

from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.user_weight import WEIGHT, Weight
from cranfield.significance.effect_size import student_p
from cranfield.significance.paired_test import PairedPValues, PairedTest, each_pair
from cranfield.significance.samples.samples import Samples


@option("test", "t", aliases=("paired-t", "student-t"))
@dataclass(frozen=True, kw_only=True)
class StudentT(PairedTest):
    r"""Student's paired t test of the difference of two means, with users as the unit.

        t = D/SE,  SE² = U/(U−1) · Σ_u e_u²,  with U − 1 degrees of freedom

    D is the difference of the values in the table and e_u what user u adds to its error:
    (d_u − D)/U where each user has one ranking, which is the paired t test; in 1R
    (d_u − D·n_u)/N, d_u summed over the user's n_u of N topics; in P1R the same within
    segments; where systems are averaged over different users, the difference of what a
    user adds to either. canamares2020 D; Deng, Knoblich & Lu 2018.
    """

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of Student's t."""
        return each_pair(samples, _student)


@option("test", "weighted-t")
@dataclass(frozen=True, kw_only=True)
class WeightedT(PairedTest):
    r"""Student's paired t test for means in which users count by their ratings, or a column.

        t = Σ_u w_u·d_u / SE,  SE² = n/(n−1) · Σ_u w_u²·(d_u − d̄_w)²,  Σ_u w_u = 1

    With n − 1 degrees of freedom, n users of positive weight: the standard error of a
    weighted mean of independent users, and the paired t test if all weigh alike. For the
    aggregation weighted-mean with the same ``by``. canamares2020 D asks for it.
    """

    fits: ClassVar[tuple[str, ...]] = ("weighted-mean",)

    by: Weight = parameter("test", WEIGHT)

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of the weighted t."""
        return each_pair(samples, _student)


@option("test", "log-t")
@dataclass(frozen=True, kw_only=True)
class LogT(PairedTest):
    r"""Student's paired t test on logarithms, for geometric means.

        t test on ln(x_u + ε)

    For the aggregation geometric-mean with the same ``epsilon``: geometric means differ
    where the means of logarithms do. canamares2020 D asks for it.
    """

    fits: ClassVar[tuple[str, ...]] = ("geometric-mean",)

    epsilon: float = parameter(0.01, "What is added to each score, above 0.", above=0)

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of Student's t on logarithms."""
        return each_pair(samples, _student)


def _student(samples: Samples, metric: int, pair: tuple[int, int]) -> tuple[float, float]:
    found = samples.difference(metric, pair)
    return student_p(found), found.statistic
