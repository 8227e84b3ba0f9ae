"""``cranfield compare-results``: in what results differ, and whether their decisions explain it."""

from __future__ import annotations

import argparse

from cranfield.view.tables import terminal as tables
from cranfield.workbench.api import compare_results
from cranfield.workbench.review.views import comparison_text
from cranfield.workbench.review.writing import SUFFIXES, refuse_suffix


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "folders",
        metavar="DIR",
        nargs="+",
        help="folders that `cranfield run` wrote, at least two; each is held against the first",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=f"the file to write it to ({', '.join(SUFFIXES)}); without it, it is printed",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print what differs, or write it and say whether it is explained."""
    if arguments.out:
        refuse_suffix(arguments.out)
    made = compare_results(*arguments.folders)
    width = tables.terminal_width()
    if not arguments.out:
        tables.show(comparison_text(made, width))
        return
    made.write(arguments.out)
    tables.show(tables.wrapped(made.sentence, width))
    tables.show(f"comparison: {arguments.out}")
