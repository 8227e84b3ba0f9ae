"""Evaluation as a plain function: options may be given by their spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from cranfield.base import options
from cranfield.base.errors import OptionError, UnknownOption
from cranfield.base.spelling import read_spelling
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import source_of
from cranfield.collection.target import parse_targets
from cranfield.recommendation.runs.report import RunRules
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunMetric
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.workbench import inventory
from cranfield.workbench.execution.evaluation import Evaluation, evaluate_runs
from cranfield.workbench.execution.evaluation_choice import Asked, EvaluationChoice
from cranfield.workbench.execution.grouping import Vectors, parse_grouping
from cranfield.workbench.execution.open_runs import Inputs, read_inputs
from cranfield.workbench.execution.run_hits import score_runs

_KINDS = ("source", "target", "gain", "metric", "run-metric", "aggregation")


def evaluate(
    judgments: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str | Metric | RunMetric],
    *,
    relevance: float,
    train: Any = None,
    by: Sequence[str] = (),
    item_vectors: Any = None,
    **decisions: Any,
) -> Evaluation:
    """Score runs (files or tables, by the names of their systems) against test ratings.

    Judgments and training ratings are files, tables, or `Ratings`.
    ``decisions`` are those of the command line, spelled as there: topics, ties, targets,
    least_train, duplicates, training_items, unknown_items, aggregation, coverage,
    undefined, seed.

    >>> test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    >>> run = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
    >>> made = evaluate(test, {"mine": run}, ["RR"], relevance=4)
    >>> made.summary.row("mine", "RR").value
    0.5
    """
    inventory.load(*_KINDS)
    scored, listed = parse_metrics(metrics)
    asked = Asked(
        run_metrics=listed,
        vectors=None if item_vectors is None else Vectors(item_vectors),
        by=tuple(map(parse_grouping, by)),
    )
    choice = make_choice(relevance, decisions, trained=train is not None)
    test, opened, known = _read(judgments, runs, train)
    return evaluate_runs(test, opened, scored, choice, known, asked)


def score(
    judgments: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[str | Metric],
    *,
    relevance: float,
    train: Any = None,
    **decisions: Any,
) -> Scores:
    """The scores of runs, user by user: those of `evaluate`, sooner, and nothing besides.

    ``decisions`` are those of `evaluate` that change a score: topics, ties, targets,
    least_train, duplicates, training_items, unknown_items, seed.

    >>> test = {"user": [1, 1], "item": [7, 8], "rating": [5, 2]}
    >>> run = {"user": [1, 1], "item": [8, 7], "score": [0.9, 0.5]}
    >>> score(test, {"mine": run}, ["RR"], relevance=4).of("mine", "RR")
    array([0.5])
    """
    inventory.load(*_KINDS)
    scored, listed = parse_metrics(metrics)
    if not runs or not scored or listed:
        raise OptionError("scores need at least one run, and metrics that have a score per user.")
    if late := [name for name in _OF_SUMMARIES if name in decisions]:
        raise OptionError(f"score: {late[0]} changes no score of a user. Say it to evaluate.")
    choice = make_choice(relevance, decisions, trained=train is not None)
    test, opened, known = _read(judgments, runs, train, ranks=False)
    return score_runs(test, opened, scored, choice, known)


def make_choice(
    relevance: float, decisions: Mapping[str, Any], *, trained: bool
) -> EvaluationChoice:
    """The choice that decisions spell; what is not said is as by default."""
    given = dict(decisions)
    aggregation = given.pop("aggregation", "mean")
    rules = {name: given.pop(name) for name in _RULES if name in given}
    averages = {name: given.pop(name) for name in _OF_SUMMARIES[1:] if name in given}
    targets, least = given.pop("targets", "all-items"), given.pop("least_train", None)
    if isinstance(aggregation, str):
        aggregation = options.parse("aggregation", aggregation)
    return EvaluationChoice(
        relevance=relevance,
        least_train=int(trained) if least is None else least,
        targets=parse_targets(targets) if isinstance(targets, str) else targets,
        rules=RunRules(
            ties="trec_eval" if given.get("ties") == "trec_eval" else "item-id", **rules
        ),
        summary=SummaryChoice(aggregation=aggregation, **averages),
        **given,
    )


_RULES = ("duplicates", "training_items", "unknown_items")
_OF_SUMMARIES = ("aggregation", "coverage", "undefined")


def parse_metrics(
    given: Sequence[str | Metric | RunMetric],
) -> tuple[tuple[Metric, ...], tuple[RunMetric, ...]]:
    """Metrics of topics and metrics of runs, each once, from one list of both."""
    found: dict[Any, None] = dict.fromkeys(
        _metric(each) if isinstance(each, str) else each for each in given
    )
    lists = tuple(each for each in found if each.decision == "run-metric")
    return tuple(each for each in found if each not in lists), lists


@lru_cache(1024)  # what a text spells stays the same, and so do metrics
def _metric(text: str) -> Any:
    """The metric that a text spells, per topic or per run."""
    name = read_spelling(text).name
    for decision in ("metric", "run-metric"):
        try:
            options.find(decision, name)
        except UnknownOption:
            continue
        return options.parse(decision, text)
    known = [*options.options("metric"), *options.options("run-metric")]
    raise UnknownOption("metric", name, known)


def _read(judgments: Any, runs: Mapping[str, Any], train: Any, *, ranks: bool = True) -> Inputs:
    """Files and tables as they were given; a file that is missing is told before any is read."""
    read_train = None if train is None else _reader(train)
    return read_inputs(_reader(judgments), runs, read_train, ranks=ranks)


def _reader(given: Any) -> Callable[[], Ratings]:
    """What reads ratings; a file is refused at once if it is missing."""
    if isinstance(given, str | Path):
        return source_of(given).read
    return lambda: given if isinstance(given, Ratings) else Ratings.from_frame(given)
