"""``cranfield assess``: whether the metrics themselves can be trusted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, get_args

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text, writing
from cranfield.base.spelling import split_list
from cranfield.recommendation.choice import Ties
from cranfield.recommendation.run_report import Kept, Repeated
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.validity.criterion import Evidence
from cranfield.validity.p_values import (
    RUN_A,
    RUN_B,
    p_values_from_scores,
    p_values_from_table,
)
from cranfield.validity.rank_agreement import Agreement
from cranfield.validity.system_values import (
    SIZE_COLUMNS,
    SYSTEM_COLUMNS,
    values_from_scores,
    values_from_table,
)
from cranfield.validity.tables import only_metrics, read_table
from cranfield.validity.thinning import Scenario
from cranfield.view import tables
from cranfield.view.assessments import assessment_text
from cranfield.view.charts import chart_format, write_charts
from cranfield.workbench.cli.arguments import (
    columns_argument,
    named_runs,
    read_file,
    seed,
    seed_argument,
)
from cranfield.workbench.evaluation_choice import Entrants
from cranfield.workbench.evaluation_steps import make_choice, parse_metrics
from cranfield.workbench.run_hits import locate_runs

KINDS = ("source", "target", "gain", "metric", "run-metric", "aggregation", "test", "criterion")
"""The kinds of options that the command needs."""

_DECISIONS = (
    "topics", "least_train", "targets", "ties", "duplicates", "training_items",
    "unknown_items", "seed",
)  # fmt: skip

Parser = argparse.ArgumentParser


def declare(parser: Parser) -> None:
    """The criteria, and the arguments of each."""
    criteria = parser.add_subparsers(dest="criterion", metavar="CRITERION", required=True)

    def add(name: str, text: str, gather: Callable[[argparse.Namespace], Evidence]) -> Parser:
        made: Parser = criteria.add_parser(name, help=text, description=f"Assess {text}.")
        made.set_defaults(gather=gather)
        made.add_argument("--json", metavar="FILE", help="write all figures as JSON")
        made.add_argument(
            "-m", "--metric", action="append", default=[], dest="metrics", metavar="METRIC",
            help='a metric such as "nDCG@10", repeatable; of scores and tables, all by default',
        )  # fmt: skip
        seed_argument(made)
        return made

    _declare_power(add("discriminative-power", "how well metrics tell systems apart", _p_values))
    _declare_robustness(add("robustness", "how well orders stand poorer test sets", _thinnable))
    _declare_correlation(add("correlation", "whether metrics order systems alike", _values))


def _declare_power(parser: Parser) -> None:
    _scores_argument(parser)
    parser.add_argument(
        "--p-values", metavar="FILE",
        help="a table with columns RunA, RunB and one per metric, instead of scores",
    )  # fmt: skip
    parser.add_argument(
        "--test", default="permutation", metavar="TEST",
        help="the paired test; `cranfield options test` lists all (permutation)",
    )  # fmt: skip
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="the level (0.05)")
    _plot_argument(parser)


def _declare_correlation(parser: Parser) -> None:
    _scores_argument(parser)
    _table_argument(parser, "instead of scores")
    parser.add_argument("--agreement", choices=get_args(Agreement), default="tau-b", help="(tau-b)")
    parser.add_argument(
        "--aggregation", default="mean", metavar="NAME", help="how users are averaged (mean)"
    )


def _declare_robustness(parser: Parser) -> None:
    _table_argument(parser, "at several sizes, instead of runs and judgments")
    parser.add_argument("--judgments", metavar="FILE", help="test ratings or TREC qrels")
    parser.add_argument(
        "--run", action="append", default=[], dest="runs", metavar="NAME=FILE",
        help="a run, as in `cranfield evaluate`; repeatable",
    )  # fmt: skip
    parser.add_argument("--relevance", type=float, metavar="R", help="relevant from R on")
    parser.add_argument("--train", metavar="FILE", help="training ratings: never ranked again")
    columns_argument(parser)
    _add_decisions(parser)
    parser.add_argument(
        "--scenario", action="append", dest="scenarios", choices=get_args(Scenario),
        help="what leaves the test set, repeatable (all five)",
    )  # fmt: skip
    parser.add_argument(
        "--sizes", metavar="S,…", help="shares that are left (1, 0.95, …, 0.05, 0.01)"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="samples of each size (50)")
    _plot_argument(parser)


def _add_decisions(parser: Parser) -> None:
    parser.add_argument("--targets", default="all-items", metavar="LIST", help="items that count")
    parser.add_argument("--least-train", type=seed, metavar="N", help="training ratings needed")
    ranked = tuple(way for way in get_args(Ties) if way != "expected")
    for name, words, default in (
        ("--topics", get_args(Entrants), "judged"),
        ("--ties", ranked, "item-id"),
        ("--duplicates", get_args(Repeated), "refuse"),
        ("--training-items", get_args(Kept), "drop"),
        ("--unknown-items", get_args(Kept), "keep"),
    ):
        parser.add_argument(
            name, choices=words, default=default, help=f"as in `cranfield evaluate` ({default})"
        )


def _scores_argument(parser: Parser) -> None:
    parser.add_argument(
        "scores", nargs="?", metavar="SCORES.parquet",
        help="scores per user, as `cranfield evaluate --per-user` writes them",
    )  # fmt: skip


def _table_argument(parser: Parser, text: str) -> None:
    parser.add_argument(
        "--table", metavar="FILE",
        help=f"values with columns Recommender, Percentage and one per metric, {text}",
    )  # fmt: skip


def _plot_argument(parser: Parser) -> None:
    parser.add_argument("--plot", metavar="FILE", help="draw into FILE.svg, .html, .png or .pdf")


def run(arguments: argparse.Namespace) -> None:
    """Gather the evidence, assess it, write what was asked for, and print the verdict."""
    criterion = options.from_table("criterion", _criterion(arguments))
    plot = getattr(arguments, "plot", None)
    kind = chart_format(plot) if plot else ""
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        drawing = files.enter_context(writing(plot)) if plot else None
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
        for name in ("alpha", "agreement", "scenarios", "samples")
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
    _refuse_unless_one(arguments, "scores", "p_values")
    if arguments.p_values:
        where = arguments.p_values
        table = only_metrics(read_table(where), (RUN_A, RUN_B), arguments.metrics, where)
        return Evidence(p_values=p_values_from_table(table, where))
    test = options.parse("test", arguments.test)
    scores = _scores(arguments)
    return Evidence(p_values=p_values_from_scores(scores, test, arguments.seed))


def _scores(arguments: argparse.Namespace) -> Scores:
    """The scores of a file, by the metrics that were named or by all."""
    scores = read_scores(arguments.scores)
    if not arguments.metrics:
        return scores
    chosen = [scores.metric_number(name) for name in dict.fromkeys(arguments.metrics)]
    names = tuple(scores.metrics[number] for number in chosen)
    return replace(scores, metrics=names, values=scores.values[:, chosen])


def _values(arguments: argparse.Namespace) -> Evidence:
    _refuse_unless_one(arguments, "scores", "table")
    if arguments.table:
        return _values_of_table(arguments)
    aggregation = options.parse("aggregation", arguments.aggregation)
    return Evidence(values=values_from_scores(_scores(arguments), aggregation))


def _values_of_table(arguments: argparse.Namespace) -> Evidence:
    where = arguments.table
    keys = (*SYSTEM_COLUMNS, *SIZE_COLUMNS)
    table = only_metrics(read_table(where), keys, arguments.metrics, where)
    return Evidence(values=values_from_table(table, where))


def _thinnable(arguments: argparse.Namespace) -> Evidence:
    _refuse_unless_one(arguments, "judgments", "table")
    if arguments.table:
        return _values_of_table(arguments)
    metrics, of_runs = parse_metrics(arguments.metrics)
    if of_runs:
        raise OptionError(f"robustness: {of_runs[0]} does not depend on judgments of topics.")
    if not metrics or not arguments.runs or arguments.relevance is None:
        raise OptionError("robustness: give --run, --metric and --relevance with --judgments.")
    given: dict[str, Any] = {name: getattr(arguments, name) for name in _DECISIONS}
    choice = make_choice(arguments.relevance, given, trained=bool(arguments.train))
    found = locate_runs(
        read_file(arguments.judgments, arguments),
        named_runs(arguments.runs),
        choice,
        read_file(arguments.train, arguments) if arguments.train else None,
    )
    return Evidence(
        hits=found.hits, metrics=metrics, popularity=found.popularity, seed=arguments.seed
    )


def _refuse_unless_one(arguments: argparse.Namespace, *names: str) -> None:
    """Refuse neither or both of two ways to give the evidence."""
    given = [name for name in names if getattr(arguments, name)]
    if len(given) != 1:
        words = {"scores": "SCORES.parquet"}
        spelled = [words.get(name, f"--{name.replace('_', '-')}") for name in names]
        raise OptionError(f"{arguments.criterion}: give {' or '.join(spelled)}, one of them.")
