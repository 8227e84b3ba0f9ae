"""Biases that the run of an experiment shows without being asked."""

from __future__ import annotations

from typing import cast

import numpy as np

from cranfield.base.options import from_table
from cranfield.collection.items import facts_of_items
from cranfield.collection.statistics.statistics import Statistics
from cranfield.collection.target import Targets
from cranfield.scoring.run_metric import RunFacts, RunMetric
from cranfield.validity.assessment import Assessment
from cranfield.validity.bias.precision_bounds import (
    BOUNDS_WORDS,
    PrecisionBounds,
    bounds_of_one_relevant,
    bounds_table,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.experiment.tendency import MEASURES, tendency
from cranfield.workbench.execution.systems.conditions import SystemOutput

_CUTOFF = 10


class BiasObserver:
    """Looks for biases in the lists of every system while they are in memory.

    With one list per user: how popular what they hold is. With a list per relevant item
    and one N_u per user: whether 1R precision is between the bounds that AR sets. Runs
    that are read in parts are left out: their lists are never in memory together.
    """

    def __init__(self) -> None:
        self._lists: dict[str, list[list[float]]] = {}
        self._bounds: dict[str, PrecisionBounds] = {}

    def see(self, output: SystemOutput) -> None:
        """Look at one fold of one system."""
        system, targets = output.system, output.targets
        if len(output.hits) < len(targets.topics):
            return
        if targets.topics.items is None and output.lists is not None:
            facts = RunFacts(facts_of_items(targets.train))
            values = [metric.of_run(output.lists, facts) for metric in _measures()]
            self._lists.setdefault(system, []).append(values)
        elif _shares_pools(targets):
            found = bounds_of_one_relevant(output.hits, _CUTOFF)
            known = self._bounds.get(system)
            self._bounds[system] = found if known is None else known + found

    def assessments(self, data: PreparedData, experiment: Experiment) -> list[Assessment]:
        """What was seen of the systems of an experiment, all folds together."""
        made, targets = [], str(experiment.targets)
        seen = {name: each for name, each in self._lists.items() if name in experiment.names}
        bounds = {name: each for name, each in self._bounds.items() if name in experiment.names}
        if seen and data.ratings is not None:
            lists = {name: np.mean(folds, axis=0).tolist() for name, folds in seen.items()}
            statistics = Statistics(data.ratings, experiment.relevance)
            made.append(tendency(lists, statistics, _CUTOFF, targets))
        if bounds:
            made.append(_bounds(bounds, targets))
        return made


def _measures() -> list[RunMetric]:
    tables = [{"name": name, "cutoff": _CUTOFF} for name in MEASURES]
    return [cast(RunMetric, from_table("run-metric", table)) for table in tables]


def _shares_pools(targets: Targets) -> bool:
    """Whether every topic is a user and a relevant item, and a user's topics share N_u."""
    topics, pools = targets.topics, targets.pools
    if topics.items is None or topics.segments is not None:
        return False
    return pools is None or len(np.unique(pools.of_topic)) == len(np.unique(topics.users))


def _bounds(bounds: dict[str, PrecisionBounds], targets: str) -> Assessment:
    outside = [name for name, each in bounds.items() if not each.holds]
    width = max(each.width for each in bounds.values())
    said = (
        f"1R precision at {_CUTOFF} is between the bounds that rankings of all relevant items "
        f"set, for all {len(bounds)} systems; the bounds are at most {width:.4f} apart."
        if not outside
        else f"1R precision at {_CUTOFF} is outside its bounds for {', '.join(outside)}: the "
        "measurement is wrong, or ties are broken differently from list to list."
    )
    return Assessment(
        criterion="bias: 1R between its bounds",
        reading=said,
        tables={"one_relevant_bounds": bounds_table(bounds)},
        words={**BOUNDS_WORDS, "one_relevant_bounds": f"1RP@{_CUTOFF} and its bounds by AR"},
        decisions={"targets": targets, "cutoff": _CUTOFF},
    )
