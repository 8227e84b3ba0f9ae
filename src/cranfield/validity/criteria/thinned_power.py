"""How well a metric separates systems when the test set gets poorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.scoring.scores import Floats
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.power_by_size import PowerBySize, assess_power, p_values_of
from cranfield.validity.meta.thinning import Scenario
from cranfield.validity.thinned_criterion import ThinnedCriterion


@option("criterion", "thinned-discriminative-power", aliases=("thinned-DP",))
@dataclass(frozen=True, kw_only=True)
class ThinnedPower(ThinnedCriterion):
    r"""How well a metric distinguishes systems while the test set is thinned.

        DP(size) = mean over samples of Σ_{a<b} p(a, b)
        share(size) = mean over samples of |{a<b : p(a, b) < α}| ÷ |{a<b}|

    p is the p-value of a paired test on what is left of the test set. All systems lose the
    same ratings, and lists stay as they are. At size 1 both are those of
    discriminative-power. A sample on which fewer than two users can be compared has no
    p-values and is left out of the means. Sakai & Kando 2008, who look at the share; with
    users in place of topics, samples stratified by topic are ratings-by-user.
    """

    needs_test: ClassVar[bool] = True

    scenarios: tuple[Scenario, ...] = parameter(
        ("ratings-by-user",),
        "What is removed: ratings, items, popular-items, users, large-users, ratings-by-user.",
    )
    sizes: tuple[float, ...] = parameter(
        (1.0, 0.9, 0.7, 0.5, 0.3, 0.1),
        "Shares of the test set that are kept, above 0 and at most 1.", above=0, at_most=1,
    )  # fmt: skip
    samples: int = parameter(
        10, "Samples of each size, from 1 to 10000; 1 where nothing is drawn.", at_least=1,
        at_most=10_000,
    )  # fmt: skip
    alpha: float = parameter(0.05, "The level α below which a pair is separated.", above=0, below=1)

    def assess(self, evidence: Evidence) -> Assessment:
        """DP and the share of separated pairs of each metric at each size."""
        if evidence.hits is None:
            needed = "the ranks of the judged items"
            raise MissingFacts("thinned-discriminative-power", needed, "runs and judgments")
        if evidence.test is None:
            raise MissingFacts("thinned-discriminative-power", "a paired test", "one, such as t")
        thinned, test, seed = self.thinnable(evidence), evidence.test, evidence.seed
        metrics, systems = tuple(map(str, thinned.metrics)), thinned.systems

        def tested(scores: Floats) -> Floats:
            return p_values_of(scores, thinned.topics, systems, metrics, test, seed)

        whole = tested(thinned.scores)

        def work(task: tuple[Scenario, int]) -> Floats:
            return np.array(list(at_sizes(*task)))

        def at_sizes(scenario: Scenario, sample: int) -> Iterator[Floats]:
            for scores in thinned.scores_at(scenario, sample, self.descending, seed):
                yield whole if scores is thinned.scores else tested(scores)

        found = [
            PowerBySize(scenario, metrics, systems, self.descending, np.array(samples), self.alpha)
            for scenario, samples in self.each_sample(work).items()
        ]
        decided = self.decided(seed, len(thinned.pairs))
        return assess_power(found, {**decided, "alpha": self.alpha, "test": str(test)})
