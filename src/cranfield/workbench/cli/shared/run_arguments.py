"""Arguments of commands that read scores, or score runs first as ``evaluate`` does."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import field

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.collection.topics import UserCounts
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.view.names import Label, labels_of, metric_label
from cranfield.workbench.cli.shared.arguments import (
    columns_argument,
    file_source,
    threshold,
)
from cranfield.workbench.cli.shared.named_runs import named_runs
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.users import UsersObserver
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.failures import Failures, reasons_of
from cranfield.workbench.signatures import flags_of

_DECISIONS = (
    "targets", "topics", "least_train", "ties", "depth", "duplicates", "training_items",
    "unknown_items", "catalogue", "scale", "train_filters", "test_filters", "item_vectors",
    "item_labels",
)  # fmt: skip
"""The decisions that change a score of a run."""
OF_USERS = ("user_columns",)
"""What some commands also ask of runs: to know more of their users."""
_NEEDED = ("judgments", "runs", "relevance")
_FLAGS = {"runs": "--run", "metrics": "--metric", "scores": "SCORES.parquet"}


def run_arguments(parser: argparse.ArgumentParser, *, needed: bool = False) -> None:
    """Runs, judgments and the decisions of an evaluation that change a score.

    ``needed`` means that there is no way without them. Nothing has a default here, so that
    what was given is known; the relevance has none anywhere, since every scale differs.
    """
    title = "runs and judgments" if needed else "runs and judgments, as in evaluate"
    group = parser.add_argument_group(title)
    group.add_argument(
        "--judgments", required=needed, metavar="FILE", help="test ratings or TREC qrels"
    )
    group.add_argument(
        "--run", action="append", required=needed, default=[], dest="runs", metavar="NAME=FILE",
        help="a run: TREC, TSV, CSV, .inter or Parquet; repeat it for several systems",
    )  # fmt: skip
    group.add_argument(
        "--relevance", type=threshold, required=needed, metavar="R",
        help="test ratings of at least R are relevant",
    )  # fmt: skip
    group.add_argument(
        "--train", metavar="FILE", help="training ratings; a user's training items are not targets"
    )
    columns_argument(parser)
    flags_of(group, _DECISIONS)


def flag(name: str) -> str:
    """How an argument is spelled on the command line.

    >>> flag("least_train")
    '--least-train'
    """
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


def given(arguments: argparse.Namespace, *names: str) -> list[str]:
    """Those of the arguments that were given."""
    return [name for name in names if getattr(arguments, name, None) not in (None, [], "")]


def refuse_unless_one(
    command: str, arguments: argparse.Namespace, *others: str, drawn: str = ""
) -> None:
    """Refuse all but one way to say what is assessed: runs and judgments, or one of others.

    Workers score runs; with a way that is ``drawn`` by, they have draws to do.
    """
    ways = given(arguments, *others)
    of_runs = given(arguments, *_NEEDED, "train", *_DECISIONS, *OF_USERS)
    if ways != [drawn]:
        of_runs += given(arguments, "workers")
    if len(ways) > 1 or (ways and of_runs):
        both = " and ".join(flag(name) for name in (*ways, *of_runs)[:2])
        raise OptionError(f"{command}: {both} do not go together. Give {_ways(others)}.")
    lacking = [name for name in (*_NEEDED, "metrics") if name not in given(arguments, name)]
    if not ways and lacking:
        said = f"{', '.join(map(flag, lacking))} {'is' if len(lacking) == 1 else 'are'} missing"
        raise OptionError(f"{command}: {said}. Give {_ways(others)}.")


def _ways(others: tuple[str, ...]) -> str:
    listed = "".join(f"{flag(each)}, " for each in others)
    either = f"{listed}or " if listed else ""
    return f"{either}--judgments, --relevance, --metric and a --run for each system"


def experiment_of(arguments: argparse.Namespace, *more: str) -> Experiment:
    """The experiment that scores runs; what was not given is as by default.

    ``more`` are decisions that only some commands ask for.
    """
    parts = (arguments.judgments, arguments.train)
    test, train = (file_source(each, arguments) if each else None for each in parts)
    return Experiment(
        split=given_parts(test, train),
        runs=named_runs(arguments.runs),
        relevance=arguments.relevance,
        metrics=arguments.metrics,
        seed=arguments.seed,
        **{name: getattr(arguments, name) for name in given(arguments, *_DECISIONS, *more)},
    )


def refuse_run_metrics(command: str, experiment: Experiment) -> None:
    """Refuse metrics of whole runs, which have no score per user."""
    if experiment.run_metrics:
        listed = ", ".join(map(str, experiment.run_metrics))
        raise OptionError(f"{command}: {listed} has no score per user. Choose other metrics.")


def scores_argument(parser: argparse.ArgumentParser) -> None:
    """The file of scores, which may be left out where runs are given."""
    parser.add_argument(
        "scores", nargs="?", metavar="SCORES.parquet",
        help="scores as `cranfield evaluate --per-user` writes them; or give runs and judgments",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ScoredRuns:
    """Scores, who of the test users entered where that is known, and how metrics are named.

    ``failed`` has the runs that could not be read, and why.
    """

    scores: Scores
    users: UserCounts | None = None
    label: Label = metric_label
    failed: Mapping[str, str] = field(default_factory=dict)


def scored_runs(command: str, arguments: argparse.Namespace, pipeline: Pipeline) -> ScoredRuns:
    """The scores of a file by the metrics named, or of runs that are scored first.

    Of runs, it is also known which users a file of scores does not name.
    """
    if arguments.scores:
        return ScoredRuns(read_scores(arguments.scores).by_metrics(arguments.metrics))
    experiment = experiment_of(arguments, *OF_USERS)
    refuse_run_metrics(command, experiment)
    observer, failed = UsersObserver(experiment), Failures()
    condition = RankingCondition(experiment=experiment, metrics=experiment.metrics)
    data = pipeline.prepare(experiment)
    scores = pipeline.score(data, [condition], {0: observer}, failed=failed)[0]
    label, reasons = labels_of(experiment.metrics), reasons_of(failed)
    return ScoredRuns(scores, observer.counts, label, reasons)
