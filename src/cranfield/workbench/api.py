"""Every public verb: options may be given by their spelling, data as files or tables."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from cranfield.base import options
from cranfield.base.errors import OptionError, shown
from cranfield.collection import filter as filters
from cranfield.collection import judgments as judging
from cranfield.collection import source as sources
from cranfield.collection import split as splits
from cranfield.collection import split_files, statistics
from cranfield.collection.filter import Filter, Filtered
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.simulation import truth
from cranfield.collection.split import Split, Splitter
from cranfield.collection.statistics import Statistics
from cranfield.collection.target import TargetChoice, Targets
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance import comparison
from cranfield.significance.comparison import Comparison
from cranfield.significance.paired_test import PairedTest
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence, evidence_of_items
from cranfield.validity.meta.p_values import p_values_from_scores
from cranfield.validity.meta.system_values import values_from_scores
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study import Study, read_study
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.evaluation import evaluate_prepared
from cranfield.workbench.execution.experiments import execute
from cranfield.workbench.execution.failures import Failures, reasons_of, refuse_all_failed
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.studies import execute_study
from cranfield.workbench.execution.system_pass import rank_systems
from cranfield.workbench.results import verify as verifying
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.signatures import (
    CompareDecisions,
    EvaluateDecisions,
    RankDecisions,
    ScoreDecisions,
    with_decisions,
)
from cranfield.workbench.store.store import Store

_SCORING = ("source", "split", "target", "gain", "metric", "run-metric", "aggregation")
"""The kinds of options that scoring runs needs."""


def read(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    duplicates: Duplicates = "refuse",
) -> Ratings:
    """Ratings from files, a table, a well-known data set by name, or a source as spelled.

    Files are a path, a pattern such as ``part-*.parquet``, a folder of such parts, or an
    address that Polars reads, such as ``s3://bucket/ratings.parquet``. Tables are those of
    Polars, pandas, Arrow, DuckDB, NumPy and SciPy, and all that hand over their columns by
    the Arrow C stream. A `Split` stands for all its ratings.

    ``duplicates="events"`` reads a log, whose events a split divides one by one.

    >>> read("simulated(size=tiny)").n_users > 0
    True
    """
    inventory.load()
    if isinstance(source, str | Path):
        return sources.read_ratings(source, columns=columns, duplicates=duplicates)
    whole = source.ratings if isinstance(source, Split) else source
    return sources.in_memory(whole, columns=columns, duplicates=duplicates).ratings


def describe(ratings: Any, relevance: float | None = None) -> Statistics:
    """What a data set looks like: sizes, density, skew, and curves of them."""
    return statistics.describe(read(ratings), relevance)


def judge(test: Any, relevance: float, scale: tuple[float, float] | None = None) -> Judgments:
    """Test ratings, or those of a `Split`, as judgments: at least ``relevance`` is relevant."""
    return judging.judge(read(test.test if isinstance(test, Split) else test), relevance, scale)


def simulate(source: str = "simulated") -> truth.Simulation:
    """Simulated ratings together with the truth behind them."""
    return truth.simulate(_option("source", source))


def filter(  # noqa: A001  (the verb of this step; the built-in is not needed here)
    ratings: Any, *wanted: str | Filter, seed: int = 0
) -> Filtered:
    """Keep some of the ratings; filters are applied in the order given."""
    chosen = [_option("filter", each) for each in wanted]
    return filters.filter_ratings(read(ratings), chosen, seed)


def split(
    ratings: Any,
    splitter: str | Splitter,
    seed: int = 0,
    validation: str | Splitter | None = None,
) -> Split:
    """Divide ratings into training and test, as in ``split(ratings, "per-user", seed=1)``."""
    chosen = _option("split", splitter)
    held_out = None if validation is None else _option("split", validation)
    return splits.split(read(ratings), chosen, seed, held_out)


def read_split(folder: str | Path) -> Split:
    """A split as it was written, verified against its fingerprints."""
    inventory.load()
    return split_files.read_split(folder)


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
            f"rank: {_wrong(judgments)} Judgments. Give what cranfield.judge returns."
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
    **decisions: Unpack[EvaluateDecisions],
) -> Evaluation:
    """Score runs (files or tables, by the names of their systems) against test ratings.

    Judgments and training ratings are files, tables, or `Ratings`; a `Split` as judgments
    gives both. ``decisions`` are those of an `Experiment`. A run that cannot be read is in
    ``failed`` of what is returned, with the reason; only if all fail, that is raised.

    >>> test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    >>> run = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
    >>> made = evaluate(test, {"mine": run}, ["RR"], relevance=4)
    >>> made.summary.row("mine", "RR").value
    0.5
    """
    chosen = _experiment_of_runs(judgments, runs, metrics, train, relevance, decisions)
    road = Pipeline()
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
    experiment: Experiment | Mapping[str, Any] | str | Path, *, store: str | Path | None = None
) -> Results:
    """Execute an experiment: an object, a table of decisions, or the file that holds them.

    ``store`` is a folder in which what is computed is stored for next time. A system that
    fails is in ``failed`` of the results, with the reason, and the others are evaluated; only if
    all fail, that is raised.

    >>> import cranfield as cf
    >>> results = cf.run({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ... })
    >>> results.summary.row("kNN", "nDCG@10").users
    40
    """
    asked = _definition(experiment)
    if isinstance(asked, Study):
        raise OptionError(f"{_called(experiment)}: it defines a study. Use cranfield.study.")
    return execute(asked, Pipeline(Store(store)))


def study(
    definition: Study | Mapping[str, Any] | str | Path, *, store: str | Path | None = None
) -> StudyResults:
    """Execute a study: does the conclusion hold under other answers to its decisions?

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
    asked = _definition(definition)
    if isinstance(asked, Experiment):
        raise OptionError(f"{_called(definition)}: it varies nothing. Use cranfield.run.")
    return execute_study(asked, Pipeline(Store(store)))


def _definition(given: Any) -> Experiment | Study:
    """What a file or a table defines; what is neither stands for itself."""
    if isinstance(given, Mapping):
        return read_study(given) if "study" in given else read_table(given)
    if isinstance(given, str | Path):
        return read_definition(given)
    if isinstance(given, Experiment | Study):
        return given
    raise OptionError(f"{_wrong(given)} an experiment. Give an Experiment, a table or a file.")


def _wrong(given: object) -> str:
    """The start of a sentence that refuses something of the wrong kind."""
    return f"{shown(given) if isinstance(given, str | int) else type(given).__name__} is not"


def _called(given: object) -> str:
    """The name of a file; of nothing else."""
    return str(given) if isinstance(given, str | Path) else "definition"


def verify(folder: Path | str, **given: Any) -> Results | StudyResults:
    """Compute the results of a folder again, from nothing, and refuse any difference.

    What was not read from a file is ``given`` once more, by the name of its decision: the
    table in ``verify(folder, data=table)``, one model in ``systems={"mine": model}``.
    """

    def recompute(asked: Experiment | Study) -> Results | StudyResults:
        return execute_study(asked) if isinstance(asked, Study) else execute(asked)

    return verifying.verify(folder, recompute, given)


@with_decisions(CompareDecisions)
def compare(
    scores: Scores | Evaluation | str | Path,
    metrics: Sequence[str] = (),
    **decisions: Unpack[CompareDecisions],
) -> Comparison:
    """Test every pair of systems on the same users, by all metrics unless some are named.

    ``scores`` are those of an evaluation, or a file that ``cranfield evaluate --per-user``
    wrote.

    >>> from cranfield import Ratings, compare, evaluate
    >>> test = {"user": list(range(8)) * 2, "item": [7] * 8 + [9] * 8, "rating": [5] * 8 + [1] * 8}
    >>> good = {"user": test["user"], "item": test["item"], "score": test["rating"]}
    >>> bad = good | {"score": [-score for score in test["rating"]]}
    >>> made = evaluate(Ratings.from_frame(test), {"A": good, "B": bad}, ["RR"], relevance=4)
    >>> pair = compare(made).pair("RR", "A", "B")
    >>> print(pair.difference, pair.p_value, pair.better)  # 2/2⁸: all eight users
    0.5 0.0078125 A
    """
    inventory.load("aggregation", "test", "correction")
    given: dict[str, Any] = dict(decisions)
    seed = given.pop("seed", 0)
    summed = {name: given.pop(name) for name in _OF_SUMMARIES if name in given}
    choice = Compared(**given).choice(SummaryChoice(**summed))
    return comparison.compare(known_scores(scores).by_metrics(metrics), choice, seed=seed)


_OF_SUMMARIES = ("aggregation", "coverage", "undefined")


def known_scores(given: Scores | Evaluation | str | Path) -> Scores:
    """The scores of an evaluation or of a file, or those given."""
    if isinstance(given, Evaluation):
        return given.scores
    if isinstance(given, str | Path):
        return read_scores(given)
    if isinstance(given, Scores):
        return given
    raise OptionError(f"{_wrong(given)} Scores, an Evaluation or a file of scores.")


Assessable = Evidence | Scores | Evaluation | Mapping[str, Ranked] | str | Path
"""What can be assessed: scores, an evaluation, a file of scores, what systems ranked."""


def assess(
    criterion: str | Criterion,
    given: Assessable,
    metrics: Sequence[str | Metric] | str = (),
    *,
    test: str | PairedTest = "permutation",
    aggregation: str | Aggregation = "mean",
    seed: int = 0,
) -> Assessment:
    """Whether the metrics themselves can be trusted, by one criterion.

    ``given`` are scores (of an evaluation, or a file of them) for correlation,
    discriminative power and stability, and what systems ranked where test sets are
    thinned, which also needs the metrics to score them by. ``test`` is that of
    discriminative power, ``aggregation`` what correlation orders systems by.

    >>> from cranfield import assess, judge, rank, read, split
    >>> parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    >>> made = rank(parts.train, judge(parts.test, relevance=4), ["Popularity", "Random"])
    >>> found = assess("robustness(samples=3, scenarios=[users])", made, ["P@10", "nDCG@10"])
    >>> found.shown("area").columns
    ['mean', 'metric', 'users']
    """
    chosen: Criterion = _option("criterion", criterion)
    named = [metrics] if isinstance(metrics, str) else metrics
    if isinstance(given, Evidence):
        return chosen.assess(given)
    if isinstance(given, Mapping):
        scored = tuple(_option("metric", metric) for metric in named)
        return chosen.assess(_evidence_of_lists(given, scored, _option("test", test), seed))
    scores = known_scores(given).by_metrics(tuple(map(str, named)))
    if chosen.needs_p_values:
        tested = p_values_from_scores(scores, _option("test", test), seed)
        return chosen.assess(Evidence(p_values=tested))
    if chosen.needs_scores or not chosen.needs_values:
        return chosen.assess(Evidence(scores=scores, seed=seed))
    return chosen.assess(
        Evidence(values=values_from_scores(scores, _option("aggregation", aggregation)))
    )


def _evidence_of_lists(
    given: Mapping[str, Ranked], metrics: tuple[Metric, ...], test: PairedTest, seed: int
) -> Evidence:
    """What systems ranked, and what is known of the items."""
    known = [each.collection for each in given.values() if each.collection is not None][:1]
    items = evidence_of_items(known) if known else Evidence()
    hits = {name: ranked.hits for name, ranked in given.items()}
    return replace(items, hits=hits, metrics=metrics, test=test, seed=seed)


def _option(decision: str, given: Any) -> Any:
    """An option, from its spelling if it is text."""
    inventory.load()
    chosen = options.parse(decision, given) if isinstance(given, str) else given
    if not options.fulfils(decision, chosen):
        listed = f"`cranfield options {decision}` lists them."
        raise OptionError(f"{_wrong(given)} a {decision}. {listed}")
    return chosen
