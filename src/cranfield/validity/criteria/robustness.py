"""Whether a metric keeps its verdict when the test set gets poorer."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import option, parameter
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Evidence, refuse_too_few
from cranfield.validity.meta.averages import MEANS
from cranfield.validity.meta.self_agreement import (
    ThinnedScenarios,
    ThinnedValues,
    assess_thinned,
)
from cranfield.validity.meta.system_values import SystemValues
from cranfield.validity.meta.thinned_systems import ThinnedSystems
from cranfield.validity.meta.thinning import Scenario
from cranfield.validity.thinned_criterion import ThinnedCriterion

SIZES = (*(share / 100 for share in range(100, 0, -5)), 0.01)
"""100 % to 5 % in steps of 5, then 1 %."""
_EPSILON = 0.01


@option("criterion", "robustness")
@dataclass(frozen=True, kw_only=True)
class Robustness(ThinnedCriterion):
    r"""How far the order of systems on the full test set is preserved as it is thinned.

        robustness(size) = mean over samples of τ-b(order on the sample, order on the full set)

    Five scenarios: ratings, items or users leave at random, or the items or users with
    most test ratings leave first. In a sixth, ratings-by-user, each user loses the same
    share of ratings and keeps one at least (stratified samples, Buckley & Voorhees 2004).
    Ranked lists stay as they are: a judged item that leaves becomes unjudged, and the best
    possible list is made of what is left. Systems are ordered by the arithmetic and by the
    geometric mean over the users who have a judgment left and for whom the metric is
    defined; with ``undefined=zero`` users without a relevant item left count 0, which
    changes no order but values, as with trec_eval. Within a sample, smaller sizes are parts
    of larger ones, or drawn anew with ``nested=false``. Given a table of values, its own
    sizes count, down to the least of ``sizes``. valcarce2020 §4.2, §6.3, §7.2.

    The paper removes items by their number of test ratings, and shares are of the items of
    the test set. The files that the authors publish with valcarce2018 have
    ``popular_by=train, of=all-items`` and samples that are not nested. Geometric means add
    ε; ``as=rec_eval`` are those of rec_eval 10.6, behind the figures of valcarce2020 §7: at
    least 0.00001, but a user without a hit counts as perfect by F1 and RR, by mistake.
    """

    sizes: tuple[float, ...] = parameter(
        SIZES, "Shares of the test set that are kept, above 0 and at most 1.", above=0, at_most=1
    )
    epsilon: float = parameter(
        _EPSILON, "What the geometric mean adds to each score, above 0.", above=0
    )
    as_: Literal["rec_eval"] | None = parameter(
        None,
        "rec_eval: geometric means of F1 and RR take scores of 0 as 1, an error of that program.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.as_ is not None and self.epsilon != _EPSILON:
            wanted = f"{_EPSILON:g} or nothing: geometric means as {self.as_} add nothing"
            raise BadParameter("robustness", "epsilon", self.epsilon, wanted)

    def assess(self, evidence: Evidence) -> Assessment:
        """Curves of agreement for each scenario, mean and metric, and the area under each."""
        if evidence.hits is None:
            if evidence.values is None:
                raise MissingFacts(
                    "robustness", "the ranks of the judged items", "runs and judgments"
                )
            return _assess_values(evidence.values.down_to(min(self.sizes)))
        return self.thin(evidence).assess()

    def thin(self, evidence: Evidence) -> ThinnedScenarios:
        """What systems reach on thinned test sets, from which the verdict follows."""
        epsilon = None if self.as_ else self.epsilon
        thinned = self.thinnable(evidence, epsilon=epsilon)
        decided = self.decided(evidence.seed, len(thinned.pairs))
        mean = {"as": self.as_} if self.as_ else {"epsilon": self.epsilon}
        return ThinnedScenarios(self._sampled(thinned, evidence.seed), {**decided, **mean})

    def _sampled(self, thinned: ThinnedSystems, seed: int) -> tuple[ThinnedValues, ...]:
        sizes = self.descending

        def work(task: tuple[Scenario, int]) -> tuple[np.ndarray, np.ndarray]:
            return thinned.sample(*task, sizes, seed)

        return tuple(
            ThinnedValues(
                scenario,
                MEANS,
                tuple(map(str, thinned.metrics)),
                thinned.systems,
                sizes,
                thinned.whole,
                np.array([values for values, _ in samples]),
                np.array([left for _, left in samples]),
            )
            for scenario, samples in self.each_sample(work).items()
        )


def _assess_values(given: SystemValues) -> Assessment:
    """The same verdict from what systems reached at several sizes, by a table of others."""
    refuse_too_few("robustness", len(given.systems))
    if len(given.sizes) < 2:
        raise BadParameter("robustness", "table", f"{len(given.sizes)} size", "two or more sizes")
    thinned = ThinnedValues(
        "as given",
        ("as given",),
        given.metrics,
        given.systems,
        given.sizes,
        given.whole[None],
        given.values[None, :, None],
        None,
    )
    return assess_thinned([thinned], {"samples": 1})
