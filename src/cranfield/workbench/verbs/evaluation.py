"""Verbs of evaluation: rank, score runs, execute experiments and studies, verify results."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from cranfield.base.errors import OptionError
from cranfield.collection.judgments import Judgments
from cranfield.collection.split import Split
from cranfield.collection.target import TargetChoice, Targets
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.scores import Scores
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.data_sets import execute_data_sets
from cranfield.workbench.execution.evaluation import evaluate_prepared
from cranfield.workbench.execution.experiments import execute
from cranfield.workbench.execution.failures import Failures, reasons_of, refuse_all_failed
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.planning import EFFECTS, make_plan
from cranfield.workbench.execution.studies import execute_study
from cranfield.workbench.execution.system_pass import rank_systems
from cranfield.workbench.plan.plan import Plan, read_plan
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.folders import verify_folder
from cranfield.workbench.results.planned import with_plan
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.signatures import (
    EvaluateDecisions,
    RankDecisions,
    ScoreDecisions,
    with_decisions,
)
from cranfield.workbench.store.store import Store
from cranfield.workbench.verbs.collection import read
from cranfield.workbench.verbs.definitions import asked_of, called, definition_of
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
    """Runs and hits of some systems: recommenders as spelled, or any models of the user's.

    ``targets`` says which items are ranked, as in "test-items, one-relevant, sampled(n=99)",
    or holds targets that were chosen before. All systems rank the same ones. ``depth``
    limits the runs; hits know every rank. A system that fails is left out with a warning.

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
    ``failed`` of what is returned, with the reason; only if all fail, that is raised.
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
    """The scores of runs, user by user: those of `evaluate`, sooner, and nothing besides.

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


def run(
    experiment: Experiment | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    plan: Plan | str | Path | None = None,
    workers: int | str | None = None,
) -> Results:
    """Execute an experiment: an object, a table of decisions, or the file that holds them.

    ``store`` is a folder in which what is computed is stored for next time. A system that
    fails is in ``failed`` of the results, with the reason, and the others are evaluated; only if
    all fail, that is raised. ``plan`` is one that was made before, or its file: ``plan`` of the
    results says whether it was followed. ``workers`` is how many processes share the work, or
    "ray" or "ray://HOST:PORT" for a cluster; the results are the same, bit for bit.

    >>> import cranfield as cf
    >>> results = cf.run({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ... })
    >>> results.summary.row("kNN", "nDCG@10").users
    40
    """
    asked = definition_of(experiment)
    if isinstance(asked, Study):
        raise OptionError(f"{called(experiment)}: it defines a study. Use cranfield.study.")
    known = read_plan(plan) if isinstance(plan, str | Path) else plan
    with open_pipeline(Store(store), workers) as road:
        return with_plan(execute(asked, road), known)


def study(
    definition: Study | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    plan: Plan | str | Path | None = None,
    workers: int | str | None = None,
) -> StudyResults:
    """Execute a study: does the conclusion hold under other answers to its decisions?

    ``store``, ``plan`` and ``workers`` are those of `run`.

    >>> import cranfield as cf
    >>> results = cf.study({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ...     "study": {"vary": {"cutoff": [5, 10], "targets": ["all-items", "condensed"]}},
    ... })
    >>> len(results.designs)
    4
    """
    asked = definition_of(definition)
    if isinstance(asked, Experiment):
        raise OptionError(f"{called(definition)}: it varies nothing. Use cranfield.run.")
    known = read_plan(plan) if isinstance(plan, str | Path) else plan
    with open_pipeline(Store(store), workers) as road:
        return with_plan(execute_study(asked, road), known)


def plan(
    definition: Experiment | Study | Mapping[str, Any] | str | Path,
    *,
    effects: Sequence[float] = EFFECTS,
) -> Plan:
    """Freeze the decisions of an experiment or a study before any result; nothing is fitted.

    ``effects`` are mean differences, in standard deviations of users' differences, for which
    the power is told. `Plan.write` writes it; `run` and `study` hold results to it.

    >>> import cranfield as cf
    >>> planned = cf.plan({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"],
    ... })
    >>> planned.users
    40
    """
    return make_plan(definition_of(definition), effects)


def study_data_sets(
    definition: StudyOfDataSets | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    workers: int | str | None = None,
) -> ResultsByDataSet:
    """Ask the same question of several data sets: on which of them does the answer hold?

    ``data`` is a list of them, or a table by name with the answers that differ on each.
    ``store`` and ``workers`` are those of `run`.

    >>> import cranfield as cf
    >>> results = cf.study_data_sets({
    ...     "data": {
    ...         "dense": {"source": "simulated(size=tiny, mnar=0)"},
    ...         "sparse": {"source": "simulated(size=tiny)", "relevance": 5},
    ...     },
    ...     "split": "per-user(test_share=0.3)", "relevance": 4, "metrics": ["nDCG@10"],
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"}, "seed": 1,
    ... })
    >>> results["sparse"].experiment.relevance
    5.0
    """
    asked = asked_of(definition)
    if not isinstance(asked, StudyOfDataSets):
        problem = "it names one data set. Use cranfield.study or cranfield.run."
        raise OptionError(f"{called(definition)}: {problem}")
    with open_pipeline(Store(store), workers) as road:
        return execute_data_sets(asked, road)


def verify(folder: Path | str, **given: Any) -> Results | StudyResults | ResultsByDataSet:
    """Compute the results of a folder again, from nothing, and refuse any difference.

    What was not read from a file is ``given`` once more, by the name of its decision: the
    table in ``verify(folder, data=table)``, one model in ``systems={"mine": model}``.
    """

    def recompute(asked: Experiment | Study) -> Results | StudyResults:
        return execute_study(asked) if isinstance(asked, Study) else execute(asked)

    return verify_folder(folder, recompute, given)
