"""``cranfield split``: divide ratings into training and test."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from cranfield.base import options
from cranfield.base.errors import counted
from cranfield.collection.fold import Fold
from cranfield.collection.part_filters import PartFilters
from cranfield.collection.split import Split, split
from cranfield.collection.split_files import write_split
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import data_arguments, read_data, seed_argument
from cranfield.workbench.signatures import flags_of

KINDS = ("source", "filter", "split")
"""The kinds of options that the command needs."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    data_arguments(parser)
    parser.add_argument(
        "--split",
        required=True,
        metavar="SPLIT",
        help='how to divide, as in "uniform(test_share=0.2, epsilon=0.2)"; '
        "`cranfield options split` lists all",
    )
    parser.add_argument(
        "--validation", metavar="SPLIT", help="how to cut a validation part from the training part"
    )
    flags_of(parser, ("train_filters", "test_filters"))
    seed_argument(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace another split that the folder holds"
    )


def run(arguments: argparse.Namespace) -> None:
    """Divide, write, and print the sizes and the leakage."""
    splitter = options.parse("split", arguments.split)
    validation = options.parse("split", arguments.validation) if arguments.validation else None
    filters = PartFilters(
        *(
            tuple(options.parse("filter", text) for text in given)
            for given in (arguments.train_filters, arguments.test_filters)
        )
    )
    divided = split(read_data(arguments), splitter, arguments.seed, validation, filters)
    write_split(divided, arguments.out, overwrite=arguments.overwrite)
    tables.show(table_of(divided))
    tables.show(f"\nwritten to {arguments.out}")


def table_of(divided: Split) -> str:
    """Sizes, share and leakage of every fold."""
    headings = (
        "fold",
        "train",
        "validation",
        "test",
        "test share",
        "train after own test",
        "after any test",
        "cold users",
        "cold items",
    )
    rows = [(str(number), *_row(fold)) for number, fold in enumerate(divided.folds, start=1)]
    title = f"{options.spell_fully(divided.splitter)}, seed {divided.seed}"
    facts = [_fact(name, value) for name, value in divided.facts.items()]
    lines = "\n".join([*facts, *_filtered(divided)])
    return f"{tables.render(rows, headings, title=title)}\n{lines}".rstrip()


def _filtered(divided: Split) -> Iterator[str]:
    """What each filter of a part leaves in each fold."""
    for number, fold in enumerate(divided.folds, start=1):
        for each in fold.steps:
            sizes = f"{each.step.before.ratings:,} to {each.step.after.ratings:,} ratings"
            users = counted(each.test_users, "user")
            left = counted(each.test_ratings, "test rating")
            yield (
                f"fold {number}, {each.part} filter {each.step.filter}: {sizes}; {users} with "
                f"{left} have training ratings"
            )


def _fact(name: str, value: float) -> str:
    """One thing that the split found out, whole numbers in full."""
    shown = f"{value:.4f}" if value % 1 else f"{value:.0f}"
    return f"{name.replace('_', ' ')}: {shown}"


def _row(fold: Fold) -> tuple[str, ...]:
    validation = "–" if fold.validation is None else f"{len(fold.validation):,}"
    leak = fold.leakage
    shares = ("–", "–") if leak is None else (f"{leak.per_user:.1%}", f"{leak.overall:.1%}")
    sizes = f"{len(fold.train):,}", validation, f"{len(fold.test):,}"
    cold = fold.cold
    unknown = f"{cold.users:,} of {cold.test_users:,}", f"{cold.items:,} of {cold.test_items:,}"
    return (*sizes, f"{fold.test_share:.4f}", *shares, *unknown)
