"""``cranfield rank``: fit systems and write their rankings as runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.recommendation.recommender import Recommender
from cranfield.recommendation.runs.writing import format_of, write_run
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import (
    columns_argument,
    file_source,
    seed_argument,
    threshold,
    whole_number,
)
from cranfield.workbench.cli.shared.failed import say_failed
from cranfield.workbench.cli.shared.outputs import refuse_overwriting
from cranfield.workbench.cli.shared.run_arguments import given
from cranfield.workbench.cli.shared.system_arguments import named_systems
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import SystemOutput
from cranfield.workbench.execution.systems.failures import Failures, reasons_of, refuse_all_failed
from cranfield.workbench.execution.systems.system_pass import rank_systems
from cranfield.workbench.signatures import flags_of

_DECISIONS = (
    "targets", "topics", "least_train", "ties", "unscored", "training_items", "catalogue",
    "train_filters", "test_filters",
)  # fmt: skip
_WHATEVER_IS_RELEVANT = ("all-nonrelevant", "judged-only", "listed")
"""Choices that rank the same items for any threshold of relevance."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--train", required=True, metavar="FILE", help="the training ratings")
    parser.add_argument("--test", required=True, metavar="FILE", help="the test ratings")
    columns_argument(parser)
    parser.add_argument(
        "--system",
        action="append",
        required=True,
        dest="systems",
        metavar="[NAME=]RECOMMENDER",
        help='a recommender such as "user-kNN(k=100)" or "kNN=user-kNN(k=100)", repeatable; '
        "`cranfield options recommender` lists all",
    )
    flags_of(parser, _DECISIONS)
    parser.add_argument("--users", dest="topics", help=argparse.SUPPRESS)  # its name in 0.1
    parser.add_argument(
        "--depth", type=whole_number, default=100, metavar="N", help="length of the lists (100)"
    )
    parser.add_argument(
        "--relevance", type=threshold, metavar="R",
        help="test ratings of at least R are relevant; needed for samples, which leave them out",
    )  # fmt: skip
    seed_argument(parser)
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="where to write the run: .run (TREC), .tsv, .csv, .inter or .parquet, the text "
        "ones also with .gz or .zst; several systems get a file each, NAME-SYSTEM.suffix",
    )


def run(arguments: argparse.Namespace) -> int:
    """Fit, rank and write each system in turn, and print what came of it."""
    refuse_overwriting(arguments)
    systems = systems_by_name(arguments.systems)
    relevance = arguments.relevance
    files = [file_source(name, arguments) for name in (arguments.test, arguments.train)]
    experiment = Experiment(
        split=given_parts(*files),
        systems=systems,
        metrics=(),
        # Without a threshold nothing depends on it: every test rating will do.
        relevance=-sys.float_info.max if relevance is None else relevance,
        seed=arguments.seed,
        **{name: getattr(arguments, name) for name in given(arguments, *_DECISIONS)},
    )
    refuse_early(experiment, arguments)
    out = paths_for(Path(arguments.out), list(systems))
    pipeline, rows, failed = Pipeline(), [], Failures()
    data = pipeline.prepare(experiment)
    targets = pipeline.targets(data, data.folds[0], experiment)
    asked = experiment, targets, arguments.depth, failed
    for made, timing in rank_systems(*asked, whole_ranks=False):
        path = out[made.system]
        assert made.lists is not None
        write_run(made.lists, path, user_ids=data.user_ids, item_ids=data.item_ids)
        rows.append((*_row(made, timing.seconds), str(path)))
    refuse_all_failed(experiment.names, failed)
    headings = ("system", "covered", "list", "tied", "unscored", "fit", "rank", "written to")
    tables.show(tables.render(rows, headings, left=(0, 7)))
    return say_failed(reasons_of(failed))


def systems_by_name(given: list[str]) -> dict[str, Recommender]:
    """Recommenders by the names that they were given, else by their spelling."""
    found: dict[str, Recommender] = {}
    for named, text in named_systems(given).items():
        system = options.parse("recommender", text)
        name = str(system) if named == text else named
        if name in found:
            raise OptionError("--system: the same system is given twice.")
        found[name] = system
    return found


def refuse_early(experiment: Experiment, arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, or needs a threshold, before anything is read."""
    format_of(Path(arguments.out))
    wanted = experiment.targets
    if str(wanted.relevant) != "all-relevant":
        raise OptionError(
            f"--targets, {wanted.relevant}: it makes several lists per user, and a file of runs "
            f"has one. Rank all items here, to a great depth, and give these targets to "
            f"`cranfield evaluate`; or rank in Python."
        )
    name = str(wanted.nonrelevant).partition("(")[0]
    needs = [] if name in _WHATEVER_IS_RELEVANT else [str(wanted.nonrelevant)]
    needs += ["--topics relevant"] if experiment.topics == "relevant" else []
    if arguments.relevance is None and needs:
        raise OptionError(f"{needs[0]}: say with --relevance which test ratings are relevant.")


def paths_for(out: Path, systems: list[str]) -> dict[str, Path]:
    """The file of each system: as given, or with the system's name before the suffixes."""
    if len(systems) == 1:
        return {systems[0]: out}
    stem, dot, suffixes = out.name.partition(".")
    owners: dict[Path, str] = {}
    for system in systems:
        name = "".join(c if c.isalnum() or c in "-." else "_" for c in system).strip("_")
        path = out.with_name(f"{stem}-{name}{dot}{suffixes}")
        if path in owners:
            raise OptionError(
                f"--system: {owners[path]} and {system} would both be written to {path}. "
                f"Name one differently."
            )
        owners[path] = system
    return {system: path for path, system in owners.items()}


def _row(made: SystemOutput, seconds: Mapping[str, float]) -> tuple[str, ...]:
    hits, lists = made.hits, made.lists
    assert lists is not None
    covered = int((hits.lengths > 0).sum())
    unscored = hits.unscored.sum() / max(hits.targets.sum(), 1)
    return (
        made.system,
        f"{covered:,} of {len(hits):,}",
        f"{lists.lengths.mean():.1f}",
        f"{lists.tied_share:.1%}",
        f"{unscored:.1%}",
        f"{seconds['fitting']:.1f} s",
        f"{seconds['ranking']:.1f} s",
    )
