"""Arguments of commands that read scores, or score runs first as ``evaluate`` does."""

from __future__ import annotations

import argparse

from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.workbench.cli.compiling import compiling
from cranfield.workbench.cli.run_arguments import experiment_of, refuse_run_metrics
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.pipeline import Pipeline


def scores_argument(parser: argparse.ArgumentParser) -> None:
    """The file of scores, which may be left out where runs are given."""
    parser.add_argument(
        "scores", nargs="?", metavar="SCORES.parquet",
        help="scores as `cranfield evaluate --per-user` writes them; or give runs and judgments",
    )  # fmt: skip


def scores_of(command: str, arguments: argparse.Namespace) -> Scores:
    """The scores of a file by the metrics named, or of runs that are scored first."""
    if arguments.scores:
        return read_scores(arguments.scores).by_metrics(arguments.metrics)
    experiment = experiment_of(arguments)
    refuse_run_metrics(command, experiment)
    with compiling(experiment.metrics):
        pipeline = Pipeline(ranks=False)
        condition = RankingCondition(experiment=experiment, metrics=experiment.metrics)
        return pipeline.score(pipeline.prepare(experiment), [condition])[0]
