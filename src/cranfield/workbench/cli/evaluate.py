"""``cranfield evaluate``: score runs against judgments."""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from cranfield.base.files import json_text, writing
from cranfield.scoring.metric import is_better_higher
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.summaries import (
    breakdown_table,
    counts_line,
    forgiving_table,
    lists_table,
    summary_latex,
    summary_table,
)
from cranfield.workbench.cli.shared.arguments import seed_argument
from cranfield.workbench.cli.shared.compiling import compiling
from cranfield.workbench.cli.shared.run_arguments import experiment_of, run_arguments
from cranfield.workbench.execution.evaluation import evaluate_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.signatures import flags_of

KINDS = ("source", "split", "target", "gain", "metric", "run-metric", "aggregation")
"""The kinds of options that the command needs."""

_DECISIONS = ("coverage", "undefined", "aggregation", "by", "item_vectors")
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
    parser.add_argument("--json", metavar="FILE", help="write the summary as JSON")
    parser.add_argument("--per-user", metavar="FILE", help="write all scores as Parquet")
    parser.add_argument("--latex", action="store_true", help="print a LaTeX table instead")


def run(arguments: argparse.Namespace) -> None:
    """Score the runs, write what was asked for, and print the table."""
    experiment = experiment_of(arguments, *_DECISIONS)
    with ExitStack() as files:
        # Opened before the work and put in place after it: both files are whole, or neither is.
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        parquet = files.enter_context(writing(arguments.per_user)) if arguments.per_user else None
        files.enter_context(compiling(experiment.metrics))
        pipeline = Pipeline()
        made = evaluate_prepared(experiment, pipeline.prepare(experiment), pipeline)
        if parquet:
            made.scores.write(parquet)
        if json:
            json.write_text(json_text(made.to_dict()), encoding="utf-8")
    unmarked = frozenset(str(m) for m in experiment.metrics if not is_better_higher(m))
    _show(made, unmarked, arguments.latex)


def _show(made: Evaluation, unmarked: frozenset[str], latex: bool) -> None:
    reason = made.unknown_random
    if latex:
        tables.show(
            summary_latex(made.summary, unmarked=unmarked, lists=made.lists, unknown_random=reason)
        )
        return
    width = tables.terminal_width()
    shown = [lists_table(made.lists, width=width)]
    if made.summary.rows:
        main = summary_table(made.summary, width=width, unmarked=unmarked, unknown_random=reason)
        main = f"{main}\n\n{counts_line(made.summary)}"
        shown = [main, forgiving_table(made.summary), *shown]
    shown += [breakdown_table(each, width=width) for each in made.breakdowns]
    tables.show("\n\n".join(text for text in shown if text))
    for note in made.notes:
        tables.show(f"note: {tables.printable(note)}")
