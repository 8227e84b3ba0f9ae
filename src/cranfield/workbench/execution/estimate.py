"""Estimate: what an experiment or a study will cost, before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.collection.fold import Fold, GivenFold
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.study.designs import Design, Universe
from cranfield.workbench.definition.study.repeat import Repeat
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.definition.tuning import Seconds, trials_of
from cranfield.workbench.execution.data.prepared_data import (
    PreparedData,
    fit_inputs,
    ranking_inputs,
)
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.resources import costs
from cranfield.workbench.execution.resources.fit_times import fit_seconds
from cranfield.workbench.execution.resources.memory import (
    Sizes,
    bytes_by_stage,
    bytes_of_draws,
    bytes_of_test,
)
from cranfield.workbench.execution.study.design_figures import study_test
from cranfield.workbench.execution.systems.conditions import condition_of, hits_inputs
from cranfield.workbench.store.store import Store
from cranfield.workbench.tuning.space import is_open


@dataclass(frozen=True)
class Estimate:
    """How much there is to do, how much of it the store has, and what the rest will take.

    ``rankings`` counts each system once for each set of targets. ``seconds`` are of a
    processor, and rough: they rest on earlier fits that the store knows of, else on the
    measurements of `costs`, and do not count kernels that are compiled for the first time.
    ``memory`` is the most that this process holds in each stage.
    """

    designs: int
    splits: int
    fits: int
    fits_cached: int
    rankings: int
    rankings_cached: int
    seconds: float
    memory: Mapping[str, int]

    @property
    def bytes(self) -> int:
        """The most memory of all stages."""
        return max(self.memory.values())

    def __str__(self) -> str:
        minutes = self.seconds / 60
        time = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
        return (
            f"{counted(self.designs, 'design')}: {counted(self.splits, 'split')}, "
            f"{counted(self.fits, 'fit')} ({self.fits_cached:,} cached), "
            f"{counted(self.rankings, 'ranking')} ({self.rankings_cached:,} cached); "
            f"about {time}, {_gibibytes(self.bytes)} GiB "
            f"({', '.join(f'{stage} {_gibibytes(each)}' for stage, each in self.memory.items())})."
        )


def _gibibytes(number: int) -> str:
    return f"{number / 2**30:.1f}"


def estimate(asked: Experiment | Study, pipeline: Pipeline, store: Store | None = None) -> Estimate:
    """What is to be done; data are read and split for it, nothing is fitted.

    What counts as cached is in ``store``, by default that of the pipeline.
    """
    cached = store or pipeline.store
    designs = Universe(asked).designs if isinstance(asked, Study) else []
    if isinstance(asked, Study):
        experiments = list(dict.fromkeys([asked.base, *(design.cell for design in designs)]))
        metrics = len({design.metric for design in designs})
    else:
        experiments, metrics = [asked], len(asked.metrics)
    groups: dict[str, list[Experiment]] = {}
    for experiment in experiments:
        groups.setdefault(data_key(experiment), []).append(experiment)
    alone = not isinstance(asked, Study)
    parts = [_part(group, pipeline, cached, metrics, alone) for group in groups.values()]
    tested = _testing(asked, designs, parts[0])
    splits = len(groups)
    if isinstance(asked, Study) and asked.repeat is not None:
        parts.append(_repeats(asked.repeat, asked.base, pipeline, cached))
        splits += asked.repeat.split_seeds - 1
    return Estimate(
        designs=max(len(designs), 1),
        splits=splits,
        fits=sum(part["fits"] for part in parts),
        fits_cached=sum(part["fits_cached"] for part in parts),
        rankings=sum(part["rankings"] for part in parts),
        rankings_cached=sum(part["rankings_cached"] for part in parts),
        seconds=costs.START + sum(part["seconds"] for part in parts) + tested["seconds"],
        memory=_memory([part["sizes"] for part in parts if "sizes" in part], tested["bytes"]),
    )


def _testing(
    asked: Experiment | Study, designs: Sequence[Design], base: Mapping[str, Any]
) -> dict[str, Any]:
    """The cost of comparing systems, and of the designs of a study."""
    experiment = asked.base if isinstance(asked, Study) else asked
    users, pairs = base["users"], comb(len(experiment.names), 2)
    draws = getattr(experiment.comparison_choice.test, "draws", 0)
    needed = bytes_of_test(draws, users, len(experiment.names) * len(experiment.metrics))
    seconds = 0.0
    if base["rankings_cached"] < base["rankings"] or experiment.runs:
        compared = pairs * len(experiment.metrics)
        seconds += costs.swap_seconds(experiment.aggregation, draws, users, compared)
    if isinstance(asked, Study):
        seconds += sum(_design_seconds(asked, each.experiment, users, pairs) for each in designs)
        needed = max(needed, bytes_of_draws(asked.draws, users, len(designs)))
    return {"seconds": seconds, "bytes": needed}


def _design_seconds(study: Study, design: Experiment, users: int, pairs: int) -> float:
    """The cost of one design: its figures, its own test, and its part of the joint one."""
    swap, average = costs.swap_seconds, design.aggregation
    jointly = pairs if study.joint_family == "all-pairs" else 1
    alone = swap(average, getattr(study_test(design), "draws", 0), users, pairs)
    return costs.PER_DESIGN + alone + swap(average, study.draws, users, jointly)


def _part(
    experiments: Sequence[Experiment], pipeline: Pipeline, store: Store, metrics: int, alone: bool
) -> dict[str, Any]:
    """The cost of the experiments that share a split, or of one ``alone``, not of a study."""
    data = pipeline.prepare(experiments[0])
    counts = ("fits", "fits_cached", "rankings", "rankings_cached")
    found: dict[str, Any] = {**dict.fromkeys(counts, 0), "seconds": 0.0, "users": 0}
    size = 0
    for fold in data.folds:
        targets = [pipeline.targets(data, fold, experiment) for experiment in experiments]
        size += sum(len(each.topics) for each in targets)
        _add_fold(found, fold, list(zip(experiments, targets, strict=True)), store, alone)
    scores = size * metrics * len(experiments[0].names)
    # A study looks at the lists of its base alone.
    depth = condition_of(experiments[0]).list_depth if alone else 1
    return {**found, "sizes": (_sizes(data, experiments, size, depth), experiments, scores)}


def _add_fold(
    found: dict[str, Any],
    fold: Fold | GivenFold,
    ranked: Sequence[tuple[Experiment, Targets]],
    store: Store,
    alone: bool,
) -> None:
    """Add the cost of experiments, each with its targets, on one fold."""
    found["seconds"] += (len(fold.train) + len(fold.test)) * costs.PER_RATING
    needed: dict[str, Any] = {}
    tuned: dict[Any, tuple[int, float]] = {}
    for experiment, chosen in ranked:
        for name, system in experiment.systems.items():
            spelling = spelled_fully(system) or str(system)
            inputs = {"system": spelling, **ranking_inputs(experiment, chosen)}
            found["rankings"] += 1
            reach = condition_of(experiment).reach(fold.train.n_items) if alone else None
            cut = hits_inputs(inputs, reach)
            if store.has("hits", inputs) or store.has("hits", cut):
                found["rankings_cached"] += 1
                continue
            needed[spelling] = system
            found["seconds"] += len(chosen.topics) * costs.PER_LIST
            tuned[spelling, experiment.tuning] = _tuning(experiment, name)
        found["rankings"] += len(experiment.runs)
    users = len(np.unique(ranked[0][1].topics.users))
    found["users"] = max(found["users"], users)
    for spelling, system in needed.items():
        inputs = fit_inputs(fold.train, spelling, ranked[0][0].seed)
        cached = store.has("fit", inputs)
        found["fits"] += 1
        found["fits_cached"] += cached
        found["seconds"] += 0 if cached else fit_seconds(store, system, spelling, len(fold.train))
        found["seconds"] += costs.predict_seconds(system, len(fold.train), users)
    _add_trials(found, needed, tuned, fold.train, store)


def _add_trials(
    found: dict[str, Any],
    systems: Mapping[str, Any],
    tuned: Mapping[Any, tuple[int, float]],
    train: Ratings,
    store: Store,
) -> None:
    """Add the cost of tuning some systems on training ratings."""
    for (spelling, _), (trials, seconds) in tuned.items():
        each = _system_seconds(systems[spelling], train, store) if trials else 0.0
        found["fits"] += trials
        found["seconds"] += seconds + trials * each


def _tuning(experiment: Experiment, name: str) -> tuple[int, float]:
    """The trials of a system that is tuned; where only time limits them, its seconds."""
    if experiment.tuning is None or not is_open(experiment.systems[name]):
        return 0, 0.0
    budget = experiment.tuning.budget_of(name)
    timed = budget.seconds if isinstance(budget, Seconds) and budget.trials is None else 0.0
    return trials_of(budget) or 0, timed


def _repeats(repeat: Repeat, base: Experiment, pipeline: Pipeline, store: Store) -> dict[str, Any]:
    """The cost of repeats beyond the base, by its two slowest systems; none counts as cached."""
    folds = pipeline.prepare(base).folds
    train, times = folds[0].train, (repeat.split_seeds * repeat.fit_seeds - 1) * len(folds)
    costly = sorted(_system_seconds(each, train, store) for each in base.systems.values())[-2:]
    uncached = {"fits_cached": 0, "rankings_cached": 0}
    seconds = times * sum(costly)
    return {**uncached, "fits": 2 * times, "rankings": 2 * times, "seconds": seconds}


def _system_seconds(system: Any, train: Ratings, store: Store) -> float:
    """The cost of a fit and of all predictions."""
    predicting = costs.predict_seconds(system, len(train), train.n_users)
    spelling = spelled_fully(system) or str(system)
    return fit_seconds(store, system, spelling, len(train)) + predicting


def _sizes(
    data: PreparedData, experiments: Sequence[Experiment], topics: int, depth: int | None
) -> Sizes:
    """What memory depends on, of the experiments of a split."""
    train = data.folds[0].train
    return Sizes(
        users=train.n_users,
        items=train.n_items,
        train=len(train),
        topics=topics,
        judged=len(experiments) * len(data.folds[0].test),
        depth=train.n_items if depth is None else depth,
    )


def _memory(
    groups: Sequence[tuple[Sizes, Sequence[Experiment], int]], compared: int
) -> dict[str, int]:
    """The most that each stage holds, of all splits."""
    found = [
        bytes_by_stage(sizes, _systems(experiments), scores, compared)
        for sizes, experiments, scores in groups
    ]
    return {stage: max(each[stage] for each in found) for stage in found[0]}


def _systems(experiments: Sequence[Experiment]) -> list[Any]:
    return [system for each in experiments for system in each.systems.values()]
