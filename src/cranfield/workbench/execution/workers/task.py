"""Tasks: what workers are asked to do, and what they send back.

A worker takes the one road too: the same pass of a recommender, or of a run, by the same code.
What it makes goes to the store, from which the driver takes it as if it had made it itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.side_table import read_side_table
from cranfield.collection.target import Targets
from cranfield.significance.resampling import BlockWork
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.runs import (
    Reports,
    targets_of_users,
)
from cranfield.workbench.execution.systems.trial_data import TrialData
from cranfield.workbench.results.costs import Cost
from cranfield.workbench.store.returning import HeldEntry, ReturningStore

Conditions = Mapping[int, tuple[RankingCondition, Targets]]

_NOT_NEEDED = (
    "data", "filters", "catalogue", "split", "user_columns", "by", "systems", "runs", "comparison",
)  # fmt: skip
"""Decisions that rankings and scores do not depend on, once targets are chosen."""


@dataclass(frozen=True, eq=False)
class FoldPart:
    """What all systems of a fold need: the training ratings, and the conditions by place."""

    train: Ratings
    conditions: Conditions


def sendable_fold(train: Ratings, conditions: Conditions) -> FoldPart:
    """A fold without what only the driver needs: data in memory, other systems."""
    slim = {
        place: (_slim(condition), targets) for place, (condition, targets) in conditions.items()
    }
    return FoldPart(train, slim)


def sendable_trials(data: TrialData) -> TrialData:
    """What settings are tried on, without what only the driver needs."""
    return replace(data, condition=_slim(data.condition))


def _slim(condition: RankingCondition) -> RankingCondition:
    """What rankings and scores depend on; a table of items is read, where workers may not."""
    slim = copy(condition.experiment)
    for name in _NOT_NEEDED:
        object.__setattr__(slim, name, None)
    for name in ("item_vectors", "item_labels"):
        if isinstance(given := getattr(condition.experiment, name), str | Path):
            object.__setattr__(slim, name, read_side_table(given)[0])
    return replace(condition, experiment=slim)


@dataclass(frozen=True)
class StorePlace:
    """A store as workers find it: theirs too if its ``mark`` is there, or without one.

    Of one in a bucket, workers have the local folder. They mark what the driver is to send.
    """

    folder: str
    mark: str | None = None
    uncached: tuple[str, ...] = ()
    marked: bool = False

    def open(self) -> ReturningStore:
        """The store; what cannot be written there is held, and sent back."""
        shared = self.mark is None or (Path(self.folder) / self.mark).exists()
        return ReturningStore(
            self.folder, uncached=self.uncached, shared=shared, marked=self.marked
        )


@dataclass(frozen=True, kw_only=True)
class Job:
    """One system on one fold: a recommender by its ``spelling``, or a run without one.

    ``known`` are entries of the driver's store that spare the worker some of the work. A
    recommender may ``only_fit``, or rank for some ``users`` alone, from a code to another. One
    that is tried as a setting leaves nothing but its ``trial``, which the store knows by this.
    ``draws`` are what is to be done without a system, from a draw to another.
    """

    key: str
    name: str
    system: bytes
    fold: int
    places: tuple[int, ...]
    spelling: str | None
    own: bool = False
    known: tuple[HeldEntry, ...] = ()
    only_fit: bool = False
    users: tuple[int, int] | None = None
    trial: Mapping[str, Any] | None = None
    draws: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class DrawnWork:
    """What is to be found in each of some blocks of draws."""

    work: BlockWork


TaskData = FoldPart | TrialData | DrawnWork
"""What all jobs of a task need."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Some jobs on one fold: together they take seconds, and ``bytes`` of memory.

    ``stores`` are the driver's, and the one for what has no spelling of its own.
    """

    fold: str
    bytes: int
    number: int = -1
    jobs: tuple[Job, ...] = ()
    stores: tuple[StorePlace, ...] = ()
    ranks: bool = True

    @property
    def text(self) -> str:
        """What is done, in a few words."""
        more = f" and {len(self.jobs) - 1} more" if len(self.jobs) > 1 else ""
        return f"{self.jobs[0].name}{more}"


Outputs = tuple[tuple[int, SystemOutput], ...]
"""What was made of a run, by the places of conditions; without targets, which the driver has."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """What became of a job: the costs of its stages, and what went wrong.

    ``entries`` are what could not be stored there, those of the driver's store first.
    ``outputs`` and ``reports`` are those of a run, ``found`` is what draws gave. Where a
    failure could not be sent, ``redo`` says that the driver is to see it for itself.
    """

    key: str
    costs: tuple[Cost, ...] = ()
    failure: Exception | None = None
    redo: bool = False
    entries: tuple[tuple[HeldEntry, ...], ...] = ()
    outputs: Outputs = ()
    reports: Reports = field(default_factory=dict)
    found: Any = None


@dataclass(frozen=True)
class Outcome:
    """What became of the jobs of a task, and which process of which machine took how long."""

    number: int
    done: tuple[Done, ...]
    host: str
    process: int
    seconds: float


def restricted(conditions: Conditions, users: slice) -> Conditions:
    """Conditions with the targets of some users alone."""
    return {
        place: (condition, targets_of_users(targets, users))
        for place, (condition, targets) in conditions.items()
    }


def outputs_of(done: Done, conditions: Conditions) -> list[tuple[int, SystemOutput]]:
    """What a worker made of a run, with the targets that the driver has."""
    return [
        (place, replace(output, targets=conditions[place][1])) for place, output in done.outputs
    ]
