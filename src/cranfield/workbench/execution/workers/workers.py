"""Workers: the driver's side. What the store lacks is sent out, and what comes back is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError, Unsendable, WorkerLost, counted
from cranfield.base.progress import bar
from cranfield.significance.resampling import BlockWork
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import FoldWork
from cranfield.workbench.execution.workers.blocks import BlockedJob, user_blocks
from cranfield.workbench.execution.workers.draws import DrawWork, bytes_of
from cranfield.workbench.execution.workers.executor import Executor, Lost
from cranfield.workbench.execution.workers.planning import (
    Aliases,
    PlannedJob,
    batches,
    plan,
)
from cranfield.workbench.execution.workers.sending import (
    job_of,
    packed,
    packed_draws,
    refuse_too_large,
)
from cranfield.workbench.execution.workers.starting import open_executor
from cranfield.workbench.execution.workers.task import (
    Done,
    Job,
    Outcome,
    StorePlace,
    Task,
)
from cranfield.workbench.execution.workers.trials import TrialWork, plan_trials
from cranfield.workbench.execution.workers.worked import WorkRecord
from cranfield.workbench.store.returning import ReturningStore
from cranfield.workbench.store.store import Store

_TRIES = 3
"""How often a task is done whose workers end."""
_WAIT = 0.5
"""Seconds after which the display of progress is renewed."""
_UNCACHED = ("fit",)
"""What a store for the time being does not hold: fits are large, and used once."""


@dataclass(eq=False)
class _Sent:
    """A task that is under way, and how often it was tried."""

    task: Task
    tries: int = 1


Key = tuple[str, int]
"""A system of a fold: its name, and the first of its conditions or the number of its setting."""


class Workers:
    """Fills the store by workers, so that who then asks for scores finds everything there.

    ``store`` is that of the user, or one for the time being. ``own`` is for systems that were
    made in Python, which no later run could recognise. Workers are started when there is
    something to do.
    """

    def __init__(self, given: int | str, store: Store, folder: Path, *, ranks: bool) -> None:
        self._given, self._folder, self._ranks = given, folder, ranks
        self.own = ReturningStore(folder / "own", say=store.say, uncached=_UNCACHED)
        self.store = (
            self.own
            if store.folder is None
            else ReturningStore(store.folder, say=store.say, bucket=store.bucket)
        )
        self.timing = Timing()
        self._open: Executor | None = None
        self._aliases, self._numbers = Aliases(), count()
        self._sent: dict[int, _Sent] = {}
        self._pending: set[str] = set()
        self._done: dict[str, Done] = {}
        self._blocked: dict[str, BlockedJob] = {}
        self._users: Counter[str] = Counter()
        self._upcoming: Iterator[FoldWork] = iter(())
        self.record = WorkRecord()

    def spelling_of(self, system: Any) -> tuple[str, ReturningStore]:
        """What the entries of a system are known by, and where they are."""
        spelled = spelled_fully(system)
        return (self._aliases.of(system), self.own) if spelled is None else (spelled, self.store)

    def announce(self, works: Iterator[FoldWork]) -> None:
        """Say what will be asked for next, so that nobody is idle before it is."""
        self._upcoming = works

    def send(self, work: FoldWork) -> dict[Key, str]:
        """Send out what the store lacks of a fold; the key of each system, to wait for."""
        return self._send_lacking(work, list(plan(work, (self.store, self.own), self._aliases)))

    def try_out(self, work: TrialWork) -> dict[Key, Done]:
        """Have the settings tried that the store has no trials of; what became of these."""
        return self.wait_for(self._send_lacking(work, list(plan_trials(work, self.store))))

    def draw(self, work: BlockWork, blocks: Sequence[range]) -> Iterator[Any]:
        """What is found in each block of draws; what workers cannot do is done here."""
        jobs = DrawWork(work, blocks).jobs()
        message = packed_draws(work, self._executor)
        found: dict[Key, Done] = {}
        if message is not None and bytes_of(message) <= self._executor.memory:
            task = Task(fold=self._executor.share(message), bytes=bytes_of(message))
            for job in jobs:
                self._submit(task, [job])
            self._pending.update(job.key for job in jobs)
            found = self.wait_for({(job.name, job.places[0]): job.key for job in jobs})
        for job, block in zip(jobs, blocks, strict=True):
            done = found.get((job.name, job.places[0]), Done(key=job.key, redo=True))
            yield work(block) if done.redo or done.failure is not None else done.found

    def _send_lacking(
        self, work: FoldWork | TrialWork, planned: list[PlannedJob]
    ) -> dict[Key, str]:
        known = {*self._pending, *self._done}
        lacking = [job for job in planned if job.key not in known and job.lacks]
        if lacking:
            self._send(work, lacking)
        return {(job.name, job.places[0]): job.key for job in planned}

    def wait_for(self, keys: Mapping[Key, str]) -> dict[Key, Done]:
        """What became of some systems, once all of them are done; nothing of what was stored."""
        lacking = self._pending & set(keys.values())
        with bar(f"running on {_text(self._given)}", len(lacking)) as shown:
            while lacking:
                self._send_upcoming()
                for each in self._executor.finished(_WAIT):
                    self._lose(each) if isinstance(each, Lost) else self._take(each)
                left = self._pending & lacking
                shown.advance(len(lacking) - len(left))
                shown.describe(self._running())
                lacking = left
        found = {place: self._done[key] for place, key in keys.items() if key in self._done}
        for key in keys.values():
            # What went wrong is remembered, as it would go wrong again.
            if key in self._done and self._done[key].failure is None and not self._done[key].redo:
                del self._done[key]
        return found

    def close(self) -> None:
        """Stop all workers, whatever they are at."""
        if self._open is not None:
            self._open.close()
            self._open = None

    @property
    def _executor(self) -> Executor:
        """The executor, started now if it has not been."""
        if self._open is None:
            folders = self.store.folder, self.own.folder
            self._open = open_executor(self._given, self._folder, folders)
        return self._open

    def _send(self, work: FoldWork | TrialWork, jobs: Sequence[PlannedJob]) -> None:
        """Share the fold with all workers, and submit its tasks."""
        executor = self._executor
        message = packed(work, executor)
        for job in jobs:
            refuse_too_large(job, message.size, executor.memory)
        number = work.number if isinstance(work, FoldWork) else 0
        sent = {job.key: job_of(job, number, executor, self._store_of(job)) for job in jobs}
        fold = executor.share(message)
        stores = tuple(
            StorePlace(str(each.folder), executor.mark, tuple(each.uncached), each.marked)
            for each in (self.store, self.own)
        )
        task = Task(fold=fold, stores=stores, bytes=message.size, ranks=self._ranks)
        whole = []
        for job in jobs:
            if isinstance(work, FoldWork) and self._is_blocked(job, work):
                own = replace(task, bytes=task.bytes + job.bytes)
                blocked = BlockedJob(job, work, sent[job.key], own)
                self._submit_part(blocked, blocked.fit_job)
            else:
                whole.append(job)
        for some in batches(whole):
            needed = max(job.bytes for job in some)
            self._submit(replace(task, bytes=task.bytes + needed), [sent[job.key] for job in some])
        self._pending.update(sent)

    def _store_of(self, job: PlannedJob) -> ReturningStore:
        return self.own if job.own else self.store

    def _is_blocked(self, job: PlannedJob, work: FoldWork) -> bool:
        """Whether several workers rank for one system, which then is fitted and stored first."""
        stored = job.passing is not None and not job.own and "fit" not in self.store.uncached
        return stored and len(user_blocks(work.train.n_users, work.train.n_items)) > 1

    def _submit(self, task: Task, jobs: Sequence[Job], tries: int = 1) -> None:
        sent = replace(task, number=next(self._numbers), jobs=tuple(jobs))
        self._sent[sent.number] = _Sent(sent, tries)
        self._users[sent.fold] += 1
        self._executor.submit(sent)

    def _submit_part(self, blocked: BlockedJob, job: Job) -> None:
        self._blocked[job.key] = blocked
        self._submit(blocked.task, [job])

    def _send_upcoming(self) -> None:
        """Send out what was announced, before there is nothing left to do."""
        if len(self._sent) > self._executor.capacity:
            return
        upcoming, self._upcoming = self._upcoming, iter(())  # to make it may take workers, too
        with suppress(CranfieldError):  # it is raised when it is asked for
            work = next(upcoming, None)
            if work is not None:
                self.send(work)
            self._upcoming = upcoming

    def _take(self, outcome: Outcome) -> None:
        """Store what came back, and note who did it."""
        sent = self._end(outcome.number)
        self.record.add(outcome)
        for done in outcome.done:
            if isinstance(done.failure, Unsendable):
                raise done.failure
            for store, entries in zip((self.store, self.own), done.entries, strict=False):
                for each in entries:
                    store.put(*each)
            self.timing.add(done.costs)
            self._finish(done)
        self.store.upload(gathered=True)
        self._forget_unused(sent.task.fold)

    def _lose(self, lost: Lost) -> None:
        """Have a task done again, its jobs one by one; note that they failed after some tries."""
        sent = self._end(lost.number)
        for job in sent.task.jobs:
            if sent.tries == _TRIES:
                failure = WorkerLost(job.name, _TRIES, lost.how)
                self._finish(Done(key=job.key, failure=failure))
            else:
                self._submit(sent.task, [job], sent.tries + 1)
        self._forget_unused(sent.task.fold)

    def _end(self, number: int) -> _Sent:
        sent = self._sent.pop(number)
        self._users[sent.task.fold] -= 1
        return sent

    def _finish(self, done: Done) -> None:
        """Note that a job is done; of one that is done in parts, go on with the next."""
        blocked = self._blocked.pop(done.key, None)
        if blocked is None:
            self._pending.discard(done.key)
            self._done[done.key] = done
        elif done.failure is not None or done.redo:
            self._finish(replace(done, key=blocked.job.key))
        elif done.key == blocked.fit_job.key:
            self._rank_in_blocks(blocked)
        else:
            blocked.left.discard(done.key)
            if not blocked.left and blocked.job.key in self._pending:
                blocked.join(self.own)
                self._finish(Done(key=blocked.job.key))

    def _rank_in_blocks(self, blocked: BlockedJob) -> None:
        """Have a fitted system rank by several workers; by one, if its fit cannot be stored."""
        assert blocked.planned.passing is not None  # a run is not fitted
        if not self.store.has(*blocked.planned.passing.fit_entry()):
            self._submit(blocked.task, [blocked.job])
            return
        planned, number = blocked.planned, blocked.work.number
        again = job_of(planned, number, self._executor, self.store)
        jobs = list(blocked.block_jobs(again.known))
        blocked.left = {job.key for job in jobs}
        for job in jobs:
            self._submit_part(blocked, job)

    def _forget_unused(self, fold: str) -> None:
        if not self._users[fold]:
            del self._users[fold]
            self._executor.forget(fold)

    def _running(self) -> str:
        """What is done where, in a few words."""
        places = self._executor.running().items()
        tasks = {number: each.task for number, each in self._sent.items()}
        known = [(tasks[number], where) for number, where in places if number in tasks]
        return "; ".join(f"{task.text} on {where}" for task, where in known)


def _text(given: int | str) -> str:
    return given if isinstance(given, str) else counted(given, "process", "processes")
