"""``cranfield evaluate``: score runs against judgments."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.base.files import write_json
from cranfield.collection.target_choice import parse_targets
from cranfield.recommendation.choice import Ties
from cranfield.recommendation.run_report import Kept, Repeated, RunRules
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.scoring.summary import SummaryChoice
from cranfield.view import tables
from cranfield.view.summaries import counts_line, forgiving_table, summary_latex, summary_table
from cranfield.workbench.cli.arguments import (
    columns_argument,
    read_file,
    relevance_argument,
    seed,
    seed_argument,
)
from cranfield.workbench.evaluation import Entrants, Evaluation, EvaluationChoice, evaluate

KINDS = ("source", "target", "gain", "metric", "run-metric", "aggregation")
"""The kinds of options that the command needs."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--judgments", required=True, metavar="FILE", help="test ratings or TREC qrels"
    )
    parser.add_argument(
        "--run", action="append", required=True, dest="runs", metavar="NAME=FILE",
        help="a run: TREC, TSV, CSV, .inter or Parquet; repeat it for several systems",
    )  # fmt: skip
    parser.add_argument(
        "-m", "--metric", action="append", required=True, dest="metrics", metavar="METRIC",
        help='a metric such as "nDCG@10", repeatable; `cranfield options metric` lists all',
    )  # fmt: skip
    relevance_argument(parser)
    parser.add_argument("--train", metavar="FILE", help="training ratings: never ranked again")
    columns_argument(parser)
    _add_decisions(parser)
    seed_argument(parser)
    parser.add_argument("--json", metavar="FILE", help="write the summary as JSON")
    parser.add_argument("--per-user", metavar="FILE", help="write all scores as Parquet")
    parser.add_argument("--latex", action="store_true", help="print a LaTeX table instead")


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    def choose(name: str, words: Any, default: str, text: str) -> None:
        parser.add_argument(
            name, choices=get_args(words), default=default, help=f"{text} ({default})"
        )

    parser.add_argument("--targets", default="all-items", metavar="LIST", help="items that count")
    parser.add_argument(
        "--least-train", type=seed, metavar="N",
        help="training ratings that a user needs (1 with --train, else 0)",
    )  # fmt: skip
    choose("--topics", Entrants, "judged", "all judged users, or those with a list")
    choose("--ties", Ties, "item-id", "order of items with equal scores")
    choose("--duplicates", Repeated, "refuse", "an item twice in one list")
    choose("--training-items", Kept, "drop", "training items in a list")
    choose("--unknown-items", Kept, "keep", "items that the collection lacks")
    choose("--coverage", Coverage, "full", "users without a list")
    choose("--undefined", Undefined, "left-out", "users on whom a metric is undefined")
    parser.add_argument(
        "--aggregation", default="mean", metavar="NAME", help="how users are averaged (mean)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Score the runs, write what was asked for, and print the table."""
    metrics = [options.parse("metric", text) for text in arguments.metrics]
    runs = _runs(arguments.runs)
    choice = _choice(arguments)
    test = read_file(arguments.judgments, arguments)
    train = read_file(arguments.train, arguments) if arguments.train else None
    made = evaluate(test, runs, metrics, choice, train)
    if arguments.json:
        write_json(arguments.json, made.to_dict())
    if arguments.per_user:
        made.scores.to_parquet(Path(arguments.per_user))
    _show(made, latex=arguments.latex)


def _runs(given: list[str]) -> dict[str, str]:
    """Names and files of runs; a name is the file's own where none is given."""
    runs: dict[str, str] = {}
    for text in given:
        name, equals, path = text.partition("=")
        name, path = (name, path) if equals else (Path(text).name.partition(".")[0], text)
        if not name or not path:
            raise OptionError(f'--run "{text}": give it as NAME=FILE.')
        if name in runs:
            raise OptionError(f'--run: two runs are called "{name}". Name them NAME=FILE.')
        runs[name] = path
    return runs


def _choice(arguments: argparse.Namespace) -> EvaluationChoice:
    least = arguments.least_train
    return EvaluationChoice(
        relevance=arguments.relevance,
        topics=arguments.topics,
        least_train=int(bool(arguments.train)) if least is None else least,
        targets=parse_targets(arguments.targets),
        ties=arguments.ties,
        rules=RunRules(
            ties="trec_eval" if arguments.ties == "trec_eval" else "item-id",
            duplicates=arguments.duplicates,
            training_items=arguments.training_items,
            unknown_items=arguments.unknown_items,
        ),
        summary=SummaryChoice(
            aggregation=options.parse("aggregation", arguments.aggregation),
            coverage=arguments.coverage,
            undefined=arguments.undefined,
        ),
        seed=arguments.seed,
    )


def _show(made: Evaluation, *, latex: bool) -> None:
    if latex:
        tables.show(summary_latex(made.summary))
        return
    tables.show(summary_table(made.summary, width=tables.terminal_width()))
    tables.show(f"\n{counts_line(made.summary)}")
    if both := forgiving_table(made.summary):
        tables.show(f"\n{both}")
    for note in made.notes:
        tables.show(f"note: {tables.printable(note)}")
