"""ThinnedCriterion: criteria that look at systems on poorer test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import parameter
from cranfield.base.progress import bar
from cranfield.base.threads import in_threads
from cranfield.scoring.coverage import Undefined
from cranfield.scoring.measurement.weighted_scores import weighs_topics
from cranfield.validity.criterion import (
    Criterion,
    Evidence,
    refuse_too_few,
    refuse_weighted_topics,
)
from cranfield.validity.meta.self_agreement import ThinnedScenarios
from cranfield.validity.meta.thinned_systems import ThinnedSystems
from cranfield.validity.meta.thinning import DETERMINED, FIVE, ItemShares, Scenario

T = TypeVar("T")

PopularBy = Literal["test", "train"]
"""By which ratings an item is popular."""

SharesOf = Literal["test-items", "all-items"]
"""Of which items a share is left."""

_OF_ITEMS = {"items", "popular-items"}


@runtime_checkable
class Thinning(Criterion, Protocol):
    """A criterion whose verdict follows from what each system reaches on thinned test sets."""

    def thin(self, evidence: Evidence) -> ThinnedScenarios:
        """What systems reach there, each whatever the others are."""
        ...


@dataclass(frozen=True, kw_only=True)
class ThinnedCriterion(Criterion):
    """The parameters of thinning, and the samples that follow from them."""

    option_name: ClassVar[str]
    needs_values: ClassVar[bool] = False
    needs_hits: ClassVar[bool] = True
    needs_all_ranks: ClassVar[bool] = False

    scenarios: tuple[Scenario, ...] = parameter(
        FIVE, "What is removed: ratings, items, popular-items, users, large-users, ratings-by-user."
    )
    sizes: tuple[float, ...] = parameter(
        (1.0,), "Shares of the test set that are kept, above 0 and at most 1.", above=0, at_most=1
    )
    samples: int = parameter(
        50, "Samples of each size, from 1 to 10000; 1 where nothing is drawn.", at_least=1,
        at_most=10_000,
    )  # fmt: skip
    undefined: Undefined = parameter(
        "left-out", "Users for whom a metric is undefined are left-out, or count zero."
    )
    popular_by: PopularBy = parameter(
        "test", "Items are popular by their ratings in test, or in train."
    )
    of: SharesOf = parameter(
        "test-items", "Shares of items are of those with a test rating (test-items), or of "
        "all-items that can be recommended.",
    )  # fmt: skip
    nested: bool = parameter(
        True, "Whether smaller samples are parts of larger ones, or drawn independently."
    )

    def __post_init__(self) -> None:
        for name in ("scenarios", "sizes"):
            if not getattr(self, name):
                raise BadParameter(self.option_name, name, "nothing", "a list of at least one")

    @property
    def descending(self) -> tuple[float, ...]:
        """The sizes, each once, the largest first."""
        return tuple(sorted(set(self.sizes), reverse=True))

    def thinnable(self, evidence: Evidence, *, epsilon: float | None = 1.0) -> ThinnedSystems:
        """The systems whose judgments can be thinned."""
        assert evidence.hits is not None
        first = next(iter(evidence.hits.values()), None)
        users = 0 if first is None else len(np.unique(first.topics.users))
        refuse_too_few(self.option_name, len(evidence.hits), users)
        one = first is not None and first.topics.items is not None
        refuse_weighted_topics(
            self.option_name,
            [str(each) for each in evidence.metrics if weighs_topics(each, one_relevant=one)],
        )
        return ThinnedSystems(
            evidence.hits,
            evidence.metrics,
            epsilon=epsilon,
            undefined=self.undefined,
            popularity=evidence.popularity,
            items=self._items(evidence),
            nested=self.nested,
        )

    def _items(self, evidence: Evidence) -> ItemShares:
        """Of which items shares are, and which are popular, as far as a scenario asks for it."""
        every = self.of == "all-items" and bool(_OF_ITEMS & set(self.scenarios))
        trained = self.popular_by == "train" and "popular-items" in self.scenarios
        if every and evidence.n_items is None:
            remedy = "training ratings (--train) or a catalogue, or of=test-items"
            raise MissingFacts(f"{self.option_name}(of=all-items)", "a catalogue", remedy)
        if trained and evidence.train_counts is None:
            remedy = "them (--train), or popular_by=test"
            named = f"{self.option_name}(popular_by=train)"
            raise MissingFacts(named, "the training ratings of items", remedy)
        return ItemShares(
            n_items=evidence.n_items if every else None,
            popularity=evidence.train_counts if trained else None,
        )

    def decided(self, seed: int, judgments: int) -> Mapping[str, Any]:
        """How the test set was thinned, for the record."""
        return {
            "scenarios": list(self.scenarios),
            "samples": self.samples,
            "nested": self.nested,
            "popular_by": self.popular_by,
            "of": self.of,
            "undefined": self.undefined,
            "seed": seed,
            "judgments": judgments,
        }

    def each_sample(self, work: Callable[[tuple[Scenario, int]], T]) -> dict[Scenario, list[T]]:
        """What work makes of every sample of every scenario; where nothing is drawn, of one."""
        asked = [
            (scenario, sample)
            for scenario in dict.fromkeys(self.scenarios)
            for sample in range(1 if scenario in DETERMINED else self.samples)
        ]
        found: dict[Scenario, list[T]] = {}
        with bar("thinning", len(asked), "samples") as shown:
            for (scenario, _), made in zip(asked, in_threads(work, asked), strict=True):
                found.setdefault(scenario, []).append(made)
                shown.advance()
        return found
