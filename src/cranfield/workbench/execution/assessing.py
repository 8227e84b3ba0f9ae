"""Assessing: whether the metrics of an experiment can be trusted, on its own systems.

Assessments are cached in the store by what they are computed from, since a robustness study takes
minutes and several reports may show parts of one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.ranking.folds import join_folds
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.scores import Scores
from cranfield.significance.paired_test import PairedTest
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import (
    Criterion,
    Evidence,
    evidence_of_items,
    refuse_too_few,
    refuse_too_few_metrics,
)
from cranfield.validity.meta.p_values import PairwisePValues, p_values_from_scores
from cranfield.validity.meta.self_agreement import ThinnedScenarios
from cranfield.validity.meta.system_values import SystemValues, values_from_scores
from cranfield.validity.meta.thinned_systems import join_hits
from cranfield.validity.thinned_criterion import Thinning
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import (
    RankingCondition,
    SystemOutput,
    condition_of,
)
from cranfield.workbench.execution.systems.failures import Failures
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Store

_TABLES = "long"
"""The layout of an assessment's tables; what was stored in another is computed again."""


def refuse_unassessable(experiment: Experiment) -> None:
    """Tell before long work that there are too few systems or metrics to be assessed."""
    for criterion in experiment.assess:
        refuse_too_few(str(criterion), len(experiment.names))
        refuse_too_few_metrics(str(criterion), criterion, len(experiment.metrics))


def assess_metrics(systems: AssessedSystems, store: Store) -> tuple[Assessment, ...]:
    """What every criterion says; folds are taken together, and the user stays the unit."""
    assessor = Assessor(store)
    return tuple(assessor.assess(criterion, systems) for criterion in systems.experiment.assess)


class Assessor:
    """Assesses systems; what was assessed before, here or in the store, is not again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Assessment] = {}

    def assess(self, criterion: Criterion, systems: AssessedSystems) -> Assessment:
        """What one criterion says."""
        inputs = systems.inputs(criterion)
        if inputs is None:
            return criterion.assess(systems.evidence(criterion))
        key = json.dumps(inputs)
        if key not in self._known:
            self._known[key] = self._store.load(
                "assessment",
                inputs,
                lambda: self._assess(criterion, systems),
                encoding.object_coding(Assessment),
            )
        return self._known[key]

    def _assess(self, criterion: Criterion, systems: AssessedSystems) -> Assessment:
        """What one criterion says; systems that are left out later need no second thinning."""
        if isinstance(criterion, Thinning) and systems.hits:
            return self.thin(criterion, systems).assess()
        return criterion.assess(systems.evidence(criterion))

    def thin(self, criterion: Thinning, systems: AssessedSystems) -> ThinnedScenarios:
        """What systems reach on the test sets that a criterion thins."""
        inputs = systems.inputs(criterion)
        if inputs is None:
            return criterion.thin(systems.evidence(criterion))
        found: ThinnedScenarios = self._store.load(
            "thinned",
            inputs,
            lambda: criterion.thin(systems.evidence(criterion)),
            encoding.object_coding(ThinnedScenarios),
        )
        return found


@dataclass(frozen=True, eq=False)
class AssessedSystems:
    """What a run knows of its systems; p-values and joined folds are made when needed.

    ``hits`` may be of more systems than those with scores, as some may have failed since.
    ``items`` is what is known of items.
    """

    experiment: Experiment
    scores: Scores
    hits: Mapping[str, Sequence[Hits]]
    items: Evidence

    @cached_property
    def values(self) -> SystemValues:
        """The value of every system."""
        return values_from_scores(self.scores, self.experiment.aggregation)

    @cached_property
    def p_values(self) -> PairwisePValues:
        """The p-value of every pair of systems."""
        return p_values_from_scores(self.scores, self.test, self.experiment.seed)

    @property
    def test(self) -> PairedTest:
        """The test that compares systems."""
        return self.experiment.comparison_choice.test

    @cached_property
    def joined(self) -> dict[str, Hits]:
        """The hits of every system, folds taken together."""
        return {name: join_folds(parts) for name, parts in self._scored_hits.items()}

    @property
    def _scored_hits(self) -> dict[str, Sequence[Hits]]:
        return {name: self.hits[name] for name in self.scores.systems if name in self.hits}

    def evidence(self, criterion: Criterion) -> Evidence:
        """What a criterion needs to know."""
        return replace(
            self.items,
            values=self.values if criterion.needs_values else None,
            scores=self.scores if criterion.needs_scores else None,
            p_values=self.p_values if criterion.needs_p_values else None,
            hits=self.joined or None if criterion.needs_hits else None,
            metrics=self.experiment.metrics,
            test=self.test if criterion.needs_test else None,
            seed=self.experiment.seed,
        )

    def inputs(self, criterion: Criterion) -> dict[str, Any] | None:
        """What the verdict depends on; None if something of it was made in Python."""
        experiment = self.experiment
        tested = criterion.needs_p_values or criterion.needs_test
        by_user = criterion.needs_p_values or criterion.needs_scores
        test = self.test if tested else None
        options = [criterion, *experiment.metrics, *([] if test is None else [test])]
        spelled = [spelled_fully(each) for each in options]
        if None in spelled:
            return None
        return {
            "tables": _TABLES,
            "options": spelled,
            "systems": list(self.scores.systems),
            "values": fingerprint(self.values.values) if criterion.needs_values else None,
            "scores": self._content_of_scores if by_user else None,
            "hits": self._content_of_hits if criterion.needs_hits else None,
            "seed": experiment.seed,
        }

    @cached_property
    def _content_of_scores(self) -> str:
        return encoding.content_of_scores(self.scores)

    @cached_property
    def _content_of_hits(self) -> str:
        folds = (part for parts in self._scored_hits.values() for part in parts)
        known = self.items
        arrays = [each for each in (known.popularity, known.train_counts) if each is not None]
        counts = np.array([-1 if known.n_items is None else known.n_items, len(arrays)])
        return encoding.content_of_hits(folds, counts, *arrays)


class EvidenceObserver:
    """Holds what criteria need of rankings."""

    def __init__(self, *, keeps_hits: bool) -> None:
        self._keeps_hits = keeps_hits
        self._hits: dict[str, list[Hits]] = {}
        self._collections: dict[int, TestCollection] = {}

    def see(self, output: SystemOutput) -> None:
        """Note some topics of one system."""
        self._collections[output.fold] = output.targets.collection
        if self._keeps_hits:
            self._hits.setdefault(output.system, []).append(output.hits)

    def systems(self, experiment: Experiment, scores: Scores) -> AssessedSystems:
        """The systems that were seen, with their scores."""
        items = evidence_of_items(list(self._collections.values()))
        return AssessedSystems(experiment, scores, self._hits, items)


def thin_systems(experiment: Experiment, pipeline: Pipeline) -> dict[Criterion, ThinnedScenarios]:
    """What the systems of an experiment reach on thinned test sets, by criterion that asks."""
    observer = EvidenceObserver(keeps_hits=True)
    data = pipeline.prepare(experiment)
    scores = pipeline.score(data, [condition_of(experiment)], {0: observer})[0]
    systems, assessor = observer.systems(experiment, scores), Assessor(pipeline.store)
    return {
        criterion: assessor.thin(criterion, systems)
        for criterion in experiment.assess
        if isinstance(criterion, Thinning)
    }


def locate_systems(
    experiment: Experiment, pipeline: Pipeline | None = None, failed: Failures | None = None
) -> Evidence:
    """Where judged items landed in the lists of every system, to be scored many times.

    What stays in memory grows with the judged targets alone: the bounds of tied ranks are
    left out. Lists are there for metrics that look at items which nobody judged. Systems
    that fail are added to ``failed``, and left out.
    """
    road = pipeline or Pipeline(ranks=False)
    data, observer = road.prepare(experiment), _HitsObserver({})
    of_lists = tuple(metric for metric in experiment.metrics if metric.needs_lists)
    condition = RankingCondition(experiment=experiment, metrics=of_lists)
    scores = road.score(data, [condition], {0: observer}, failed=failed)[0]
    first = next(iter(observer.outputs.values()))[0].targets
    return replace(
        evidence_of_items([first.collection]),
        hits={
            name: replace(join_hits([each.hits for each in outputs]), topics=first.topics)
            for name, outputs in observer.outputs.items()
            if name in scores.systems
        },
        metrics=experiment.metrics,
        seed=experiment.seed,
    )


@dataclass(frozen=True)
class _HitsObserver:
    """Holds the hits of every system, some topics after others."""

    outputs: dict[str, list[SystemOutput]]

    def see(self, output: SystemOutput) -> None:
        self.outputs.setdefault(output.system, []).append(output)
