"""The pipeline: the one road from data to the scores of systems."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from cranfield.base.errors import MissingColumn
from cranfield.base.progress import Bar
from cranfield.base.threads import refuse_forked, run_concurrently
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Fold, GivenFold, GivenParts
from cranfield.collection.target import Targets
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.files import refuse_missing
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.workbench.definition.aggregated import column_asked
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.side_tables import object_text, user_columns_of
from cranfield.workbench.execution.conditions import Observer, RankingCondition, SystemOutput
from cranfield.workbench.execution.failures import Failures, noting, refuse_all_failed
from cranfield.workbench.execution.prepared_data import (
    FilteredRatings,
    PreparedData,
    data_inputs,
    ratings_inputs,
    read_filtered,
    split_filtered,
    take_parts,
    targets_of,
)
from cranfield.workbench.execution.runs import Reports, RunCache, locate_run
from cranfield.workbench.execution.system_pass import RecommenderPass
from cranfield.workbench.execution.timing import Timing
from cranfield.workbench.execution.tuner import Tuner
from cranfield.workbench.store.store import Store

T = TypeVar("T")

Parts = dict[str, list[tuple[Floats, Counts]]]
"""By system: the scores of consecutive topics, and the lengths of their lists."""


class Pipeline:
    """The one road from data to scores; every command gets on and off somewhere along it.

    Data are read once, runs parsed once and systems fitted once for all that it is asked.
    ``ranks`` tells whether the ranks of runs are compared with their scores. ``reports``
    tell what was odd in the runs of the conditions that were scored last.
    """

    def __init__(self, store: Store | None = None, *, ranks: bool = True) -> None:
        refuse_forked()
        self.store = store or Store(None)
        self.timing = Timing()
        self.runs = RunCache(ranks=ranks)
        self.reports: Reports = {}
        self.tuner = Tuner(self.store)
        self._filtered: OrderedDict[str, FilteredRatings] = OrderedDict()
        self._prepared: OrderedDict[str, PreparedData] = OrderedDict()

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of each stage so far."""
        return self.timing.seconds

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
            return _recent(self._prepared, key, 4, lambda: self._prepare(experiment, seed))

    def _prepare(self, experiment: Experiment, split_seed: int) -> PreparedData:
        if experiment.data is None:
            return take_parts(experiment, partial(self._read_parts, experiment))
        key = json.dumps(ratings_inputs(experiment), default=str)
        filtered = _recent(self._filtered, key, 2, lambda: read_filtered(experiment))
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
        columns = [_user_columns(each.experiment, data) for each in conditions]
        found: list[list[Scores]] = [[] for _ in conditions]
        for number, fold in enumerate(data.folds):
            with self.timing.of("targets"):
                targets = [self.targets(data, fold, each.experiment, failed) for each in conditions]
            with self.timing.of("tuning"):
                settled = [self.tuner.settle(each, data, number, failed) for each in conditions]
            some = {place: (each, targets[place]) for place, each in enumerate(settled)}
            parts: list[Parts] = [{} for _ in conditions]
            for name, place, output in self._outputs(data, number, some, bar, failed):
                scored = output.values, output.hits.lengths
                parts[place].setdefault(name, []).append(scored)
                if observers and place in observers:
                    observers[place].see(output)
            for place, condition in enumerate(conditions):
                left = _left(condition, failed)
                found[place].append(_scores(condition, targets[place], parts[place], left))
        return [
            _with_columns(
                join_folds([part.by_systems(_left(condition, failed)) for part in each]), some
            )
            for condition, each, some in zip(conditions, found, columns, strict=True)
        ]

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
        data: PreparedData,
        number: int,
        conditions: Mapping[int, tuple[RankingCondition, Targets]],
        bar: Bar | None,
        failed: Failures | None,
    ) -> Iterator[tuple[str, int, SystemOutput]]:
        """What every system made of one fold, by the place of the condition."""
        for name, system, places in _by_system(conditions):
            some = {place: conditions[place] for place in places}
            with noting(name, failed):
                if name not in (failed or {}):
                    for place, output in self._outputs_of(name, system, data, number, some):
                        yield name, place, output
            if bar is not None:
                bar.advance()
        names = tuple(name for name, _, _ in _by_system(conditions))
        refuse_all_failed(names, failed or {})

    def _outputs_of(
        self,
        name: str,
        system: Recommender | _GivenRun,
        data: PreparedData,
        number: int,
        some: Mapping[int, tuple[RankingCondition, Targets]],
    ) -> Iterator[tuple[int, SystemOutput]]:
        """What one system made of one fold, be it fitted or read."""
        train = data.folds[number].train
        if isinstance(system, _GivenRun):
            with self.timing.of("reading_runs"):
                opened = self.runs.open(name, system.given, data.user_ids, data.item_ids)
            return locate_run(opened, number, train, some, self.reports)
        passing = RecommenderPass(name, system, train, some, self.store, self.timing)
        return passing.outputs(number)


class _GivenRun:
    """A run that was given, not a recommender."""

    def __init__(self, given: Any) -> None:
        self.given = given


def data_key(experiment: Experiment) -> str:
    """What tells prepared data apart within a process."""
    return json.dumps(data_inputs(experiment), default=str)


def _recent(held: OrderedDict[str, T], key: str, most: int, make: Callable[[], T]) -> T:
    """What is held by a key, or made anew; only the most recently used ones stay."""
    if key not in held:
        held[key] = make()
        while len(held) > most:
            held.popitem(last=False)
    held.move_to_end(key)
    return held[key]


def _by_system(
    conditions: Mapping[int, tuple[RankingCondition, Targets]],
) -> Iterator[tuple[str, Recommender | _GivenRun, list[int]]]:
    """Every different system, with the conditions that have it under the same name."""
    found: dict[tuple[object, ...], tuple[str, Recommender | _GivenRun, list[int]]] = {}
    for place, (condition, _) in conditions.items():
        experiment = condition.experiment
        for name, system in experiment.systems.items():
            part = condition.learnt_from.get(name)
            fitted = condition.fit_seed, part and part.fingerprint
            key = (name, spelled_fully(system) or id(system), *fitted)
            found.setdefault(key, (name, system, []))[2].append(place)
        for name, run in experiment.runs.items():
            run_key = (name, run if isinstance(run, str) else id(run))
            found.setdefault(run_key, (name, _GivenRun(run), []))[2].append(place)
    yield from found.values()


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
    return replace(made, unknown=condition.unknown(targets))


def _user_columns(experiment: Experiment, data: PreparedData) -> dict[str, Floats]:
    """The numbers of users, read before anything is fitted; refused without the one asked for."""
    columns = user_columns_of(experiment.user_columns, data.user_ids)
    asked = column_asked(experiment.aggregation)
    if asked is not None and asked not in columns:
        where = object_text(experiment.user_columns)
        raise MissingColumn(where, str(experiment.aggregation), columns, named=asked)
    return columns


def _with_columns(scores: Scores, columns: Mapping[str, Floats]) -> Scores:
    """Scores that know the numbers of their users."""
    if not columns:
        return scores
    more = {name: each[scores.topics.users] for name, each in columns.items()}
    return replace(scores, user_columns={**scores.user_columns, **more})


def _joined(parts: list[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=axis)
