"""RankingCondition: decisions up to the rankings; SystemOutput: what one system made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np

from cranfield.base.errors import CranfieldError
from cranfield.collection.items import facts_of_items
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Hits, TopicLists
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.scoring.scores import Floats
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.side_tables import vectors_of


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingCondition:
    """Decisions up to the rankings, and the metrics that the rankings are scored by.

    ``list_depth`` is how much of each list observers get: 0 for nothing, None for all.
    ``lenient`` scores are undefined where a metric cannot be computed at all, as with
    gains that do not suit it; else that is an error. ``fit_seed`` is what systems are
    fitted by, where it is not the seed of the experiment. ``learnt_from`` has, by system, the
    part of the training ratings that it learns from, where that is not all of them.
    """

    experiment: Experiment
    metrics: tuple[Metric, ...]
    list_depth: int | None = 0
    lenient: bool = False
    fit_seed: int | None = None
    learnt_from: Mapping[str, Ratings] = field(default_factory=dict)

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
        vectors = self.item_vectors(targets)
        return replace(hits, lists=TopicLists(lists, facts_of_items(targets.train, vectors)))

    def item_vectors(self, targets: Targets) -> Floats | None:
        """One vector per item, where a metric needs them and there are some."""
        if not any(getattr(metric, "needs_vectors", False) for metric in self.metrics):
            return None
        return vectors_of(self.experiment.item_vectors, targets.train.item_ids)

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


class Observer(Protocol):
    """Sees the rankings of every system while they are in memory."""

    def see(self, output: SystemOutput) -> None:
        """Note what is needed of some topics of one system."""
        ...
