"""``cranfield assess``: whether the metrics themselves can be trusted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from typing import get_args

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text, writing
from cranfield.base.spelling import split_list
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import (
    RUN_A,
    RUN_B,
    p_values_from_scores,
    p_values_from_table,
)
from cranfield.validity.meta.published_tables import only_metrics, read_table
from cranfield.validity.meta.rank_agreement import Agreement
from cranfield.validity.meta.system_values import (
    SIZE_COLUMNS,
    SYSTEM_COLUMNS,
    values_from_scores,
    values_from_table,
)
from cranfield.validity.meta.thinning import Scenario
from cranfield.view.charts.assessment_plots import chart_format, write_charts
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.assessments import assessment_text
from cranfield.workbench.cli import assess_bias, assess_truth
from cranfield.workbench.cli.shared.arguments import seed_argument
from cranfield.workbench.cli.shared.run_arguments import (
    OF_USERS,
    experiment_of,
    refuse_run_metrics,
    refuse_unless_one,
    run_arguments,
    scores_argument,
    scores_of,
)
from cranfield.workbench.execution.assessing import locate_systems
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


def declare(parser: Parser) -> None:
    """The criteria, and the arguments of each."""
    criteria = parser.add_subparsers(dest="criterion", metavar="CRITERION", required=True)

    def add(name: str, text: str, gather: Callable[[argparse.Namespace], Evidence]) -> Parser:
        made: Parser = criteria.add_parser(name, help=text, description=f"Assess {text}.")
        made.set_defaults(gather=gather)
        made.add_argument("--json", metavar="FILE", help="write all figures as JSON")
        made.add_argument("--plot", metavar="FILE", help="draw into FILE.svg, .html, .png or .pdf")
        made.add_argument(
            "-m", "--metric", action="append", default=[], dest="metrics", metavar="METRIC",
            help='a metric such as "nDCG@10", repeatable; of scores and tables, all by default',
        )  # fmt: skip
        seed_argument(made)
        return made

    _declare_power(add("discriminative-power", "how well metrics tell systems apart", _p_values))
    _declare_robustness(add("robustness", "how well orders stand poorer test sets", _thinnable))
    _declare_correlation(add("correlation", "whether metrics order systems alike", _values))
    assess_bias.declare(criteria)
    assess_truth.declare(criteria)


def _declare_power(parser: Parser) -> None:
    scores_argument(parser)
    run_arguments(parser)
    parser.add_argument(
        "--p-values", metavar="FILE",
        help="a table with columns RunA, RunB and one per metric, instead of scores",
    )  # fmt: skip
    parser.add_argument(
        "--test", default="permutation", metavar="TEST",
        help="the paired test; `cranfield options test` lists all (permutation)",
    )  # fmt: skip
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="the level (0.05)")


def _declare_correlation(parser: Parser) -> None:
    scores_argument(parser)
    run_arguments(parser)
    _table_argument(parser, "instead of scores")
    parser.add_argument(
        "--agreement", choices=get_args(Agreement), default="tau-b",
        help="how far two orders agree (tau-b)",
    )  # fmt: skip
    parser.add_argument(
        "--aggregation", default="mean", metavar="NAME", help="how users are averaged (mean)"
    )
    flags_of(parser, OF_USERS)


def _declare_robustness(parser: Parser) -> None:
    _table_argument(parser, "at several sizes, instead of runs and judgments")
    run_arguments(parser)
    parser.add_argument(
        "--scenario", action="append", dest="scenarios", choices=get_args(Scenario),
        help="what leaves the test set, repeatable (all five)",
    )  # fmt: skip
    parser.add_argument(
        "--sizes", metavar="S,…", help="shares that are left (1, 0.95, …, 0.05, 0.01)"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="samples of each size (50)")
    parser.add_argument(
        "--epsilon", type=float, metavar="X", help="what the geometric mean adds to scores (0.01)"
    )


def _table_argument(parser: Parser, text: str) -> None:
    parser.add_argument(
        "--table", metavar="FILE",
        help=f"values with columns Recommender, Percentage and one per metric, {text}",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Gather the evidence, assess it, write what was asked for, and print the verdict."""
    if hasattr(arguments, "alone"):  # a criterion that runs experiments of its own
        arguments.alone(arguments)
        return
    criterion = options.from_table("criterion", _criterion(arguments))
    kind = chart_format(arguments.plot) if arguments.plot else ""
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        drawing = files.enter_context(writing(arguments.plot)) if arguments.plot else None
        made = criterion.assess(arguments.gather(arguments))
        if json:
            json.write_text(json_text(made.to_dict()), encoding="utf-8")
        if drawing:
            write_charts(made.charts, drawing, kind, made.reading)
    tables.show(assessment_text(made, width=tables.terminal_width()))


def _criterion(arguments: argparse.Namespace) -> dict[str, object]:
    """The criterion with the parameters that were given."""
    given = {
        name: value
        for name in ("alpha", "agreement", "scenarios", "samples", "epsilon")
        if (value := getattr(arguments, name, None)) is not None
    }
    if getattr(arguments, "sizes", None):
        given["sizes"] = [_number(word) for word in split_list(arguments.sizes)]
    return {"name": arguments.criterion, **given}


def _number(word: str) -> object:
    """A share, or the word as it stands for the option to refuse."""
    text = word.strip()
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return text


def _p_values(arguments: argparse.Namespace) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "scores", "p_values")
    if arguments.p_values:
        where = arguments.p_values
        table = only_metrics(read_table(where), (RUN_A, RUN_B), arguments.metrics, where)
        return Evidence(p_values=p_values_from_table(table, where))
    test = options.parse("test", arguments.test)
    scores = scores_of(arguments.criterion, arguments)
    return Evidence(p_values=p_values_from_scores(scores, test, arguments.seed))


def _values(arguments: argparse.Namespace) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "scores", "table")
    if arguments.table:
        return _values_of_table(arguments)
    aggregation = options.parse("aggregation", arguments.aggregation)
    scores = scores_of(arguments.criterion, arguments)
    return Evidence(values=values_from_scores(scores, aggregation))


def _values_of_table(arguments: argparse.Namespace) -> Evidence:
    where = arguments.table
    keys = (*SYSTEM_COLUMNS, *SIZE_COLUMNS)
    table = only_metrics(read_table(where), keys, arguments.metrics, where)
    return Evidence(values=values_from_table(table, where))


def _thinnable(arguments: argparse.Namespace) -> Evidence:
    refuse_unless_one(arguments.criterion, arguments, "table")
    if arguments.table:
        return _values_of_table(arguments)
    experiment = experiment_of(arguments)
    if experiment.ties == "expected":
        raise OptionError("robustness: it thins ranked lists; choose another answer to --ties.")
    refuse_run_metrics(arguments.criterion, experiment)
    return locate_systems(experiment)
