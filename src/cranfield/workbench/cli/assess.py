"""``cranfield assess``: whether the metrics themselves can be trusted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text, writing
from cranfield.scoring.scores import Scores
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import (
    RUN_A,
    RUN_B,
    p_values_from_scores,
    p_values_from_table,
)
from cranfield.validity.meta.published_tables import only_metrics, read_table
from cranfield.validity.meta.system_values import (
    SIZE_COLUMNS,
    SYSTEM_COLUMNS,
    values_from_scores,
    values_from_table,
)
from cranfield.view.charts.assessment_plots import chart_format, write_charts
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.assessments import assessment_text
from cranfield.workbench import inventory
from cranfield.workbench.cli.assessments import assess_bias, assess_truth
from cranfield.workbench.cli.shared.arguments import seed_argument, workers_argument
from cranfield.workbench.cli.shared.criterion_flags import criterion_flags, criterion_table
from cranfield.workbench.cli.shared.failed import say_failed
from cranfield.workbench.cli.shared.outputs import refuse_overwriting
from cranfield.workbench.cli.shared.run_arguments import (
    OF_USERS,
    experiment_of,
    refuse_run_metrics,
    refuse_unless_one,
    run_arguments,
    scored_runs,
    scores_argument,
)
from cranfield.workbench.execution.assessing import locate_systems
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.failures import Failures, reasons_of
from cranfield.workbench.signatures import flags_of

KINDS = (
    "source",
    "split",
    "target",
    "gain",
    "metric",
    "run-metric",
    "aggregation",
    "test",
    "criterion",
)
"""The kinds of options that the command needs."""

Parser = argparse.ArgumentParser
Gather = Callable[[argparse.Namespace, Pipeline, dict[str, str]], Evidence]
"""Gathers evidence by a pipeline, and notes why runs failed."""


def declare(parser: Parser) -> None:
    """The criteria, and the arguments of each."""
    inventory.load("criterion")
    criteria = parser.add_subparsers(dest="criterion", metavar="CRITERION", required=True)

    add = partial(_add, criteria)
    power = add("discriminative-power", "how well metrics distinguish systems", _p_values)
    thinned = add(
        "thinned-discriminative-power", "how well metrics distinguish systems on sparser test sets",
        _thinnable,
    )  # fmt: skip
    robustness = add(
        "robustness", "how robust the order of systems is to sparser test sets", _thinnable
    )
    stability = add("stability", "how often metrics decide differently on other users", _compared)
    sampling = add("sampling", "how many sampled targets are enough", _ranked)
    correlation = add("correlation", "whether metrics put systems in the same order", _values)
    for each in (power, stability, correlation):
        scores_argument(each)
    for each in (power, thinned, robustness, stability, sampling, correlation):
        run_arguments(each)
    for each in (power, thinned):
        _test_argument(each)
    power.add_argument(
        "--p-values", metavar="FILE",
        help="a table with columns RunA, RunB and one per metric, instead of scores",
    )  # fmt: skip
    _table_argument(robustness, "at several sizes, instead of runs and judgments")
    _table_argument(correlation, "instead of scores")
    correlation.add_argument(
        "--aggregation", default="mean", metavar="NAME", help="how users are averaged (mean)"
    )
    flags_of(correlation, OF_USERS)
    assess_bias.declare(criteria)
    assess_truth.declare(criteria)


def _add(criteria: Any, name: str, text: str, gather: Gather) -> Parser:
    """One criterion, with the arguments that all have and those that it declares."""
    made: Parser = criteria.add_parser(name, help=text, description=f"Assess {text}.")
    made.set_defaults(gather=gather)
    made.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    made.add_argument("--plot", metavar="FILE", help="draw into FILE.svg, .html, .png or .pdf")
    made.add_argument(
        "-m", "--metric", action="append", default=[], dest="metrics", metavar="METRIC",
        help='a metric such as "nDCG@10", repeatable; of scores and tables, all by default',
    )  # fmt: skip
    seed_argument(made)
    workers_argument(made)
    criterion_flags(made, name)
    return made


def _test_argument(parser: Parser) -> None:
    parser.add_argument(
        "--test", default="permutation", metavar="TEST",
        help="the paired test; `cranfield options test` lists all (permutation)",
    )  # fmt: skip


def _table_argument(parser: Parser, text: str) -> None:
    parser.add_argument(
        "--table", metavar="FILE",
        help=f"values with columns Recommender, Percentage and one per metric, {text}",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Gather the evidence, assess it, write what was asked for, and print the verdict."""
    refuse_overwriting(arguments)
    if hasattr(arguments, "alone"):  # a criterion that runs experiments of its own
        return int(arguments.alone(arguments) or 0)
    failed: dict[str, str] = {}
    criterion = options.from_table("criterion", criterion_table(arguments))
    kind = chart_format(arguments.plot) if arguments.plot else ""
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        drawing = files.enter_context(writing(arguments.plot)) if arguments.plot else None
        pipeline = files.enter_context(open_pipeline(workers=arguments.workers, ranks=False))
        made = criterion.assess(arguments.gather(arguments, pipeline, failed))
        if json:
            json.write_text(json_text(made.to_dict()), encoding="utf-8")
        if drawing:
            write_charts(made.charts, drawing, kind, made.reading)
    tables.show(assessment_text(made, width=tables.terminal_width()))
    return say_failed(failed)


def _p_values(
    arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]
) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "scores", "p_values", drawn="scores")
    if arguments.p_values:
        where = arguments.p_values
        table = only_metrics(read_table(where), (RUN_A, RUN_B), arguments.metrics, where)
        return Evidence(p_values=p_values_from_table(table, where))
    test = options.parse("test", arguments.test)
    scores = _scores(arguments, pipeline, failed)
    return Evidence(p_values=p_values_from_scores(scores, test, arguments.seed))


def _compared(
    arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]
) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "scores")
    scores = _scores(arguments, pipeline, failed)
    return Evidence(scores=scores, seed=arguments.seed)


def _values(arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "scores", "table")
    if arguments.table:
        return _values_of_table(arguments)
    aggregation = options.parse("aggregation", arguments.aggregation)
    scores = _scores(arguments, pipeline, failed)
    return Evidence(values=values_from_scores(scores, aggregation))


def _scores(arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]) -> Scores:
    """The scores of a file, or of runs; those that cannot be read are noted."""
    scored = scored_runs(arguments.criterion, arguments, pipeline)
    failed.update(scored.failed)
    return scored.scores


def _values_of_table(arguments: argparse.Namespace) -> Evidence:
    where = arguments.table
    keys = (*SYSTEM_COLUMNS, *SIZE_COLUMNS)
    table = only_metrics(read_table(where), keys, arguments.metrics, where)
    return Evidence(values=values_from_table(table, where))


def _thinnable(
    arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]
) -> Evidence:
    others = ("table",) if hasattr(arguments, "table") else ()
    refuse_unless_one(arguments.criterion, arguments, *others)
    if others and arguments.table:
        return _values_of_table(arguments)
    located = _located(arguments, pipeline, failed)
    if not hasattr(arguments, "test"):
        return located
    return replace(located, test=options.parse("test", arguments.test))


def _ranked(arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments)
    return _located(arguments, pipeline, failed)


def _located(arguments: argparse.Namespace, pipeline: Pipeline, failed: dict[str, str]) -> Evidence:
    """Where judged items landed in the lists of runs."""
    experiment = experiment_of(arguments)
    if experiment.ties == "expected":
        asked = f"{arguments.criterion}: it needs ranked lists, and --ties expected makes none"
        raise OptionError(f"{asked}. Choose another answer to --ties.")
    refuse_run_metrics(arguments.criterion, experiment)
    failures = Failures()
    located = locate_systems(experiment, pipeline, failures)
    failed.update(reasons_of(failures))
    return located
