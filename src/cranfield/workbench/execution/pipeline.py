"""The pipeline: the one road from data to the scores of systems."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cranfield.base.progress import Bar
from cranfield.base.threads import refuse_forked, run_concurrently
from cranfield.collection.fold import Fold, GivenFold
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import GivenParts
from cranfield.collection.target import Targets
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.files import refuse_missing
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.data.prepared_data import (
    FilteredRatings,
    PreparedData,
    data_inputs,
    ratings_inputs,
    read_filtered,
    split_filtered,
    take_parts,
    targets_of,
)
from cranfield.workbench.execution.data.user_columns import user_columns, with_columns
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import (
    FoldWork,
    GivenRun,
    Observer,
    Placed,
    RankingCondition,
    SystemOutput,
    by_system,
)
from cranfield.workbench.execution.systems.failures import (
    Failures,
    noting,
    of_system,
    refuse_all_failed,
)
from cranfield.workbench.execution.systems.runs import Reports, RunCache, locate_run
from cranfield.workbench.store.store import Store

if TYPE_CHECKING:
    from cranfield.workbench.execution.tuner import Tuner
    from cranfield.workbench.execution.workers.task import Done
    from cranfield.workbench.execution.workers.workers import Key, Workers

T = TypeVar("T")

Upcoming = tuple[Experiment, int | None, Sequence[RankingCondition]]
"""What will be scored: whose data, split by which seed if by another, and the conditions."""

Recent = OrderedDict[str, tuple[Experiment, T]]
"""By key: what was made of an experiment, which is held with it. Keys name tables by identity, so
that none may be freed, and another take its place in memory, while its key is known."""

Parts = dict[str, list[tuple[Floats, Counts]]]
"""By system: the scores of consecutive topics, and the lengths of their lists."""


class Pipeline:
    """The one road from data to scores; every command gets on and off somewhere along it.

    Data are read once, runs parsed once and systems fitted once for all that it is asked.
    ``ranks`` tells whether the ranks of runs are compared with their scores. ``reports``
    tell what was odd in the runs of the conditions that were scored last. With ``workers``,
    these first fill their store, which is that of the pipeline.
    """

    def __init__(
        self, store: Store | None = None, *, ranks: bool = True, workers: Workers | None = None
    ) -> None:
        refuse_forked()
        self.workers = workers
        self.store = workers.store if workers else store or Store(None)
        self.timing = workers.timing if workers else Timing()
        self.runs = RunCache(ranks=ranks)
        self.reports: Reports = {}
        self._filtered: Recent[FilteredRatings] = OrderedDict()
        self._prepared: Recent[PreparedData] = OrderedDict()

    @cached_property
    def tuner(self) -> Tuner:
        """Who chooses settings; loaded where there are systems to be fitted."""
        from cranfield.workbench.execution.tuner import Tuner

        return Tuner(self.store, self.timing, self.workers)

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of each stage so far."""
        return self.timing.seconds

    @property
    def worked(self) -> tuple[dict[str, Any], ...]:
        """Which processes have done something so far, and how much; none without workers."""
        return tuple(each.to_dict() for each in self.workers.record.worked) if self.workers else ()

    def prepare(self, experiment: Experiment, split_seed: int | None = None) -> PreparedData:
        """The data of an experiment, read, filtered and split; the last few stay in memory.

        That a file of a run or of scores is missing is said before anything is read.
        ``split_seed`` is what the ratings are split by, where it is not the seed of the
        experiment.
        """
        refuse_missing([*experiment.runs.values(), *getattr(experiment.aggregation, "files", ())])
        with self.timing.of("reading_and_splitting"):
            seed = experiment.seed if split_seed is None else split_seed
            key = f"{data_key(experiment)} {seed}"
            make = partial(self._prepare, split_seed=seed)
            return _recent(self._prepared, key, 4, experiment, make)

    def _prepare(self, experiment: Experiment, split_seed: int) -> PreparedData:
        if experiment.data is None:
            return take_parts(experiment, partial(self._read_parts, experiment))
        key = json.dumps(ratings_inputs(experiment), default=str)
        filtered = _recent(self._filtered, key, 2, experiment, read_filtered)
        return split_filtered(replace(experiment, seed=split_seed), filtered, self.store)

    def _read_parts(self, experiment: Experiment) -> tuple[Ratings | None, Ratings]:
        """Both parts, while the first run is parsed."""
        assert isinstance(experiment.split, GivenParts)  # else the experiment refuses to lack data
        train, test = experiment.split.sources()
        parse_run = partial(self.runs.parse_first, experiment.runs)

        def read() -> tuple[Ratings | None, Ratings]:
            return None if train is None else train.read(), test.read()

        return run_concurrently(read, parse_run)[0]

    def score(
        self,
        data: PreparedData,
        conditions: Sequence[RankingCondition],
        observers: Mapping[int, Observer] | None = None,
        bar: Bar | None = None,
        failed: Failures | None = None,
    ) -> list[Scores]:
        """The scores of conditions that share their data, one after the other.

        Each system is fitted once per fold, and ranks the targets of all conditions in one
        pass. Only the hits of one system are in memory at a time. A system that fails under
        one condition is noted in ``failed`` and is in none of the scores, though observers
        may have seen some of it; without ``failed``, what stopped it is raised.
        """
        self.reports = {}
        columns = [user_columns(each.experiment, data) for each in conditions]
        found: list[list[Scores]] = [[] for _ in conditions]
        for work, done in self._sent_out(self._folds(data, conditions, failed)):
            parts: list[Parts] = [{} for _ in conditions]
            for name, place, output in self._outputs(work, done, bar, failed):
                scored = output.values, output.hits.lengths
                parts[place].setdefault(name, []).append(scored)
                if observers and place in observers:
                    observers[place].see(output)
            for place, condition in enumerate(conditions):
                left, targets = _left(condition, failed), work.conditions[place][1]
                found[place].append(_scores(condition, targets, parts[place], left))
        return [
            with_columns(
                join_folds([part.by_systems(_left(condition, failed)) for part in each]), some
            )
            for condition, each, some in zip(conditions, found, columns, strict=True)
        ]

    def announce(self, asked: Iterable[Upcoming]) -> None:
        """Say what will be scored next, so that workers need not wait until it is."""
        if self.workers is not None:
            self.workers.announce(
                work
                for experiment, split_seed, some in asked
                for work in self._folds(self.prepare(experiment, split_seed), some, Failures())
            )

    def _folds(
        self,
        data: PreparedData,
        conditions: Sequence[RankingCondition],
        failed: Failures | None,
    ) -> Iterator[FoldWork]:
        """Every fold with the targets of all conditions."""
        for number, fold in enumerate(data.folds):
            with self.timing.of("targets"):
                targets = [self.targets(data, fold, each.experiment, failed) for each in conditions]
            settled = [
                self.tuner.settle(each, data, number, failed) if each.experiment.systems else each
                for each in conditions
            ]
            some = {place: (each, targets[place]) for place, each in enumerate(settled)}
            yield FoldWork(number, fold.train, some)

    def _sent_out(self, works: Iterator[FoldWork]) -> Iterator[tuple[FoldWork, dict[Key, Done]]]:
        """Every fold once workers, if there are any, have done what the store lacked of it."""
        if self.workers is None:
            yield from ((work, {}) for work in works)
            return
        sent = [(work, self.workers.send(work)) for work in works]
        for work, keys in sent:
            yield work, self.workers.wait_for(keys)

    def targets(
        self,
        data: PreparedData,
        fold: Fold | GivenFold,
        experiment: Experiment,
        failed: Failures | None = None,
    ) -> Targets:
        """Judgments, users and targets of one fold; runs that cannot be read are ``failed``."""
        listed = None
        if experiment.topics == "run" and not experiment.systems:
            runs, ids = experiment.runs, (data.user_ids, data.item_ids)
            listed = self.runs.listed_users(runs, *ids, failed)
            refuse_all_failed(experiment.names, failed or {})
        return targets_of(data, fold, experiment, listed)

    def _outputs(
        self,
        work: FoldWork,
        done: Mapping[Key, Done],
        bar: Bar | None,
        failed: Failures | None,
    ) -> Iterator[tuple[str, int, SystemOutput]]:
        """What every system made of one fold, by the place of the condition."""
        for name, system, places in by_system(work.conditions):
            some = {place: work.conditions[place] for place in places}
            with noting(name, failed):
                if name not in (failed or {}):
                    sent = done.get((name, places[0]))
                    for place, output in self._outputs_of(name, system, work, some, sent):
                        yield name, place, output
            if bar is not None:
                bar.advance()
        names = tuple(name for name, _, _ in by_system(work.conditions))
        refuse_all_failed(names, failed or {})

    def _outputs_of(
        self,
        name: str,
        system: Recommender | GivenRun,
        work: FoldWork,
        some: Placed,
        sent: Done | None,
    ) -> Iterator[tuple[int, SystemOutput]]:
        """What one system made of one fold, be it fitted or read, here or by a worker."""
        train = work.train
        if sent is not None and sent.failure is not None:
            with of_system():
                raise sent.failure
        if isinstance(system, GivenRun):
            if sent is not None and not sent.redo:
                from cranfield.workbench.execution.workers.task import outputs_of

                self.reports.update({**sent.reports, **self.reports})
                return iter(outputs_of(sent, some))
            with self.timing.of("reading_runs", name):
                opened = self.runs.open(name, system.given, train.user_ids, train.item_ids)
            located = locate_run(opened, work.number, train, some, self.reports)
            return self.timing.of_each(located, "scoring", name)
        from cranfield.workbench.execution.systems.system_pass import RecommenderPass

        known, store = self.workers.spelling_of(system) if self.workers else (None, self.store)
        passing = RecommenderPass(name, system, train, some, store, self.timing, spelling=known)
        return passing.outputs(work.number)


def data_key(experiment: Experiment) -> str:
    """What tells prepared data apart within a process."""
    return json.dumps(data_inputs(experiment), default=str)


def _recent(
    held: Recent[T], key: str, most: int, experiment: Experiment, make: Callable[[Experiment], T]
) -> T:
    """What is held by a key, or made anew; only the most recently used ones stay."""
    if key not in held:
        held[key] = experiment, make(experiment)
        while len(held) > most:
            held.popitem(last=False)
    held.move_to_end(key)
    return held[key][1]


def _left(condition: RankingCondition, failed: Failures | None) -> tuple[str, ...]:
    """The systems of a condition that have not failed."""
    return tuple(name for name in condition.experiment.names if name not in (failed or {}))


def _scores(
    condition: RankingCondition, targets: Targets, parts: Parts, names: Sequence[str]
) -> Scores:
    """The scores of some systems on one fold."""
    made = Scores.from_systems(
        targets.topics,
        targets.train.user_ids,
        tuple(map(str, condition.metrics)),
        {name: _joined([values for values, _ in parts[name]], axis=1) for name in names},
        {name: _joined([lengths for _, lengths in parts[name]], axis=0) for name in names},
        judgments=targets.judgments,
        train=targets.train,
    )
    weights = condition.topic_weights(targets)
    return replace(made, unknown=condition.unknown(targets), topic_weights=weights)


def _joined(parts: list[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=axis)
