"""``cranfield checklist``: what reviewers ask, answered from a folder of results."""

from __future__ import annotations

import argparse

from cranfield.view.tables import terminal as tables
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.review.checklist import make_checklist
from cranfield.workbench.review.questions import ALL, venues
from cranfield.workbench.review.views import checklist_text
from cranfield.workbench.review.writing import SUFFIXES, refuse_suffix


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("folder", metavar="DIR", help="the folder that `cranfield run` wrote")
    parser.add_argument(
        "--for",
        dest="venue",
        metavar="VENUE",
        default=ALL,
        help=f"whose items: {', '.join(venues())}, or a file in TOML of your own ({ALL})",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=f"the file to write it to ({', '.join(SUFFIXES)}); without it, it is printed",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the checklist, or write it and say how many items are answered."""
    if arguments.out:
        refuse_suffix(arguments.out)
    made = make_checklist(read_results(arguments.folder), arguments.venue)
    width = tables.terminal_width()
    if not arguments.out:
        tables.show(checklist_text(made, width))
        return
    made.write(arguments.out)
    tables.show(tables.wrapped(made.heading, width))
    tables.show(f"checklist: {arguments.out}")
