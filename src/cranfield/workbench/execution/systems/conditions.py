"""RankingCondition: decisions up to the rankings; SystemOutput: what one system made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, Protocol

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import facts_of_items
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Hits, TopicLists
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.scores import Floats
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.item_labels import labels_of
from cranfield.workbench.definition.side_tables import vectors_of
from cranfield.workbench.execution.systems.weighing import target_weights, weighed

_LEAST_REACH = 100
"""Ranks that are always known: fewer would save nothing."""

_LIST_DEPTH = 10
"""How deep lists are inspected where no metric has a cut-off."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingCondition:
    """Decisions up to the rankings, and the metrics that the rankings are scored by.

    ``list_depth`` is how much of each list observers get: 0 for nothing, None for all.
    ``lenient`` scores are undefined where a metric cannot be computed at all, as with
    gains that do not suit it; else that is an error. ``fit_seed`` is what systems are
    fitted by, where it is not the seed of the experiment. ``whole_ranks``: observers need
    every rank of judged items, though no metric does. ``learnt_from`` has, by system, the
    part of the training ratings that it learns from, where that is not all of them.
    """

    experiment: Experiment
    metrics: tuple[Metric, ...]
    list_depth: int | None = 0
    lenient: bool = False
    fit_seed: int | None = None
    whole_ranks: bool = True
    learnt_from: Mapping[str, Ratings] = field(default_factory=dict)

    def reach(self, n_items: int) -> int | None:
        """Down to which rank recommenders must be ranked; None for every rank.

        A hundred ranks at least, so that metrics of other cut-offs find them in the store.
        Expected scores need every rank, as ties at any rank change them.
        """
        experiment, cutoffs = self.experiment, [cutoff_of(metric) for metric in self.metrics]
        whole = self.whole_ranks or experiment.depth is not None or experiment.ties == "expected"
        if whole or None in cutoffs:
            return None
        deepest = max([_LEAST_REACH, *(cutoff for cutoff in cutoffs if cutoff is not None)])
        return deepest if deepest < n_items else None

    def ranking_choice(self, n_items: int) -> RankingChoice:
        """How predictions become rankings; conditions with equal ones share a pass."""
        experiment = self.experiment
        return RankingChoice(
            ties=experiment.ties,
            unscored=experiment.unscored,
            depth=n_items if self.depth_of_lists is None else max(self.depth_of_lists, 1),
            seed=experiment.seed,
        )

    @property
    def depth_of_lists(self) -> int | None:
        """How deep lists are needed, by observers or by metrics: 0 for nothing, None for all."""
        deepest = self.list_depth
        for metric in self.metrics:
            if metric.needs_lists and deepest is not None:
                cutoff = cutoff_of(metric)
                deepest = None if cutoff is None else max(deepest, cutoff)
        return deepest

    def with_lists(self, hits: Hits, lists: Run, targets: Targets) -> Hits:
        """The hits with the list of each topic, where a metric needs them."""
        if not any(metric.needs_lists for metric in self.metrics):
            return hits
        facts = facts_of_items(targets.train, self.item_vectors(targets), self.item_labels(targets))
        return replace(hits, lists=TopicLists(lists, facts))

    def with_propensities(self, hits: Hits, targets: Targets) -> Hits:
        """The hits with the propensities of judged targets, where a metric weighs them."""
        return weighed(hits, self.metrics, targets, self.experiment.seed)

    def topic_weights(self, targets: Targets) -> dict[str, Floats]:
        """How much topics count, by the metrics to which they do not all count alike."""
        made = target_weights(self.metrics, targets, self.experiment.seed)
        return {} if made is None else made.topic_weights

    def item_vectors(self, targets: Targets) -> Floats | None:
        """One vector per item, where a metric needs them and there are some."""
        if not any(getattr(metric, "needs_vectors", False) for metric in self.metrics):
            return None
        return vectors_of(self.experiment.item_vectors, targets.train.item_ids)

    def item_labels(self, targets: Targets) -> dict[str, ItemLabels]:
        """The labels of items that metrics need, where there are some."""
        return labels_of(self.experiment.item_labels, self.metrics, targets.train.item_ids)

    def measure(self, hits: Hits, targets: Targets, known_only: Hits | None = None) -> Floats:
        """The scores by all metrics; by one at a time if that is how far it goes.

        What needs a catalogue is undefined where none is known. ``known_only`` are the hits
        of the same lists without items that the collection does not know.
        """
        way: Literal["ranked", "expected"]
        way = "expected" if self.experiment.ties == "expected" else "ranked"
        popular = any(metric.needs_popularity for metric in self.metrics)
        popularity = targets.collection.positives if popular else None
        try:
            values = measure(
                hits, self.metrics, popularity=popularity, ties=way, known_only=known_only
            )
        except CranfieldError:
            if not self.lenient:
                raise
            if len(self.metrics) == 1:
                return np.full((1, len(hits)), np.nan)
            alone = [replace(self, metrics=(metric,)) for metric in self.metrics]
            return np.concatenate([each.measure(hits, targets, known_only) for each in alone])
        if unknown := self.unknown(targets):
            values = values.copy()
            values[[str(metric) in unknown for metric in self.metrics]] = np.nan
        return values

    def unknown(self, targets: Targets) -> frozenset[str]:
        """The metrics that need to know all items, where these are not known."""
        if knows_targets(self.experiment, targets):
            return frozenset()
        return frozenset(str(metric) for metric in self.metrics if metric.needs_catalogue)


def condition_of(experiment: Experiment) -> RankingCondition:
    """The one condition of an experiment, its lists as deep as its observers look."""
    whole = any(
        each.needs_whole_lists or cutoff_of(each) is None for each in experiment.run_metrics
    )
    # One more position shows a tie with the last.
    depth = None if whole else list_depth(experiment) + 1
    return RankingCondition(
        experiment=experiment,
        metrics=experiment.metrics,
        list_depth=depth,
        whole_ranks=_looks_at_all_ranks(experiment),
    )


def _looks_at_all_ranks(experiment: Experiment) -> bool:
    """Whether anything but metrics looks at ranks: bounds of 1R, criteria, item draws."""
    return (
        str(experiment.targets.relevant) != "all-relevant"
        or experiment.comparison.random == "users-and-items"
        or any(each.needs_hits and each.needs_all_ranks for each in experiment.assess)
    )


def list_depth(experiment: Experiment) -> int:
    """The deepest cut-off of the metrics: how deep lists are inspected."""
    metrics: Sequence[Metric | RunMetric] = (*experiment.metrics, *experiment.run_metrics)
    return max((cutoff_of(each) or 0 for each in metrics), default=0) or _LIST_DEPTH


def hits_inputs(inputs: dict[str, Any], reach: int | None) -> dict[str, Any]:
    """What names hits, by what names the rankings: whole, or of which a reach is known."""
    return inputs if reach is None else {**inputs, "reach": reach}


def knows_targets(experiment: Experiment, targets: Targets) -> bool:
    """Whether the items that would be ranked are known, and not only those that are judged."""
    return targets.collection.has_catalogue or not experiment.targets.needs_catalogue


@dataclass(frozen=True, eq=False)
class SystemOutput:
    """What one system made of consecutive topics of one condition on one fold.

    ``targets`` are those of all topics. ``lists`` has one list per user, or per topic
    where a recommender ranked them, down to the depth that was asked for.
    """

    system: str
    fold: int
    targets: Targets
    values: Floats
    hits: Hits
    lists: Run | None = None


@dataclass(frozen=True, eq=False)
class GivenRun:
    """A run that was given, not a recommender."""

    given: Any


Placed = Mapping[int, tuple[RankingCondition, Targets]]
"""Conditions and their targets, by their places."""


@dataclass(frozen=True, eq=False)
class FoldWork:
    """One fold that is to be scored: its number, its training ratings, its conditions."""

    number: int
    train: Ratings
    conditions: Placed


def by_system(conditions: Placed) -> Iterator[tuple[str, Recommender | GivenRun, list[int]]]:
    """Every different system, with the conditions that have it under the same name."""
    found: dict[tuple[object, ...], tuple[str, Recommender | GivenRun, list[int]]] = {}
    for place, (condition, _) in conditions.items():
        experiment = condition.experiment
        for name, system in experiment.systems.items():
            part = condition.learnt_from.get(name)
            fitted = condition.fit_seed, part and part.fingerprint
            key = (name, spelled_fully(system) or id(system), *fitted)
            found.setdefault(key, (name, system, []))[2].append(place)
        for name, run in experiment.runs.items():
            run_key = (name, run if isinstance(run, str) else id(run))
            found.setdefault(run_key, (name, GivenRun(run), []))[2].append(place)
    yield from found.values()


class Observer(Protocol):
    """Sees the rankings of every system while they are in memory."""

    def see(self, output: SystemOutput) -> None:
        """Note what is needed of some topics of one system."""
        ...
