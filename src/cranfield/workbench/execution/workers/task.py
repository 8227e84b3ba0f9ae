"""Tasks: what workers are asked to do, and what they send back.

A worker takes the one road too: the same pass of a recommender, or of a run, by the same code.
What it makes goes to the store, from which the driver takes it as if it had made it itself.
"""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cranfield.base.errors import CranfieldError, Unsendable
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.side_table import read_side_table
from cranfield.collection.target import Targets
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.failures import Failures, noting
from cranfield.workbench.execution.systems.runs import (
    Reports,
    RunCache,
    locate_run,
    targets_of_users,
)
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.execution.systems.trial_data import KIND, TrialData, entry_of, holds_trial
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
    """A store as workers find it: theirs too if its ``mark`` is there, or without one."""

    folder: str
    mark: str | None = None
    uncached: tuple[str, ...] = ()

    def open(self) -> ReturningStore:
        """The store; what cannot be written there is held, and sent back."""
        shared = self.mark is None or (Path(self.folder) / self.mark).exists()
        return ReturningStore(self.folder, uncached=self.uncached, shared=shared)


@dataclass(frozen=True, kw_only=True)
class Job:
    """One system on one fold: a recommender by its ``spelling``, or a run without one.

    ``known`` are entries of the driver's store that spare the worker some of the work. A
    recommender may ``only_fit``, or rank for some ``users`` alone, from a code to another. One
    that is tried as a setting leaves nothing but its ``trial``, which the store knows by this.
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


TaskData = FoldPart | TrialData
"""What all jobs of a task need."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Some jobs on one fold: together they take seconds, and ``bytes`` of memory.

    ``stores`` are the driver's, and the one for what has no spelling of its own.
    """

    number: int
    fold: str
    jobs: tuple[Job, ...]
    stores: tuple[StorePlace, ...]
    bytes: int
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
    ``outputs`` and ``reports`` are those of a run. Where a failure could not be sent,
    ``redo`` says that the driver is to see it for itself.
    """

    key: str
    costs: tuple[Cost, ...] = ()
    failure: Exception | None = None
    redo: bool = False
    entries: tuple[tuple[HeldEntry, ...], ...] = ()
    outputs: Outputs = ()
    reports: Reports = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What became of the jobs of a task, and which process of which machine did them."""

    number: int
    done: tuple[Done, ...]
    host: str
    process: int


def perform(task: Task, fold: TaskData) -> Outcome:
    """Do all jobs of a task."""
    done = tuple(_perform(task, job, fold) for job in task.jobs)
    return Outcome(task.number, done, socket.gethostname(), os.getpid())


def _perform(task: Task, job: Job, fold: TaskData) -> Done:
    try:
        system = pickle.loads(job.system)  # noqa: S301  (of our own driver)
    except Exception as error:
        return Done(key=job.key, failure=Unsendable(job.name, said_by(error)))
    timing, failed, reports = Timing(), Failures(), Reports()
    stores, outputs = [place.open() for place in task.stores], Outputs()
    known: list[HeldEntry] = []
    try:
        with noting(job.name, failed):
            if isinstance(fold, TrialData):
                _try(job, system, fold, stores[0], timing)
            elif job.spelling is None:
                outputs = _locate(job, system, fold, reports, timing, ranks=task.ranks)
            else:
                known = _rank(job, system, fold, stores, timing)
    except CranfieldError:  # of no system, so that all stops: the driver will see
        return Done(key=job.key, costs=timing.costs, redo=True)
    failure, redo = _sendable(failed.get(job.name))
    spared = {id(each) for each in known}
    return Done(
        key=job.key,
        costs=timing.costs,
        failure=failure,
        redo=redo,
        entries=tuple(
            tuple(each for each in store.held.values() if id(each) not in spared)
            for store in stores
        ),
        outputs=outputs,
        reports=reports,
    )


def _try(job: Job, system: Any, data: TrialData, store: ReturningStore, timing: Timing) -> None:
    """Leave in the store what comes of a setting."""
    assert job.trial is not None  # as of all jobs on such data
    with timing.of("tuning", job.name):
        store.fetch(KIND, job.trial, lambda: entry_of(*data.value(system)), holds_trial)


def _rank(
    job: Job, system: Any, fold: FoldPart, stores: Sequence[ReturningStore], timing: Timing
) -> list[HeldEntry]:
    """Let the pass of a recommender leave in the store all that it makes; what it was spared.

    What is made for some users alone is left in the store for the time being.
    """
    some: Conditions = {place: fold.conditions[place] for place in job.places}
    if job.users is not None:
        some = restricted(some, slice(*job.users))
    store = stores[job.own or job.users is not None]
    passing = RecommenderPass(
        job.name, system, fold.train, some, store, timing, spelling=job.spelling
    )
    known = list(job.known)
    if job.users is not None and (fitted := stores[0].get(*passing.fit_entry())) is not None:
        known.append(HeldEntry(*passing.fit_entry(), fitted))
    for each in known:
        store.held[store.key(each.kind, each.inputs)] = each
    if job.only_fit:
        passing.fit()
    else:
        for _ in passing.outputs(job.fold):
            pass
    return known


def restricted(conditions: Conditions, users: slice) -> Conditions:
    """Conditions with the targets of some users alone."""
    return {
        place: (condition, targets_of_users(targets, users))
        for place, (condition, targets) in conditions.items()
    }


def _locate(
    job: Job, given: Any, fold: FoldPart, reports: Reports, timing: Timing, *, ranks: bool
) -> Outputs:
    """Read a run, and find the judged items in it."""
    train, some = fold.train, {place: fold.conditions[place] for place in job.places}
    with timing.of("reading_runs"):
        opened = RunCache(ranks=ranks).open(job.name, given, train.user_ids, train.item_ids)
    return tuple(
        (place, replace(output, targets=None))  # type: ignore[arg-type]
        for place, output in locate_run(opened, job.fold, train, some, reports)
    )


def outputs_of(done: Done, conditions: Conditions) -> list[tuple[int, SystemOutput]]:
    """What a worker made of a run, with the targets that the driver has."""
    return [
        (place, replace(output, targets=conditions[place][1])) for place, output in done.outputs
    ]


def _sendable(error: Exception | None) -> tuple[Exception | None, bool]:
    """An error as the driver would have it; none, and true, where it does not survive the way."""
    try:
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  (just pickled)
    except Exception:
        return None, True
    same = type(again) is type(error) and str(again) == str(error)
    return (error, False) if same else (None, True)


def said_by(error: Exception) -> str:
    """What an error of another library says."""
    return f"{type(error).__name__}: {error}"
