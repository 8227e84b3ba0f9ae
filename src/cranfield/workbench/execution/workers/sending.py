"""Sending: folds and jobs as workers get them, and what is refused before anything is sent."""

from __future__ import annotations

from cranfield.base.errors import TooLarge, Unsendable
from cranfield.significance.resampling import BlockWork
from cranfield.workbench.execution.systems.conditions import FoldWork, GivenRun
from cranfield.workbench.execution.workers.executor import Executor
from cranfield.workbench.execution.workers.message import Message, pack, pickled
from cranfield.workbench.execution.workers.performing import said_by
from cranfield.workbench.execution.workers.planning import PlannedJob
from cranfield.workbench.execution.workers.task import (
    DrawnWork,
    Job,
    sendable_fold,
    sendable_trials,
)
from cranfield.workbench.execution.workers.trials import TrialWork
from cranfield.workbench.store.returning import HeldEntry
from cranfield.workbench.store.store import Store

_RANKED = ("hits", "lists")
"""The kinds of entries that a fitted recommender is needed for."""


def packed_draws(work: BlockWork, executor: Executor) -> Message | None:
    """What is to be found in draws, for all workers; None where it cannot be sent."""
    try:
        return pack(DrawnWork(work), executor.pickler)
    except Exception:  # as with an average of the user's: then the driver does it
        return None


def packed(work: FoldWork | TrialWork, executor: Executor) -> Message:
    """The fold, or what settings are tried on, for all workers."""
    try:
        if isinstance(work, TrialWork):
            return pack(sendable_trials(work.data), executor.pickler)
        return pack(sendable_fold(work.train, work.conditions), executor.pickler)
    except Exception as error:  # as a metric of the user's may be
        raise Unsendable("the experiment", said_by(error)) from error


def job_of(job: PlannedJob, fold: int, executor: Executor, store: Store) -> Job:
    """A job as it is sent: its system pickled, and what workers do not find themselves."""
    system = job.system.given if isinstance(job.system, GivenRun) else job.system
    try:
        sent = pickled(system, executor.pickler)
    except Exception as error:  # what objects of users raise has no end
        raise Unsendable(job.name, said_by(error)) from error
    _bring(job, store)
    return Job(
        key=job.key,
        name=job.name,
        system=sent,
        fold=fold,
        places=job.places,
        spelling=job.spelling,
        own=job.own,
        known=() if executor.shares_files else _known(job, store),
        trial=job.trial,
    )


def _bring(job: PlannedJob, store: Store) -> None:
    """Have in the folder what a bucket has of a job: workers look there alone."""
    if job.passing is None or store.bucket is None:
        return
    entries = list(job.passing.entries())
    for entry in entries:
        store.bring(*entry)
    if not all(store.has(*entry) for entry in entries if entry[0] in _RANKED):
        store.bring(*job.passing.fit_entry())


def _known(job: PlannedJob, store: Store) -> tuple[HeldEntry, ...]:
    """What the store has of a job, for workers that have another disk."""
    if job.passing is None:
        return ()
    wanted = [job.passing.fit_entry(), *job.passing.entries()]
    found = [(entry, store.get(*entry)) for entry in wanted]
    return tuple(HeldEntry(*entry, got) for entry, got in found if got is not None)


def refuse_too_large(job: PlannedJob, shared: int, memory: int) -> None:
    """Refuse, before anything starts, what no worker has the memory for."""
    needed = job.bytes + shared
    if needed > memory:
        problem = f"a worker would need about {_gibibytes(needed)}, and the largest has"
        remedy = "Use a machine with more memory, or leave the system out"
        raise TooLarge(job.name, f"{problem} {_gibibytes(memory)}", remedy)


def _gibibytes(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"
