"""Verbs of evaluation: rank, and score runs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from cranfield.base.errors import OptionError
from cranfield.collection.judgments import Judgments
from cranfield.collection.split import Split
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import TargetChoice
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.scores import Scores
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.failures import Failures, reasons_of, refuse_all_failed
from cranfield.workbench.execution.systems.system_pass import rank_systems
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.signatures import (
    EvaluateDecisions,
    RankDecisions,
    ScoreDecisions,
    with_decisions,
)
from cranfield.workbench.verbs.collection import read
from cranfield.workbench.verbs.given import wrong_kind

_SCORING = ("source", "split", "target", "gain", "metric", "run-metric", "aggregation")
"""The kinds of options that scoring runs needs."""


@with_decisions(RankDecisions)
def rank(
    train: Any,
    judgments: Judgments,
    systems: Mapping[str, Any] | Iterable[Any],
    targets: str | TargetChoice | Targets = "all-items",
    *,
    depth: int = 100,
    **decisions: Unpack[RankDecisions],
) -> dict[str, Ranked]:
    """Runs and hits of some systems: recommenders by their spelling, or models of your own.

    ``targets`` says which items are ranked, as in "test-items, one-relevant, sampled(n=99)", or
    holds targets that were chosen before. All systems rank the same ones. ``depth`` limits the
    length of the runs; hits hold all ranks. A system that fails is left out with a warning.

    >>> from cranfield import judge, rank, read, split
    >>> parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    >>> mine = lambda train, users: [train.item_counts] * len(users)
    >>> systems = {"kNN": "user-kNN(k=20)", "mine": mine}
    >>> made = rank(parts.train, judge(parts.test, relevance=4), systems, depth=10)
    >>> print(made["mine"].run.lengths.max())
    10
    """
    inventory.load()
    if not isinstance(judgments, Judgments):
        raise OptionError(
            f"rank: {wrong_kind(judgments)} Judgments. Give what cranfield.judge returns."
        )
    scale = judgments.lowest, judgments.highest
    asked: dict[str, Any] = {**({"scale": scale} if scale[0] < scale[1] else {}), **decisions}
    asked["systems"] = systems if isinstance(systems, Mapping | str) else list(systems)
    chosen = Experiment(
        split=given_parts(judgments.ratings, read(_training(train))),
        relevance=judgments.relevance,
        metrics=(),
        **(asked if isinstance(targets, Targets) else {**asked, "targets": targets}),
    )
    if not isinstance(targets, Targets):
        road = Pipeline()
        data = road.prepare(chosen)
        targets = road.targets(data, data.folds[0], chosen)
    failed = Failures()
    made = {
        output.system: Ranked(output.lists, output.hits, targets.collection)
        for output, _ in rank_systems(chosen, targets, depth, failed)
        if output.lists is not None
    }
    refuse_all_failed(chosen.names, failed)
    for name, reason in reasons_of(failed).items():
        warnings.warn(f"{name} failed: {reason}", RuntimeWarning, stacklevel=3)
    return made


def _training(given: Any) -> Any:
    """The training ratings of a split; of anything else, itself."""
    return given.train if isinstance(given, Split) else given


@with_decisions(EvaluateDecisions)
def evaluate(
    judgments: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str | Metric | RunMetric] | str,
    *,
    relevance: float,
    train: Any = None,
    workers: int | str | None = None,
    **decisions: Unpack[EvaluateDecisions],
) -> Evaluation:
    """Score runs (files or tables, by the names of their systems) against test ratings.

    Judgments and training ratings are files, tables, or `Ratings`; a `Split` as judgments
    gives both. ``decisions`` are those of an `Experiment`. A run that cannot be read is in
    ``failed`` of what is returned, with the reason; an error is raised only if all fail.
    ``workers`` are those of `run`.

    >>> test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    >>> run = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
    >>> made = evaluate(test, {"mine": run}, ["RR"], relevance=4)
    >>> made.summary.row("mine", "RR").value
    0.5
    """
    chosen = _experiment_of_runs(judgments, runs, metrics, train, relevance, decisions)
    with open_pipeline(workers=workers) as road:
        return evaluate_prepared(chosen, road.prepare(chosen), road)


@with_decisions(ScoreDecisions)
def score(
    judgments: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str | Metric] | str,
    *,
    relevance: float,
    train: Any = None,
    **decisions: Unpack[ScoreDecisions],
) -> Scores:
    """The scores of runs, user by user: those of `evaluate` and nothing else, in less time.

    ``decisions`` are those of `evaluate` that change a score.

    >>> test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    >>> run = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
    >>> score(test, {"mine": run}, ["RR"], relevance=4).of("mine", "RR")
    array([0.5])
    """
    chosen = _experiment_of_runs(judgments, runs, metrics, train, relevance, decisions)
    if not chosen.metrics or chosen.run_metrics:
        raise OptionError("score: give metrics that have a score per user, such as nDCG@10.")
    road = Pipeline(ranks=False)
    condition = RankingCondition(experiment=chosen, metrics=chosen.metrics)
    return road.score(road.prepare(chosen), [condition])[0]


def _experiment_of_runs(
    judgments: Any,
    runs: Mapping[str, Any],
    metrics: Any,
    train: Any,
    relevance: float,
    decisions: Mapping[str, Any],
) -> Experiment:
    """The experiment that scores runs on two given parts."""
    inventory.load(*_SCORING)
    return Experiment(
        split=given_parts(judgments, train),
        runs=runs,
        metrics=metrics,
        relevance=relevance,
        **decisions,
    )
