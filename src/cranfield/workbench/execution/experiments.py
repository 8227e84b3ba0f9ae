"""Running: from an Experiment to its Results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.base.progress import bar
from cranfield.collection.items import facts_of_items
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.expectation import Expectation, expect_targets
from cranfield.scoring.folds import join_fold_expectations
from cranfield.scoring.list_facts import ListCounts, ListFacts, count_lists, facts_from_counts
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunFacts, RunMetric
from cranfield.scoring.scores import Counts, Floats
from cranfield.scoring.summary import summarise
from cranfield.workbench.bias.observer import BiasLook
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import assess_metrics, refuse_unassessable
from cranfield.workbench.execution.comparing import compare_systems
from cranfield.workbench.execution.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.prepared_data import (
    JudgedFold,
    PreparedData,
    facts_of,
    prepare,
    target_inputs,
)
from cranfield.workbench.results.results import Results
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Store

_LOOK = 10
"""How deep lists are looked at where no metric has a cut-off."""


def run_experiment(experiment: Experiment, store: Store | None = None) -> Results:
    """Run an experiment; what the store has of it is not made again.

    >>> from cranfield.workbench.definition.reading import read_table
    >>> results = run_experiment(read_table({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.4)", "relevance": 4,
    ...     "systems": {"Popularity": "Popularity", "Random": "Random"}, "metrics": ["P@5"],
    ... }))
    >>> results.summary.row("Popularity", "P@5").evaluated
    34
    """
    pipeline = Pipeline(store or Store(None))
    with pipeline.timing.of("reading and splitting"):
        material = prepare(experiment, pipeline.store)
    return execute_prepared(experiment, material, pipeline)


def execute_prepared(experiment: Experiment, material: PreparedData, pipeline: Pipeline) -> Results:
    """Run an experiment whose data are ready."""
    refuse_unassessable(experiment)
    depth = deepest([*experiment.metrics, *experiment.run_metrics])
    kept_depth = _kept_depth(experiment, depth, material.ratings.n_items)
    cell = RankingCondition(experiment=experiment, metrics=experiment.metrics, depth=kept_depth)
    look = _Look(experiment, depth, pipeline.store)
    with bar("running", len(experiment.names) * len(material.folds)) as shown:
        scores = pipeline.score(material, [cell], {0: look.watch}, shown)[0]
    facts = {name: seen.facts(depth) for name, seen in look.seen.items()}
    expectation = join_fold_expectations(look.expectations, look.topics)
    summary = summarise(scores, experiment.summary_choice, lists=facts, expectation=expectation)
    several = len(experiment.names) > 1
    with pipeline.timing.of("comparing"):
        made = compare_systems(experiment, scores, pipeline.store) if several else None
    with pipeline.timing.of("assessing"):
        assessments = assess_metrics(experiment, scores, look.hits, look.popularity, pipeline.store)
    biases = look.biases.assessments(material, experiment.relevance, str(experiment.targets))
    return Results(
        experiment,
        scores,
        summary,
        made,
        {name: seen.values() for name, seen in look.seen.items()},
        facts_of(material),
        tuple(look.targets),
        dict(pipeline.seconds),
        (*assessments, *biases),
    )


def deepest(metrics: Sequence[Metric | RunMetric]) -> int:
    """The deepest cut-off of some metrics."""
    return max((getattr(each, "cutoff", None) or 0 for each in metrics), default=0) or _LOOK


def _kept_depth(experiment: Experiment, depth: int, items: int) -> int:
    """How much of each list is kept for a look; one more position shows a tie with the last."""
    whole = any(
        metric.needs_whole_lists or getattr(metric, "cutoff", None) is None
        for metric in experiment.run_metrics
    )
    return items if whole else min(depth + 1, items)


@dataclass(eq=False)
class _Seen:
    """What the lists of one system were like, fold after fold."""

    counts: list[ListCounts] = field(default_factory=list)
    lengths: list[Counts] = field(default_factory=list)
    users: list[Topics] = field(default_factory=list)
    metrics: dict[str, list[float]] = field(default_factory=dict)

    def facts(self, depth: int) -> ListFacts:
        users = Topics(np.concatenate([each.users for each in self.users]))
        return facts_from_counts(users, np.concatenate(self.lengths), depth, self.counts)

    def values(self) -> dict[str, float]:
        return {name: float(np.mean(values)) for name, values in self.metrics.items()}


class _Look:
    """Looks at the lists of every system while they are in memory."""

    def __init__(self, experiment: Experiment, depth: int, store: Store) -> None:
        self._experiment, self._depth, self._store = experiment, depth, store
        self.seen: dict[str, _Seen] = {}
        self.targets: dict[str, None] = {}
        self.topics: list[Topics] = []
        self.expectations: list[Expectation] = []
        self.hits: dict[str, list[Hits]] = {}
        self.popularity: list[Floats] = []
        self.biases = BiasLook()

    def watch(self, system: str, made: SystemOutput, judged: JudgedFold) -> None:
        targets = judged.targets
        self.biases.watch(system, made, judged)
        if targets.fingerprint not in self.targets:
            self.targets[targets.fingerprint] = None
            self.topics.append(targets.topics)
            self.expectations.append(self._expected(judged))
            self.popularity.append(judged.popularity)
        if any(criterion.needs_hits for criterion in self._experiment.assess):
            self.hits.setdefault(system, []).append(made.hits)
        seen = self.seen.setdefault(system, _Seen())
        seen.counts.append(count_lists(made.hits, self._depth, made.run))
        seen.lengths.append(made.hits.lengths)
        seen.users.append(targets.topics)
        run = made.run
        if run is None or not self._experiment.run_metrics:
            return
        facts = RunFacts(facts_of_items(targets.train), judged.judgments)
        for metric in self._experiment.run_metrics:
            seen.metrics.setdefault(str(metric), []).append(metric.of_run(run, facts))

    def _expected(self, judged: JudgedFold) -> Expectation:
        """What random rankings of the same targets score; it depends on no system."""
        experiment, targets = self._experiment, judged.targets
        inputs = {
            **target_inputs(targets),
            "metrics": [str(metric) for metric in experiment.metrics],
            "seed": experiment.seed,
        }
        entry = self._store.fetch(
            "expectation",
            inputs,
            lambda: encoding.encode_expectation(
                expect_targets(
                    targets,
                    experiment.metrics,
                    popularity=judged.popularity,
                    seed=experiment.seed,
                )[None]
            ),
        )
        return encoding.decode_expectation(entry)
