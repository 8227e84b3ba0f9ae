"""Compared: how an experiment compares its systems."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import near, shown
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.correction import Correction, Family
from cranfield.significance.default_test import default_test, misfit
from cranfield.significance.equivalence import FIVE_PERCENT, Rope, read_rope
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.pigeonhole import RandomUnits
from cranfield.significance.resampling import Subsets

FITTING = "fitting"
"""How a file asks for the test that fits the aggregation."""


@decisions("comparison", listed=True)
@dataclass(frozen=True, kw_only=True)
class Compared:
    """How systems are compared (decision D).

    Without a ``test``, it is the one that fits the aggregation: weighted t for weighted
    means, permutation for all others; t where items are at random too.
    """

    test: PairedTest | None = parameter(
        None, "The paired test; by default the one that fits the aggregation.", none=FITTING,
        code="D",
    )  # fmt: skip
    correction: Correction = parameter(
        ComparisonChoice().correction, "How p-values are adjusted for many pairs.", code="D"
    )
    family: Family = parameter(
        "metric", "Which p-values are corrected together.", code="D",
        texts={"metric": "the pairs by one metric", "all": "the pairs by all metrics"},
    )  # fmt: skip
    alpha: float = parameter(0.05, "The level of significance.", above=0, below=1, code="D")
    power: float = parameter(
        0.8, "The power at which the smallest detectable difference is given.", above=0, below=1,
        code="D",
    )  # fmt: skip
    rope: Rope = parameter(
        FIVE_PERCENT, 'The largest difference that counts as none: a share such as "5 %", or '
        "a difference such as 0.01.", read=read_rope, code="D",
    )  # fmt: skip
    baseline: str | None = parameter(
        None, "The system that all others are compared with; by default, all pairs are compared.",
        none="none", code="D",
    )  # fmt: skip
    random: RandomUnits = parameter(
        "users", "What is taken as a random sample; the rest is taken as fixed.", code="D",
        texts={
            "users": "users; fitted models and items are fixed",
            "users-and-items": "users and items, by the pigeonhole bootstrap; means of P, Recall, "
            "DCG, nDCG, RBP and AP",
        },
    )  # fmt: skip
    subsets: Subsets | None = parameter(
        None, "Random subsets of users on which the test is repeated.", code="D"
    )

    def choice(self, summary: SummaryChoice) -> ComparisonChoice:
        """How systems are compared whose values are aggregated like that."""
        of_means = "permutation" if self.random == "users" else "t"
        return ComparisonChoice(
            test=self.test or default_test(summary.aggregation, of_means=of_means),
            correction=self.correction,
            aggregation=summary.aggregation,
            coverage=summary.coverage,
            undefined=summary.undefined,
            family=self.family,
            alpha=self.alpha,
            power=self.power,
            rope=self.rope,
            subsets=self.subsets,
            baseline=self.baseline,
            random=self.random,
        )


def not_comparable(
    compared: Compared, aggregation: Aggregation, names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What keeps these systems from being compared as asked."""
    test, baseline = compared.test, compared.baseline
    if test is not None and (wanted := misfit(test, aggregation)):
        follows = "Without a test, it follows from the aggregation"
        yield "comparison.test", f'"{test}" is not {wanted}. {follows}.'
    by_error = test is None or str(test).partition("(")[0] in ("t", "weighted-t")
    if compared.random != "users" and not by_error:
        only = "With items at random, it is t, or weighted-t for weighted means"
        yield "comparison.test", f'"{test}" draws users alone. {only}.'
    if baseline is not None and baseline not in names:
        known = f"It is one of {', '.join(names)}.{near(baseline, names)}"
        yield "comparison.baseline", f"no system is called {shown(baseline)}. {known}"
