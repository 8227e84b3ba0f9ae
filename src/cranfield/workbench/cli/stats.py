"""``cranfield stats``: describe a data set."""

from __future__ import annotations

import argparse
import json

from cranfield.collection.statistics.statistics import describe
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import data_arguments, read_data

KINDS = ("source",)
"""The kinds of options that the command needs."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    data_arguments(parser)
    parser.add_argument(
        "--relevance", type=float, metavar="R", help="ratings of at least R count as positive"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(arguments: argparse.Namespace) -> None:
    """Print the statistics as a table or as JSON."""
    statistics = describe(read_data(arguments), relevance=arguments.relevance)
    if arguments.json:
        tables.show(json.dumps(statistics.to_dict(), indent=2, ensure_ascii=False))
    else:
        tables.show(tables.render(statistics.rows(), title=arguments.data))
