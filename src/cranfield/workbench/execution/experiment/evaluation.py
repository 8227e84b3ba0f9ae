"""Evaluating: the systems of an experiment scored, summarised and broken down by groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, SystemsFailed
from cranfield.base.progress import bar
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import facts_of_items
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.aggregation import needs_draws
from cranfield.scoring.breakdown import (
    Breakdown,
    Groups,
    break_down,
    break_down_values,
    measure_by_item,
)
from cranfield.scoring.coverage import ListCounts, ListFacts, count_lists, facts_from_counts
from cranfield.scoring.expectation.expectation import Expectation, Expectations, expect_targets
from cranfield.scoring.folds import join_fold_expectations, join_folds
from cranfield.scoring.run_metric import RunFacts
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.scoring.summary import summarise
from cranfield.significance.group_gaps import with_gaps
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.item_labels import labels_of
from cranfield.workbench.definition.side_tables import vectors_of
from cranfield.workbench.execution.data.prepared_data import PreparedData, target_inputs
from cranfield.workbench.execution.experiment.grouping import (
    group_items,
    group_users,
    item_scores,
    refuse_weighted_groups,
)
from cranfield.workbench.execution.experiment.notes import notes_of, notes_of_failures
from cranfield.workbench.execution.experiment.users import users_entering
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import (
    SystemOutput,
    condition_of,
    knows_targets,
    list_depth,
)
from cranfield.workbench.execution.systems.failures import Failures, reasons_of
from cranfield.workbench.execution.systems.runs import join_lists
from cranfield.workbench.execution.systems.weighing import propensity_inputs, target_weights
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Store


def evaluate_prepared(experiment: Experiment, data: PreparedData, pipeline: Pipeline) -> Evaluation:
    """Score the systems of an experiment whose data are ready."""
    observer, failed = EvaluationObserver(experiment, data), Failures()
    with bar("running", len(experiment.names) * len(data.folds)) as shown:
        conditions = [condition_of(experiment)]
        scores = pipeline.score(data, conditions, {0: observer}, shown, failed)[0]
    return observer.evaluation(scores, pipeline, reasons_of(failed))


@dataclass(eq=False)
class _Seen:
    """What was seen of one system on one fold, some topics after others."""

    counts: list[ListCounts] = field(default_factory=list)
    lengths: list[Counts] = field(default_factory=list)
    lists: list[Run] = field(default_factory=list)
    by_item: list[Floats] = field(default_factory=list)

    @property
    def longest(self) -> int:
        """The length of the longest list."""
        return max(int(each.max(initial=0)) for each in self.lengths)


class EvaluationObserver:
    """Inspects the lists of every system while they are in memory."""

    def __init__(self, experiment: Experiment, data: PreparedData) -> None:
        if not experiment.metrics and not experiment.run_metrics:
            raise OptionError("metrics: at least one is needed, such as nDCG@10.")
        self._experiment, self._data = experiment, data
        self._depth = list_depth(experiment)
        self._cut = condition_of(experiment).list_depth
        self._targets: dict[int, Targets] = {}
        self._seen: dict[str, dict[int, _Seen]] = {}
        self._groups: list[Groups | None] = []

    def see(self, output: SystemOutput) -> None:
        """Count, and keep what metrics of whole runs need."""
        experiment, hits, targets = self._experiment, output.hits, output.targets
        if output.fold == len(self._groups):
            self._targets[output.fold] = targets
            self._groups.append(group_items(experiment.by, targets.collection))
            if self._groups[0] is not None:
                refuse_weighted_groups(experiment.metrics, targets)
        seen = self._seen.setdefault(output.system, {}).setdefault(output.fold, _Seen())
        seen.counts.append(count_lists(hits, self._depth, output.lists))
        seen.lengths.append(hits.lengths)
        if experiment.run_metrics and output.lists is not None:
            lists = output.lists
            seen.lists.append(lists if self._cut is None else lists.cut(self._cut))
        if (groups := self._groups[output.fold]) is not None:
            popular = any(metric.needs_popularity for metric in experiment.metrics)
            popularity = targets.collection.positives if popular else None
            seen.by_item.append(
                measure_by_item(hits, experiment.metrics, groups, popularity=popularity)
            )

    def evaluation(
        self, scores: Scores, pipeline: Pipeline, failed: Mapping[str, str] | None = None
    ) -> Evaluation:
        """What was seen, with the scores, as an evaluation; why others have ``failed``."""
        experiment, names, reasons = self._experiment, scores.systems, failed or {}
        whole = list(self._targets.values())
        if reasons and len(names) < 2 and experiment.aggregation.compares:
            problem = f"{experiment.aggregation} needs at least 2 systems; here 1 can be used."
            raise SystemsFailed(reasons, problem)
        reports = {
            name: pipeline.reports[name, experiment.run_rules]
            for name in names
            if name in experiment.runs
        }
        noted = notes_of(experiment, self._data, reports, whole, self._longest)
        summary = summarise(
            scores,
            experiment.summary_choice,
            lists={name: self._list_facts(name, whole) for name in names},
            expectation=self._expectations(names, whole, pipeline.store),
        )
        return Evaluation(
            experiment=experiment,
            scores=scores,
            summary=summary,
            lists={name: self._run_metrics(name, whole) for name in names},
            breakdowns=tuple(self._breakdowns(scores, whole)),
            reports=reports,
            users=users_entering(experiment, whole),
            notes=(*notes_of_failures(reasons), *noted),
            target_sets=tuple(whole),
            failed=reasons,
        )

    def _longest(self, name: str) -> int:
        """The length of the longest list of a system."""
        return max(seen.longest for seen in self._seen[name].values())

    def _list_facts(self, name: str, targets: Sequence[Targets]) -> ListFacts:
        folds = self._seen[name]
        users = Topics(np.concatenate([each.topics.users for each in targets]))
        lengths = np.concatenate([each for seen in folds.values() for each in seen.lengths])
        counts = [each for seen in folds.values() for each in seen.counts]
        return facts_from_counts(users, lengths, self._depth, counts)

    def _expectations(
        self, names: Sequence[str], targets: Sequence[Targets], store: Store
    ) -> dict[str, Expectation] | None:
        """What random rankings score, by system: lists end where the system's longest does."""
        experiment = self._experiment
        if not all(knows_targets(experiment, each) for each in targets):
            return None
        depths = {name: self._depths(name) for name in names}
        by_fold = [
            self._expected(each, list(dict.fromkeys(of[fold] for of in depths.values())), store)
            for fold, each in enumerate(targets)
        ]
        topics = [each.topics for each in targets]
        made = {
            ends: join_fold_expectations(
                [found[end] for found, end in zip(by_fold, ends, strict=True)], topics
            )
            for ends in dict.fromkeys(depths.values())
        }
        return {name: made[depths[name]] for name in names}

    def _depths(self, name: str) -> tuple[int | None, ...]:
        """Where random lists end, fold by fold: a recommender ranks all targets."""
        folds = self._seen[name]
        if name in self._experiment.systems:
            return (self._experiment.depth,) * len(folds)
        return tuple(seen.longest for seen in folds.values())

    def _expected(
        self, targets: Targets, depths: Sequence[int | None], store: Store
    ) -> Expectations:
        """What random rankings of one fold score, by depth; None stands for whole lists."""
        experiment = self._experiment
        metrics = experiment.metrics
        popular = any(metric.needs_popularity for metric in metrics)
        drawn = needs_draws(experiment.aggregation)
        made = target_weights(metrics, targets, experiment.seed)

        def make(ends: Sequence[int | None]) -> Expectations:
            return expect_targets(
                targets,
                metrics,
                depths=ends,
                popularity=targets.collection.positives if popular else None,
                weighing=None if made is None else made.weighing,
                keep_draws=drawn,
                seed=experiment.seed,
            )

        if store.folder is None:
            return make(depths)
        inputs = {
            **target_inputs(targets),
            "metrics": [str(metric) for metric in metrics],
            "draws": drawn,
            "seed": experiment.seed,
            **propensity_inputs(metrics, experiment.seed),
        }
        return {
            end: store.load(
                "expectation",
                {**inputs, "depth": end},
                lambda end=end: make([end])[end],  # type: ignore[misc]
                encoding.expectation_coding(len(metrics), len(targets.topics)),
            )
            for end in depths
        }

    @cached_property
    def _vectors(self) -> Floats | None:
        """What items are like, if somebody said."""
        return vectors_of(self._experiment.item_vectors, self._data.item_ids)

    @cached_property
    def _labels(self) -> dict[str, ItemLabels]:
        """What items are labelled with, where metrics of whole runs ask for it."""
        asked = self._experiment
        return labels_of(asked.item_labels, asked.run_metrics, self._data.item_ids)

    def _run_metrics(self, name: str, targets: Sequence[Targets]) -> dict[str, float]:
        """The value of each metric of whole runs: the mean over folds."""
        metrics = self._experiment.run_metrics
        if not metrics:
            return {}
        values = [self._of_fold(name, fold, each) for fold, each in enumerate(targets)]
        means = np.mean(values, axis=0).tolist()
        return {str(metric): mean for metric, mean in zip(metrics, means, strict=True)}

    def _of_fold(self, name: str, fold: int, targets: Targets) -> list[float]:
        experiment, collection = self._experiment, targets.collection
        known = facts_of_items(collection.train, self._vectors, self._labels)
        facts = RunFacts(known, collection.judgments)
        run = join_lists(name, self._seen[name][fold].lists)
        complete = knows_targets(experiment, targets)
        return [
            metric.of_run(run, facts) if complete or not metric.needs_catalogue else np.nan
            for metric in experiment.run_metrics
        ]

    def _breakdowns(self, scores: Scores, targets: Sequence[Targets]) -> list[Breakdown]:
        experiment, data = self._experiment, self._data
        train = targets[0].train if len(targets) == 1 or data.ratings is None else data.ratings
        tested = np.sum([each.judgments.ratings.user_counts for each in targets], axis=0)
        choice = experiment.summary_choice
        by_users = [
            group_users(each, train, tested, scores.topics)
            for each in experiment.by
            if each.of_users
        ]
        made = [
            with_gaps(break_down(scores, each, choice), scores, each, choice) for each in by_users
        ]
        if (groups := self._groups[0]) is not None:
            values = self._by_item(scores.systems, targets)
            made.append(break_down_values(scores, scores.metrics, values, groups, choice))
        return made

    def _by_item(self, names: Sequence[str], targets: Sequence[Targets]) -> dict[str, Floats]:
        """The scores of each system (groups × metrics × topics) on the items of each group."""
        seen = {name: self._seen[name] for name in names}
        folds = [
            item_scores(
                each,
                {name: np.concatenate(of[fold].by_item, axis=2) for name, of in seen.items()},
                {name: np.concatenate(of[fold].lengths) for name, of in seen.items()},
            )
            for fold, each in enumerate(targets)
        ]
        joined = join_folds(folds)
        size = (-1, len(self._experiment.metrics), len(joined))
        return {
            name: joined.values[joined.system_number(name)].reshape(size) for name in joined.systems
        }
