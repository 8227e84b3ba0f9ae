"""Performing: what workers do with the jobs of a task."""

from __future__ import annotations

import os
import pickle
import socket
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cranfield.base.errors import CranfieldError, Unsendable
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.failures import Failures, noting
from cranfield.workbench.execution.systems.runs import Reports, RunCache, locate_run
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.execution.systems.trial_data import KIND, TrialData, entry_of, holds_trial
from cranfield.workbench.execution.workers.task import (
    Conditions,
    Done,
    DrawnWork,
    FoldPart,
    Job,
    Outcome,
    Outputs,
    Task,
    TaskData,
    restricted,
)
from cranfield.workbench.store.returning import HeldEntry, ReturningStore


def perform(task: Task, fold: TaskData) -> Outcome:
    """Do all jobs of a task."""
    begun = time.perf_counter()
    done = tuple(
        _draw(job, fold) if isinstance(fold, DrawnWork) else _perform(task, job, fold)
        for job in task.jobs
    )
    seconds = time.perf_counter() - begun
    return Outcome(task.number, done, socket.gethostname(), os.getpid(), seconds)


def _draw(job: Job, drawn: DrawnWork) -> Done:
    """What is found in a block of draws; what goes wrong there, the driver sees for itself."""
    assert job.draws is not None  # as of all jobs of such work
    try:
        return Done(key=job.key, found=drawn.work(range(*job.draws)))
    except Exception:
        return Done(key=job.key, redo=True)


def _perform(task: Task, job: Job, fold: FoldPart | TrialData) -> Done:
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
