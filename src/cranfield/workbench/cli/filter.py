"""``cranfield filter``: filter ratings and write the rest to a file."""

from __future__ import annotations

import argparse

from cranfield.base import options
from cranfield.collection.filter import FilterStep, filter_ratings
from cranfield.collection.text.rating_files import write_ratings
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import data_arguments, read_data, seed_argument
from cranfield.workbench.cli.shared.outputs import refuse_overwriting

KINDS = ("source", "filter")
"""The kinds of options that the command needs."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    data_arguments(parser)
    parser.add_argument(
        "--filter",
        action="append",
        required=True,
        metavar="FILTER",
        dest="filters",
        help='a filter such as "k-core(k=5)"; repeat it for several, applied in order',
    )
    seed_argument(parser)
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE",
        help="where to write the ratings: .parquet, .csv or .tsv, also with .gz or .zst",
    )


def run(arguments: argparse.Namespace) -> None:
    """Filter, write, and print the size before and after each filter."""
    refuse_overwriting(arguments)
    ratings = read_data(arguments)
    filters = [options.parse("filter", text) for text in arguments.filters]
    filtered = filter_ratings(ratings, filters, arguments.seed)
    write_ratings(filtered.ratings, arguments.out)
    tables.show(table_of(filtered.steps))
    tables.show(f"\nwritten to {arguments.out}")


def table_of(steps: tuple[FilterStep, ...]) -> str:
    """What each filter removed."""
    rows = [
        (
            step.filter,
            f"{step.before.users:,} → {step.after.users:,}",
            f"{step.before.items:,} → {step.after.items:,}",
            f"{step.before.ratings:,} → {step.after.ratings:,}",
        )
        for step in steps
    ]
    return tables.render(rows, ("filter", "users", "items", "ratings"))
