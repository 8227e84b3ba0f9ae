"""Planning: which systems of a fold are to be sent to workers, and how many at a time.

The plan depends on the fold, its systems and what the store has of them, never on how many
workers there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.recommender import Recommender
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution.resources import costs
from cranfield.workbench.execution.resources.fit_times import fit_seconds
from cranfield.workbench.execution.resources.memory import Sizes, bytes_of_task
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import FoldWork, GivenRun, by_system
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.store.store import Store

_SECONDS = 2.0
"""What the jobs of a task are to take together, at least."""
_OF_RUN = 1.0
"""Seconds of a run, of which nothing is known before it is read."""


@dataclass(frozen=True, eq=False)
class PlannedJob:
    """One system of a fold, what it is known by, and what it will take."""

    key: str
    name: str
    system: Recommender | GivenRun
    places: tuple[int, ...]
    spelling: str | None
    own: bool
    passing: RecommenderPass | None
    seconds: float
    bytes: int
    trial: Mapping[str, Any] | None = None
    """What the store knows a trial by, where the system is one of its settings."""

    @property
    def lacks(self) -> bool:
        """Whether the stores have not all of it; nothing of a run is stored."""
        return self.passing is None or not self.passing.is_stored


class Aliases:
    """Spellings, for the time being, of systems that were made in Python and have none."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}

    def of(self, system: Any) -> str:
        """The same for the same object, which is held, so that no other takes its place."""
        return self._known.setdefault(id(system), (system, f"own {uuid4().hex}"))[1]


def plan(work: FoldWork, stores: tuple[Store, Store], aliases: Aliases) -> Iterator[PlannedJob]:
    """Every system of a fold as a job; ``stores`` are the one for all, and that for own models."""
    for name, system, places in by_system(work.conditions):
        some = {place: work.conditions[place] for place in places}
        sizes = sizes_of(work.train, [targets for _, targets in some.values()])
        scores = sizes.topics * max(len(condition.metrics) for condition, _ in some.values())
        if isinstance(system, GivenRun):
            needed = bytes_of_task(None, sizes, scores)
            key = f"run {uuid4().hex}"
            yield PlannedJob(key, name, system, tuple(places), None, False, None, _OF_RUN, needed)
            continue
        spelling = spelled_fully(system)
        own = spelling is None
        alias = spelling or aliases.of(system)
        store = stores[own]
        passing = RecommenderPass(name, system, work.train, some, store, Timing(), spelling=alias)
        yield PlannedJob(
            fingerprint(name, *(store.key(*entry) for entry in passing.entries())),
            name,
            system,
            tuple(places),
            alias,
            own,
            passing,
            seconds_of(store, system, alias, sizes),
            bytes_of_task(system, sizes, scores),
        )


def sizes_of(train: Ratings, targets: Sequence[Targets]) -> Sizes:
    """What the memory and the time of systems depend on that rank all these targets."""
    return Sizes(
        users=max(len(np.unique(each.topics.users)) for each in targets),
        items=train.n_items,
        train=len(train),
        topics=sum(len(each.topics) for each in targets),
        judged=sum(len(each.judged) for each in targets),
        depth=1,
    )


def seconds_of(store: Store, system: Recommender, spelling: str, sizes: Sizes) -> float:
    """Seconds in which a system will be fitted, rank and be scored."""
    fit = fit_seconds(store, system, spelling, sizes.train)
    predict = costs.predict_seconds(system, sizes.train, sizes.users)
    return fit + predict + sizes.topics * costs.PER_LIST


def batches(jobs: Sequence[PlannedJob]) -> list[list[PlannedJob]]:
    """Jobs that take long one by one, the longest first; short ones together."""
    found: list[list[PlannedJob]] = []
    some: list[PlannedJob] = []
    for job in sorted(jobs, key=lambda each: -each.seconds):
        some.append(job)
        if sum(each.seconds for each in some) >= _SECONDS:
            found.append(some)
            some = []
    return [*found, some] if some else found
