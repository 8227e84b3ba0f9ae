"""Trials: settings of a system that workers try, and leave in the store for who tunes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.options import spell_fully
from cranfield.recommendation.recommender import Recommender
from cranfield.workbench.execution.resources.memory import bytes_of_task
from cranfield.workbench.execution.systems.trial_data import KIND, TrialData
from cranfield.workbench.execution.workers.planning import PlannedJob, seconds_of, sizes_of
from cranfield.workbench.store.store import Store


@dataclass(frozen=True, eq=False)
class TrialWork:
    """Settings of one system that are tried on the same data, by their numbers.

    ``inputs`` are what the store knows each of their trials by.
    """

    name: str
    data: TrialData
    settings: Mapping[int, Recommender]
    inputs: Mapping[int, Mapping[str, Any]]


def plan_trials(work: TrialWork, store: Store) -> Iterator[PlannedJob]:
    """Every setting of which the store has no trial, as a job; its place is its number."""
    sizes = [sizes_of(each.train, [each]) for each in work.data.targets]
    for number, system in work.settings.items():
        spelling, inputs = spell_fully(system), work.inputs[number]
        if store.has(KIND, inputs):
            continue
        yield PlannedJob(
            key=store.key(KIND, inputs),
            name=work.name,
            system=system,
            places=(number,),
            spelling=spelling,
            own=False,
            passing=None,
            seconds=sum(seconds_of(store, system, spelling, each) for each in sizes),
            bytes=max(bytes_of_task(system, each, each.topics) for each in sizes),
            trial=inputs,
        )
