"""Assessing: whether the metrics of an experiment can be trusted, on its own systems.

Assessments are cached in the store by what they are computed from, since a robustness study takes
minutes and several reports may show parts of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from cranfield.base.files import fingerprint
from cranfield.recommendation.ranking.hits import Hits, join_folds
from cranfield.scoring.scores import Floats, Scores
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import (
    Criterion,
    Evidence,
    refuse_too_few,
    refuse_too_few_metrics,
)
from cranfield.validity.meta.p_values import PairwisePValues, p_values_from_scores
from cranfield.validity.meta.system_values import SystemValues, values_from_scores
from cranfield.validity.meta.thinned_systems import join_hits
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.execution.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.failures import Failures
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Store


def refuse_unassessable(experiment: Experiment) -> None:
    """Tell before long work that there are too few systems or metrics to be assessed."""
    for criterion in experiment.assess:
        refuse_too_few(str(criterion), len(experiment.names))
        refuse_too_few_metrics(str(criterion), criterion, len(experiment.metrics))


def assess_metrics(
    experiment: Experiment,
    scores: Scores,
    hits: Mapping[str, Sequence[Hits]],
    popularity: Floats,
    store: Store,
) -> tuple[Assessment, ...]:
    """What every criterion says; folds are taken together, and the user stays the unit."""
    systems = _Systems(experiment, scores, hits, popularity)
    return tuple(_assess(criterion, systems, store) for criterion in experiment.assess)


def _assess(criterion: Criterion, systems: _Systems, store: Store) -> Assessment:
    inputs = systems.inputs(criterion)
    kept_by = store if inputs is not None else Store(None)
    made: Assessment = kept_by.load(
        "assessment",
        inputs or {},
        lambda: criterion.assess(systems.evidence(criterion)),
        encoding.object_coding(Assessment),
    )
    return made


@dataclass(frozen=True, eq=False)
class _Systems:
    """What a run knows of its systems; p-values and joined folds are made when needed."""

    experiment: Experiment
    scores: Scores
    hits: Mapping[str, Sequence[Hits]]
    popularity: Floats

    @cached_property
    def values(self) -> SystemValues:
        return values_from_scores(self.scores, self.experiment.aggregation)

    @cached_property
    def p_values(self) -> PairwisePValues:
        test = self.experiment.comparison_choice.test
        return p_values_from_scores(self.scores, test, self.experiment.seed)

    @cached_property
    def joined(self) -> dict[str, Hits]:
        return {name: join_folds(parts) for name, parts in self.hits.items()}

    def evidence(self, criterion: Criterion) -> Evidence:
        """What a criterion needs to know."""
        return Evidence(
            values=self.values,
            p_values=self.p_values if criterion.needs_p_values else None,
            hits=self.joined or None if criterion.needs_hits else None,
            metrics=self.experiment.metrics,
            popularity=self.popularity,
            seed=self.experiment.seed,
        )

    def inputs(self, criterion: Criterion) -> dict[str, Any] | None:
        """What the verdict depends on; None if something of it was made in Python."""
        experiment, values = self.experiment, self.values
        test = experiment.comparison_choice.test if criterion.needs_p_values else None
        options = [criterion, *experiment.metrics, *([] if test is None else [test])]
        spelled = [spelled_fully(each) for each in options]
        if None in spelled:
            return None
        return {
            "options": spelled,
            "systems": list(values.systems),
            "values": fingerprint(values.values),
            "scores": None if test is None else self._content_of_scores,
            "hits": self._content_of_hits if criterion.needs_hits else None,
            "seed": experiment.seed,
        }

    @cached_property
    def _content_of_scores(self) -> str:
        return encoding.content_of_scores(self.scores)

    @cached_property
    def _content_of_hits(self) -> str:
        folds = (part for parts in self.hits.values() for part in parts)
        return encoding.content_of_hits(folds, self.popularity)


def locate_systems(
    experiment: Experiment, pipeline: Pipeline | None = None, failed: Failures | None = None
) -> Evidence:
    """Where judged items landed in the lists of every system, to be scored many times.

    What stays in memory grows with the judged targets alone: the bounds of tied ranks are
    left out. Systems that fail are added to ``failed``, and left out.
    """
    road = pipeline or Pipeline(ranks=False)
    data, observer = road.prepare(experiment), _HitsObserver({})
    condition = RankingCondition(experiment=experiment, metrics=())
    scores = road.score(data, [condition], {0: observer}, failed=failed)[0]
    first = next(iter(observer.outputs.values()))[0].targets
    return Evidence(
        hits={
            name: replace(join_hits([each.hits for each in outputs]), topics=first.topics)
            for name, outputs in observer.outputs.items()
            if name in scores.systems
        },
        metrics=experiment.metrics,
        popularity=first.collection.positives,
        seed=experiment.seed,
    )


@dataclass(frozen=True)
class _HitsObserver:
    """Holds the hits of every system, some topics after others."""

    outputs: dict[str, list[SystemOutput]]

    def see(self, output: SystemOutput) -> None:
        self.outputs.setdefault(output.system, []).append(output)
