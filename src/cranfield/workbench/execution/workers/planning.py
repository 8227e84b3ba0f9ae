"""Planning: which systems of a fold are to be sent to workers, and how many at a time.

The plan depends on the fold, its systems and what the store has of them, never on how many
workers there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np

from cranfield.base.files import fingerprint
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Recommender
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution import costs
from cranfield.workbench.execution.conditions import GivenRun, Placed, by_system
from cranfield.workbench.execution.fit_times import fit_seconds
from cranfield.workbench.execution.memory import Sizes, bytes_of_task
from cranfield.workbench.execution.system_pass import RecommenderPass
from cranfield.workbench.execution.timing import Timing
from cranfield.workbench.store.store import Store

_SECONDS = 2.0
"""What the jobs of a task are to take together, at least."""
_OF_RUN = 1.0
"""Seconds of a run, of which nothing is known before it is read."""


@dataclass(frozen=True, eq=False)
class FoldWork:
    """One fold that is to be scored: its number, its training ratings, its conditions."""

    number: int
    train: Ratings
    conditions: Placed


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
        topics = sum(len(targets.topics) for _, targets in some.values())
        judged = sum(len(targets.judged) for _, targets in some.values())
        metrics = max(len(condition.metrics) for condition, _ in some.values())
        users = _users(some)
        sizes = Sizes(
            users=users, items=work.train.n_items, train=len(work.train), topics=topics,
            judged=judged, depth=1,
        )  # fmt: skip
        if isinstance(system, GivenRun):
            needed = bytes_of_task(None, sizes, topics * metrics)
            key = f"run {uuid4().hex}"
            yield PlannedJob(key, name, system, tuple(places), None, False, None, _OF_RUN, needed)
            continue
        spelling = spelled_fully(system)
        own = spelling is None
        alias = spelling or aliases.of(system)
        store = stores[own]
        passing = RecommenderPass(name, system, work.train, some, store, Timing(), spelling=alias)
        ratings = len(work.train)
        seconds = fit_seconds(store, system, alias, ratings) + topics * costs.PER_LIST
        yield PlannedJob(
            fingerprint(name, *(store.key(*entry) for entry in passing.entries())),
            name,
            system,
            tuple(places),
            alias,
            own,
            passing,
            seconds + costs.predict_seconds(system, ratings, users),
            bytes_of_task(system, sizes, topics * metrics),
        )


def _users(some: Placed) -> int:
    return max(len(np.unique(targets.topics.users)) for _, targets in some.values())


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
