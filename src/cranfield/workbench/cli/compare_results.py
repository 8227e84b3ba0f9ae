"""``cranfield compare-results``: in what results differ, and whether their decisions explain it."""

from __future__ import annotations

import argparse

from cranfield.workbench.cli.shared.review_output import out_argument, show_or_write
from cranfield.workbench.review.views import comparison_text
from cranfield.workbench.verbs.review import compare_results


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "folders",
        metavar="DIR",
        nargs="+",
        help="folders that `cranfield run` wrote, at least two; each is compared with the first",
    )
    out_argument(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print what differs, or write it and say whether it is explained."""
    show_or_write(
        arguments.out,
        lambda: compare_results(*arguments.folders),
        comparison_text,
        lambda made: made.sentence,
        kind="comparison",
    )
