"""Student's t: of differences, of weighted differences, of differences of logarithms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.errors import MissingFacts, UnsuitableScores
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import mean_difference, student_p
from cranfield.significance.paired_test import PairedPValues, PairedTest, each_pair
from cranfield.significance.samples import Samples


@option("test", "t", aliases=("paired-t", "student-t"))
@dataclass(frozen=True, kw_only=True)
class StudentT(PairedTest):
    r"""Student's paired t test of the difference of two means.

        t = d̄/(s_d/√n),  with n − 1 degrees of freedom

    d are the differences of n users, s_d their standard deviation. canamares2020 D.
    """

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of Student's t."""
        return each_pair(samples, _student)


@option("test", "weighted-t")
@dataclass(frozen=True, kw_only=True)
class WeightedT(PairedTest):
    r"""Student's paired t test for means in which users count by their test ratings.

        t = Σ_u w_u·d_u / SE,  SE² = n/(n−1) · Σ_u w_u²·(d_u − d̄_w)²,  Σ_u w_u = 1

    With n − 1 degrees of freedom, n users of positive weight: the standard error of a
    weighted mean of independent users, and the paired t test if all weigh alike. For the
    aggregation weighted-mean with the same ``by``. canamares2020 D asks for it.
    """

    fits: ClassVar[tuple[str, ...]] = ("weighted-mean",)
    asks: ClassVar[str] = "whether the means weighted by test ratings differ"

    by: Literal["test", "relevant"] = parameter(
        "test", "What a user counts by: all test ratings, or the relevant ones."
    )

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of the weighted t."""
        return each_pair(self.sees(samples), _student)

    def sees(self, samples: Samples) -> Samples:
        """The samples with users weighed by their ratings."""
        counts = samples.judged if self.by == "test" else samples.relevant
        if counts is None:
            raise MissingFacts(str(self), "the number of test ratings of each user", "judgments")
        return replace(samples, weights=counts.astype(np.float64))


@option("test", "log-t")
@dataclass(frozen=True, kw_only=True)
class LogT(PairedTest):
    r"""Student's paired t test on logarithms, for geometric means.

        d_u = ln(x_u + ε) − ln(y_u + ε)

    For the aggregation geometric-mean with the same ε, whose logarithm is the mean of
    these. Differences and intervals are those of logarithms: d̄ = 0.1 says that the
    geometric mean of x + ε is e^0.1 times that of y + ε. canamares2020 D.
    """

    fits: ClassVar[tuple[str, ...]] = ("geometric-mean",)
    asks: ClassVar[str] = "whether the geometric means differ"

    epsilon: float = parameter(0.01, "What is added to each score, above 0.", above=0)

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        """The p-values of Student's t on logarithms."""
        return each_pair(self.sees(samples), _student)

    def sees(self, samples: Samples) -> Samples:
        """The samples with scores on the scale of logarithms."""
        raised = samples.values + self.epsilon
        if raised.min(initial=1.0) <= 0:
            lowest = f"a score is {samples.values.min():g}, which has no logarithm with ε added"
            raise UnsuitableScores(str(self), lowest, "Choose a larger epsilon or another test")
        return replace(samples, values=np.where(samples.enters, np.log(raised), 0.0))

    def shown(self, mean: float) -> float:
        """The geometric mean that a mean of logarithms belongs to."""
        return float(np.exp(mean)) - self.epsilon


def _student(differences: Floats, shares: Floats) -> tuple[float, float]:
    found = mean_difference(differences, shares)
    return student_p(found), found.statistic
