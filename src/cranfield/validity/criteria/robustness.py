"""Whether a metric keeps its verdict when the test set gets poorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import option, parameter
from cranfield.base.progress import bar
from cranfield.base.threads import in_threads
from cranfield.scoring.coverage import Undefined
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence, refuse_too_few
from cranfield.validity.meta.averages import MEANS
from cranfield.validity.meta.self_agreement import ThinnedValues, assess_thinned
from cranfield.validity.meta.system_values import SystemValues
from cranfield.validity.meta.thinned_systems import ThinnedSystems
from cranfield.validity.meta.thinning import DETERMINED, Scenario

SIZES = (*(share / 100 for share in range(100, 0, -5)), 0.01)
"""100 % to 5 % in steps of 5, then 1 %."""


@option("criterion", "robustness")
@dataclass(frozen=True, kw_only=True)
class Robustness(Criterion):
    r"""How far the order of systems stays as it is on the full test set while that is thinned.

        robustness(size) = mean over samples of τ-b(order on the sample, order on the full set)

    Five scenarios: ratings, items or users leave at random, or the items or users with
    most test ratings leave first. Ranked lists stay as they are: a judged item that leaves
    becomes unjudged, and the best possible list is made of what is left. Systems are
    ordered by the arithmetic and by the geometric mean over the users who have a judgment
    left and for whom the metric is defined; with ``undefined=zero`` users without a relevant
    item left count 0, which changes no order but values, as with trec_eval. Within a
    sample, smaller sizes are parts of larger ones. Given a table of values, its own sizes
    count, down to the least of ``sizes``. valcarce2020 §4.2, §6.3, §7.2.
    """

    needs_hits: ClassVar[bool] = True

    scenarios: tuple[Scenario, ...] = parameter(
        get_args(Scenario), "What leaves: ratings, items, popular-items, users, large-users."
    )
    sizes: tuple[float, ...] = parameter(
        SIZES, "Shares of the test set that are left, above 0 and at most 1.", above=0, at_most=1
    )
    samples: int = parameter(
        50, "Samples of each size, from 1 to 10000; 1 where nothing is drawn.", at_least=1,
        at_most=10_000,
    )  # fmt: skip
    epsilon: float = parameter(
        0.01, "What the geometric mean adds to each score, above 0.", above=0
    )
    undefined: Undefined = parameter(
        "left-out", "Users for whom a metric is undefined are left-out, or count zero."
    )

    def __post_init__(self) -> None:
        for name in ("scenarios", "sizes"):
            if not getattr(self, name):
                raise BadParameter("robustness", name, "nothing", "a list of at least one")

    def assess(self, evidence: Evidence) -> Assessment:
        """Curves of agreement for each scenario, mean and metric, and the area under each."""
        if evidence.hits is None:
            if evidence.values is None:
                raise MissingFacts("robustness", "where judged items landed", "runs and judgments")
            return _assess_values(evidence.values.down_to(min(self.sizes)))
        first = next(iter(evidence.hits.values()), None)
        users = 0 if first is None else len(np.unique(first.topics.users))
        refuse_too_few("robustness", len(evidence.hits), users)
        thinned = ThinnedSystems(
            evidence.hits,
            evidence.metrics,
            epsilon=self.epsilon,
            undefined=self.undefined,
            popularity=evidence.popularity,
        )
        decisions = {
            "scenarios": list(self.scenarios),
            "samples": self.samples,
            "epsilon": self.epsilon,
            "undefined": self.undefined,
            "seed": evidence.seed,
            "judgments": len(thinned.pairs),
        }
        return assess_thinned(self._thin(thinned, evidence.seed), decisions)

    def _thin(self, thinned: ThinnedSystems, seed: int) -> list[ThinnedValues]:
        sizes = tuple(sorted(set(self.sizes), reverse=True))
        asked = [
            (scenario, sample)
            for scenario in dict.fromkeys(self.scenarios)
            for sample in range(1 if scenario in DETERMINED else self.samples)
        ]

        def work(task: tuple[Scenario, int]) -> tuple[np.ndarray, np.ndarray]:
            return thinned.sample(*task, sizes, seed)

        found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
        with bar("thinning", len(asked), "samples") as shown:
            for (scenario, _), made in zip(asked, in_threads(work, asked), strict=True):
                found.setdefault(scenario, []).append(made)
                shown.advance()
        return [
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
            for scenario, samples in found.items()
        ]


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
