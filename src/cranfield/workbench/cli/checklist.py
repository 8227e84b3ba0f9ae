"""``cranfield checklist``: what reviewers ask, answered from a folder of results."""

from __future__ import annotations

import argparse

from cranfield.workbench.cli.shared.review_output import out_argument, show_or_write
from cranfield.workbench.review.questions import ALL, venues
from cranfield.workbench.review.views import checklist_text
from cranfield.workbench.verbs.review import checklist


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("folder", metavar="DIR", help="the folder that `cranfield run` wrote")
    parser.add_argument(
        "--for",
        dest="venue",
        metavar="VENUE",
        default=ALL,
        help=f"whose checklist: {', '.join(venues())}, or a TOML file of your own ({ALL})",
    )
    out_argument(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print the checklist, or write it and say how many items are answered."""
    show_or_write(
        arguments.out,
        lambda: checklist(arguments.folder, arguments.venue),
        checklist_text,
        lambda made: made.heading,
        kind="checklist",
    )
