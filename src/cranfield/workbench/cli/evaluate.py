"""``cranfield evaluate``: score runs against judgments."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from cranfield.base.errors import OutputError
from cranfield.base.files import json_text, writing
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.breakdowns import breakdown_table
from cranfield.view.tables.summaries import (
    counts_line,
    forgiving_table,
    lists_table,
    summary_table,
)
from cranfield.view.tables.users import users_line
from cranfield.workbench.cli.shared.arguments import seed_argument, workers_argument
from cranfield.workbench.cli.shared.failed import exit_code
from cranfield.workbench.cli.shared.outputs import refuse_overwriting
from cranfield.workbench.cli.shared.run_arguments import experiment_of, run_arguments
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.signatures import flags_of

KINDS = ("source", "split", "target", "gain", "metric", "run-metric", "aggregation")
"""The kinds of options that the command needs."""

_DECISIONS = ("coverage", "undefined", "aggregation", "user_columns", "by")
"""What becomes of scores."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "-m", "--metric", action="append", required=True, dest="metrics", metavar="METRIC",
        help='a metric such as "nDCG@10" or, beyond accuracy, "CatalogueCoverage@10", repeatable; '
        "`cranfield options metric` and `cranfield options run-metric` list all",
    )  # fmt: skip
    run_arguments(parser, needed=True)
    flags_of(parser, _DECISIONS)
    seed_argument(parser)
    workers_argument(parser)
    parser.add_argument("--json", metavar="FILE", help="write the summary as JSON")
    parser.add_argument("--per-user", metavar="FILE", help="write all scores as Parquet")
    parser.add_argument(
        "--latex", nargs="?", const="values", choices=("values", "intervals"),
        help="print a LaTeX table instead: the values, or the values with their 95 %% intervals",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Score the runs, write what was asked for, and print the table."""
    refuse_overwriting(arguments)
    experiment = experiment_of(arguments, *_DECISIONS)
    with ExitStack() as files:
        # Opened before the work and put in place after it: both files are whole, or neither is.
        _require_parquet(arguments.per_user)
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        parquet = files.enter_context(writing(arguments.per_user)) if arguments.per_user else None
        pipeline = files.enter_context(open_pipeline(workers=arguments.workers))
        made = evaluate_prepared(experiment, pipeline.prepare(experiment), pipeline)
        if parquet:
            made.scores.write(parquet)
        if json:
            json.write_text(json_text(made.to_dict()), encoding="utf-8")
    _show(made, arguments.latex)
    return exit_code(made.failed)


def _require_parquet(path: str | None) -> None:
    """Scores are written as Parquet, whatever their file is called: refuse another suffix."""
    if path and Path(path).suffix.lower() != ".parquet":
        raise OutputError(path, "scores are written as Parquet: the suffix must be .parquet")


def _show(made: Evaluation, latex: str | None) -> None:
    label, reason = made.label, made.unknown_random
    if latex:
        from cranfield.view.tables.paper import PaperTable

        paper = PaperTable(
            summary=made.summary,
            title="Evaluation",
            lists=made.lists,
            users=made.users,
            intervals=latex == "intervals",
            unmarked=made.unmarked,
            unknown_random=reason,
            label=label,
            failed=made.failed,
        )
        tables.show(paper.latex())
        return
    width = tables.terminal_width()
    shown = [lists_table(made.lists, width=width, label=made.label)]
    if made.summary.rows:
        main = summary_table(
            made.summary, width=width, unmarked=made.unmarked, unknown_random=reason, label=label,
            failed=made.failed,
        )  # fmt: skip
        counts = tables.wrapped(counts_line(made.summary, label=label), width)
        shown = [
            f"{main}\n\n{counts}",
            forgiving_table(made.summary, width=width, label=label),
            *shown,
        ]
    shown += [breakdown_table(each, width=width, label=label) for each in made.breakdowns]
    users = tables.wrapped(users_line(made.users), width)
    tables.show("\n\n".join(text for text in (users, *shown) if text))
    for note in made.notes:
        tables.show(tables.noted(note, width))
