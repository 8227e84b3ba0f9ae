"""Arguments of commands that read scores, or score runs first as ``evaluate`` does."""

from __future__ import annotations

import argparse

from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.workbench.cli.run_arguments import choice_of, inputs_of, topic_metrics
from cranfield.workbench.comparison_steps import by_metrics
from cranfield.workbench.execution.compiling import compiling
from cranfield.workbench.execution.evaluation import evaluate_runs


def scores_argument(parser: argparse.ArgumentParser) -> None:
    """The file of scores, which may be left out where runs are given."""
    parser.add_argument(
        "scores", nargs="?", metavar="SCORES.parquet",
        help="scores as `cranfield evaluate --per-user` writes them; or give runs and judgments",
    )  # fmt: skip


def scores_of(command: str, arguments: argparse.Namespace) -> Scores:
    """The scores of a file by the metrics named, or of runs that are evaluated first."""
    if arguments.scores:
        return by_metrics(read_scores(arguments.scores), arguments.metrics)
    metrics, choice = topic_metrics(command, arguments), choice_of(arguments)
    with compiling(metrics):
        test, runs, train = inputs_of(arguments)
        return evaluate_runs(test, runs, metrics, choice, train).scores
