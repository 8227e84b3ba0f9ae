"""Blocks of users: one system that ranks a large catalogue by several workers.

It is fitted first. Then each task ranks the targets of some users, as the pass of a system ranks
those of all, and the driver puts the parts together. Blocks depend on the numbers of users and
items alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from cranfield.base.dataclass import dataclass
from cranfield.base.threads import chunks
from cranfield.recommendation.ranking.folds import join_folds
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import FoldWork
from cranfield.workbench.execution.systems.runs import join_lists
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.execution.workers.planning import PlannedJob
from cranfield.workbench.execution.workers.task import Job, Task, restricted
from cranfield.workbench.store.returning import HeldEntry
from cranfield.workbench.store.store import Store

_PREDICTIONS = 1 << 28
"""Predictions of a block: users times items."""


def user_blocks(users: int, items: int) -> list[slice]:
    """Consecutive users, so many that a block takes seconds; one block if all take little.

    >>> user_blocks(6_040, 3_706)
    [slice(0, 6040, None)]
    >>> len(user_blocks(29_858, 40_981))
    5
    """
    return list(chunks(users, max(1, _PREDICTIONS // max(items, 1))))


@dataclass(eq=False)
class BlockedJob:
    """A job whose users are ranked in blocks; ``left`` are those that are not done yet.

    ``task`` is what all its tasks have in common.
    """

    planned: PlannedJob
    work: FoldWork
    job: Job
    task: Task
    left: set[str] = field(default_factory=set)

    @property
    def users(self) -> list[slice]:
        """The blocks."""
        return user_blocks(self.work.train.n_users, self.work.train.n_items)

    @property
    def fit_job(self) -> Job:
        """What is done first."""
        return replace(self.job, key=f"{self.job.key} fit", only_fit=True)

    def block_jobs(self, known: tuple[HeldEntry, ...]) -> Iterator[Job]:
        """What is done then, by workers who know the fit."""
        for each in self.users:
            key, users = f"{self.job.key} {each.start}", (each.start, each.stop)
            yield replace(self.job, key=key, users=users, known=known)

    def join(self, parts: Store) -> None:
        """Put together what is in a store of parts, for the pass over all users to find."""
        passing, planned, number = self.planned.passing, self.planned, self.work.number
        assert passing is not None  # runs are not ranked
        found = [dict(_pass_of(self, users, parts).outputs(number)) for users in self.users]
        for place in planned.places:
            outputs = [each[place] for each in found]
            hits = join_folds([replace(each.hits, lists=None) for each in outputs])
            lists = [each.lists for each in outputs if each.lists is not None]
            joined = join_lists(planned.name, lists) if lists else None
            passing.put(place, hits, joined)


def _pass_of(job: BlockedJob, users: slice, parts: Store) -> RecommenderPass:
    """The pass over the targets of some users."""
    planned, some = job.planned, {place: job.work.conditions[place] for place in job.planned.places}
    return RecommenderPass(
        planned.name,
        planned.system,  # type: ignore[arg-type]  # a run is not ranked
        job.work.train,
        restricted(some, users),
        parts,
        Timing(),
        spelling=planned.spelling,
    )
