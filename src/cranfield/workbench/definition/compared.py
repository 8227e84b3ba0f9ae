"""Compared: how an experiment compares its systems."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.base.decisions import decisions, parameter
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison import ComparisonChoice
from cranfield.significance.correction import Correction, Family
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.resampling import Subsets

FITTING = "fitting"
"""How a file asks for the test that fits the aggregation."""


@decisions("comparison", listed=True)
@dataclass(frozen=True, kw_only=True)
class Compared:
    """How systems are compared (decision D).

    Without a ``test``, it is the one that fits the aggregation: permutation for means,
    weighted t for weighted means, t on logarithms for geometric means, sign for medians.
    """

    test: PairedTest | None = parameter(
        None, "The paired test; by default the one that fits the aggregation.", none=FITTING,
        code="D",
    )  # fmt: skip
    correction: Correction = parameter(
        ComparisonChoice().correction, "How p-values are adjusted for many pairs.", code="D"
    )
    family: Family = parameter(
        "metric", "What is corrected together.", code="D",
        texts={"metric": "the pairs by one metric", "all": "the pairs by all metrics"},
    )  # fmt: skip
    alpha: float = parameter(0.05, "The level of significance.", above=0, below=1, code="D")
    power: float = parameter(
        0.8, "The power for the smallest difference that the users would show.", above=0, below=1,
        code="D",
    )  # fmt: skip
    rope: float = parameter(
        0.01, "The largest difference that is as good as none.", at_least=0, code="D"
    )
    subsets: Subsets | None = parameter(
        None, "Random subsets of users on which the test is repeated.", code="D"
    )

    def choice(self, summary: SummaryChoice) -> ComparisonChoice:
        """How systems are compared whose values are aggregated like that.

        A forgiving average compares the users whom all systems cover.
        """
        return ComparisonChoice(
            test=self.test or default_test(summary.aggregation, of_means="permutation"),
            correction=self.correction,
            aggregation=summary.aggregation,
            coverage="full" if summary.coverage == "full" else "common",
            undefined=summary.undefined,
            family=self.family,
            alpha=self.alpha,
            power=self.power,
            rope=self.rope,
            subsets=self.subsets,
        )
