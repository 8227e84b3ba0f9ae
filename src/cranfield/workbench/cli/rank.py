"""``cranfield rank``: let systems rank, and write their runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.collection.target import TargetChoice, Targets, parse_targets
from cranfield.collection.topics import Entering, UserChoice
from cranfield.recommendation.ranking.choice import RankingChoice, Ties, Unscored
from cranfield.recommendation.runs.writing import format_of, write_run
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.arguments import (
    columns_argument,
    file_source,
    seed,
    seed_argument,
    whole_number,
)
from cranfield.workbench.ranking_steps import (
    SystemRun,
    choose_targets,
    collect,
    run_system,
)

_WHATEVER_IS_RELEVANT = ("all-nonrelevant", "judged-only")
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
        metavar="SYSTEM",
        help='a recommender such as "user-kNN(k=100)", repeatable; '
        "`cranfield options recommender` lists all",
    )
    _add_decisions(parser)
    seed_argument(parser)
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="where to write the run: .run (TREC), .tsv, .csv, .inter or .parquet, the text "
        "ones also with .gz or .zst; several systems get a file each, NAME-SYSTEM.suffix",
    )


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--targets",
        default="all-items, all-relevant",
        metavar="LIST",
        help='which items are ranked, as in "test-items, sampled(n=99)"',
    )
    parser.add_argument(
        "--relevance",
        type=float,
        metavar="R",
        help="test ratings of at least R are relevant; needed for samples, which leave them out",
    )
    parser.add_argument(
        "--users", choices=get_args(Entering), default="judged", help="which users are asked for"
    )
    parser.add_argument(
        "--least-train", type=seed, default=1, metavar="N",
        help="training ratings that a user needs (1)",
    )  # fmt: skip
    parser.add_argument("--ties", choices=get_args(Ties), default="item-id", help="order of equals")
    parser.add_argument(
        "--unscored",
        choices=get_args(Unscored),
        default="drop",
        help="what happens to items without a prediction",
    )
    parser.add_argument(
        "--depth", type=whole_number, default=100, metavar="N", help="length of the lists (100)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Fit, rank and write each system in turn, and print what came of it."""
    systems = [options.parse("recommender", text) for text in arguments.systems]
    if len(set(systems)) < len(systems):
        raise OptionError("--system: the same system is given twice.")
    wanted = parse_targets(arguments.targets)
    refuse_early(wanted, arguments)
    files = [file_source(name, arguments) for name in (arguments.train, arguments.test)]
    train, test = (file.read() for file in files)
    relevance = arguments.relevance
    collection = collect(train, test, test.values.min() if relevance is None else relevance)
    users = UserChoice(least_train=arguments.least_train, entering=arguments.users)
    targets = choose_targets(collection, [wanted], users, arguments.seed)
    choice = RankingChoice(
        ties=arguments.ties,
        unscored=arguments.unscored,
        depth=arguments.depth,
        seed=arguments.seed,
    )
    rows = []
    for system in systems:
        made = run_system(str(system), system, targets, choice)
        path = path_for(Path(arguments.out), str(system), alone=len(systems) == 1)
        train = collection.train
        made_run = made.ranked[0].run
        write_run(made_run, path, user_ids=train.user_ids, item_ids=train.item_ids)
        rows.append((*_row(made, targets[0]), str(path)))
    headings = ("system", "covered", "list", "tied", "unscored", "fit", "rank", "written to")
    tables.show(tables.render(rows, headings, left=(0, 7)))


def refuse_early(wanted: TargetChoice, arguments: argparse.Namespace) -> None:
    """Refuse what could not be written, or needs a threshold, before anything is read."""
    format_of(Path(arguments.out))
    if str(wanted.relevant) != "all-relevant":
        raise OptionError(
            f"--targets, {wanted.relevant}: it makes several lists per user, and a file of runs "
            f"has one. Rank all items here, to a great depth, and give these targets to "
            f"`cranfield evaluate`; or rank in Python."
        )
    needs = [] if str(wanted.nonrelevant) in _WHATEVER_IS_RELEVANT else [str(wanted.nonrelevant)]
    needs += ["--users relevant"] if arguments.users == "relevant" else []
    if arguments.relevance is None and needs:
        raise OptionError(f"{needs[0]}: say with --relevance which test ratings are relevant.")


def path_for(out: Path, system: str, *, alone: bool) -> Path:
    """The file of one system: as given, or with the system's name before the suffixes."""
    if alone:
        return out
    stem, dot, suffixes = out.name.partition(".")
    name = "".join(c if c.isalnum() or c in "-." else "_" for c in system).strip("_")
    return out.with_name(f"{stem}-{name}{dot}{suffixes}")


def _row(made: SystemRun, targets: Targets) -> tuple[str, ...]:
    hits, lists = made.ranked[0].hits, made.ranked[0].run
    covered = int((hits.lengths > 0).sum())
    unscored = hits.unscored.sum() / max(hits.targets.sum(), 1)
    return (
        made.system,
        f"{covered:,} of {len(targets.topics):,}",
        f"{lists.lengths.mean():.1f}",
        f"{lists.tied_share:.1%}",
        f"{unscored:.1%}",
        f"{made.fit_seconds:.1f} s",
        f"{made.rank_seconds:.1f} s",
    )
