"""Runs that were given: each file parsed once, its ids numbered once per catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import CranfieldError
from cranfield.base.ids import Codes, Ids
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import lists_of, locate
from cranfield.recommendation.runs.coding import Reading
from cranfield.recommendation.runs.files import open_run, source_of_run
from cranfield.recommendation.runs.report import RunReport, RunRules
from cranfield.recommendation.runs.run import NO_IDS, Run
from cranfield.recommendation.runs.source import (
    OpenRun,
    RunSource,
    blocks_of_users,
    open_lists,
)
from cranfield.scoring.measurement.corrected import pools_topics
from cranfield.scoring.scores import Floats
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.failures import Failures, noting, of_system

Conditions = Mapping[int, tuple[RankingCondition, Targets]]
"""Conditions and their targets, by their places."""


class RunCache:
    """The runs of a process while it works: parsed once, numbered once per catalogue.

    Without ``ranks`` those of a file are not read where it has scores: nothing is then
    known of ranks that contradict scores.
    """

    def __init__(self, *, ranks: bool = True) -> None:
        self._ranks = ranks
        self._sources: dict[tuple[str, Any], RunSource] = {}
        self._opened: dict[tuple[str, Any], list[tuple[Ids, Ids, OpenRun]]] = {}
        self._given: list[Any] = []  # tables are told apart by identity while they are held

    def parse_first(self, runs: Mapping[str, Any]) -> None:
        """Parse the first of some runs, while something else is read.

        What is wrong with it is told where it is opened.
        """
        for name, run in list(runs.items())[:1]:
            with suppress(CranfieldError):
                if isinstance(run, Run):
                    return
                self._sources[_key(name, run)] = self._source(name, run).loaded()

    def open(self, name: str, given: Any, user_ids: Ids, item_ids: Ids) -> OpenRun:
        """A run, by the name of its system, under the ids of a collection."""
        opened = self._opened.setdefault(_key(name, given), [])
        for users, items, run in opened:
            if users is user_ids and items is item_ids:
                return run
        with of_system():
            if isinstance(given, Run):
                source = replace(source_of_run(given, user_ids, item_ids), system=name)
            else:
                source = self._source(name, given)
            made = open_lists(source, user_ids, item_ids)
        self._sources[_key(name, given)] = made.source
        self._given.append(given)
        opened.append((user_ids, item_ids, made))
        return made

    def _source(self, name: str, given: Any) -> RunSource:
        known = self._sources.get(_key(name, given))
        return known or open_run(given, system=name, ranks=self._ranks)

    def listed_users(
        self,
        runs: Mapping[str, Any],
        user_ids: Ids,
        item_ids: Ids,
        failed: Failures | None = None,
    ) -> Codes:
        """The users of the collection for whom some of the runs that can be read has a list."""
        codes = [np.empty(0, dtype=np.int32)]
        for name, run in runs.items():
            with noting(name, failed):
                codes.append(self.open(name, run, user_ids, item_ids).listed_users)
        return np.unique(np.concatenate(codes))


def _key(name: str, given: Any) -> tuple[str, Any]:
    return name, given if isinstance(given, str) else id(given)


Reports = dict[tuple[str, RunRules], RunReport]
"""What was odd in each run, read by which rules."""


def locate_run(
    opened: OpenRun, fold: int, train: Ratings, conditions: Conditions, reports: Reports
) -> Iterator[tuple[int, SystemOutput]]:
    """The hits and scores of one run under some conditions, some users at a time.

    Rows are read once for all conditions that treat them alike. When all of it has been
    read, what was odd is reported, for the first fold that reads it; a run of which no list
    is left is refused.
    """
    parts: dict[RunRules, list[RunReport]] = {}
    together = any(pools_topics(condition.metrics) for condition, _ in conditions.values())
    blocks = [slice(0, train.n_users)] if together else blocks_of_users([opened])
    for users in track(blocks, f"scoring {opened.source.system}", len(blocks)):
        readings = dict[RunRules, Reading]()
        with of_system():
            rows = opened.part(users)
        for place, (condition, targets) in conditions.items():
            rules = condition.experiment.run_rules
            if rules not in readings:
                with of_system():
                    opened.check(rules)
                    readings[rules] = rows.read(train, rules)
                parts.setdefault(rules, []).append(readings[rules].report)
            part = targets if len(blocks) == 1 else targets_of_users(targets, users)
            hits, values, shown = _scored(condition, (part, targets), readings[rules].run)
            yield place, SystemOutput(opened.source.system, fold, targets, values, hits, shown)
    for rules, read in parts.items():
        with of_system():
            report = opened.report(read, rules)
        reports.setdefault((opened.source.system, rules), report)


def targets_of_users(targets: Targets, users: slice) -> Targets:
    """The targets of consecutive users."""
    ends = np.searchsorted(targets.topics.users, [users.start, users.stop]).tolist()
    return targets.take(slice(*ends))


def _scored(
    condition: RankingCondition, some: tuple[Targets, Targets], lists: Run
) -> tuple[Hits, Floats, Run | None]:
    """Where judged targets stand in the lists of some users, what that scores, and the lists.

    Given are the targets of these users, and those of all.
    """
    targets, whole = some
    hits, known_only = _located(condition, lists, targets), None
    if len(lists.unknown_items) and any(each.ranks_targets_only for each in condition.metrics):
        known_only = _located(condition, lists.without_unknown_items(), targets)
    if any(each.needs_lists for each in condition.metrics):
        depth = condition.experiment.depth
        own = lists_of(lists, targets)
        hits = condition.with_lists(hits, own if depth is None else own.cut(depth), targets)
    hits = condition.with_propensities(hits, whole)
    values, shown = condition.measure(hits, targets, known_only), None
    if condition.list_depth != 0:
        shown = lists.for_users(Topics(np.unique(targets.topics.users)))
        depth = condition.experiment.depth
        shown = shown if depth is None else shown.cut(depth)
    return hits, values, shown


def _located(condition: RankingCondition, lists: Run, targets: Targets) -> Hits:
    experiment = condition.experiment
    hits = locate(lists, targets, experiment.ties, experiment.seed)
    return hits if experiment.depth is None else hits.cut(experiment.depth)


def join_lists(system: str, parts: Sequence[Run]) -> Run:
    """The lists of all parts as one run.

    Items that the collection does not know are not told apart any more: each part has
    numbered them by itself.
    """
    unknown = any(len(part.unknown_items) for part in parts)
    if len(parts) == 1 and not unknown:
        return parts[0]
    lengths = np.concatenate([part.lengths for part in parts])
    return Run(
        system,
        Topics(np.concatenate([part.topics.users for part in parts])),
        offsets_of(lengths),
        np.maximum(np.concatenate([part.items for part in parts]), np.int32(-1)),
        np.concatenate([part.predictions for part in parts]),
        np.concatenate([part.tied for part in parts]),
        Ids(pl.Series(["unknown"])) if unknown else NO_IDS,
    )
