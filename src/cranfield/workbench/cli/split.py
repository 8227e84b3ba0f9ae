"""``cranfield split``: divide ratings into training and test."""

from __future__ import annotations

import argparse

from cranfield.base import options
from cranfield.collection.split import Fold, Split, split
from cranfield.collection.split_files import write_split
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import data_arguments, read_data, seed_argument

KINDS = ("source", "split")
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
    seed_argument(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace another split that the folder holds"
    )


def run(arguments: argparse.Namespace) -> None:
    """Divide, write, and print the sizes and the leakage."""
    splitter = options.parse("split", arguments.split)
    validation = options.parse("split", arguments.validation) if arguments.validation else None
    divided = split(read_data(arguments), splitter, arguments.seed, validation)
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
    )
    rows = [(str(number), *_row(fold)) for number, fold in enumerate(divided.folds, start=1)]
    title = f"{options.spell_fully(divided.splitter)}, seed {divided.seed}"
    facts = "\n".join(_fact(name, value) for name, value in divided.facts.items())
    return f"{tables.render(rows, headings, title=title)}\n{facts}".rstrip()


def _fact(name: str, value: float) -> str:
    """One thing that the split found out, whole numbers in full."""
    shown = f"{value:.4f}" if value % 1 else f"{value:.0f}"
    return f"{name.replace('_', ' ')}: {shown}"


def _row(fold: Fold) -> tuple[str, ...]:
    validation = "–" if fold.validation is None else f"{len(fold.validation):,}"
    leak = fold.leakage
    shares = ("–", "–") if leak is None else (f"{leak.per_user:.1%}", f"{leak.overall:.1%}")
    sizes = f"{len(fold.train):,}", validation, f"{len(fold.test):,}"
    return (*sizes, f"{fold.test_share:.4f}", *shares)
