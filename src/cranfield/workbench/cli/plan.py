"""``cranfield plan``: freeze the decisions of an experiment or a study before any result."""

from __future__ import annotations

import argparse

from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import definition_arguments
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.execution.planning import EFFECTS, make_plan
from cranfield.workbench.plan.views import power_notes, power_rows, power_sentence


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    definition_arguments(parser)
    parser.add_argument(
        "--effect",
        dest="effects",
        action="append",
        type=float,
        metavar="D",
        help="a difference for which the power is told, in standard deviations of the users' "
        f"differences (may be repeated; {', '.join(map(str, EFFECTS))})",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="the file to write the plan to, for `cranfield run --plan`"
    )


def run(arguments: argparse.Namespace) -> None:
    """Read and split the data, tell the power, and write the plan; nothing is fitted."""
    asked = read_definition(arguments.file, arguments.changes)
    made = make_plan(asked, tuple(arguments.effects or EFFECTS))
    width = tables.terminal_width()
    tables.show(tables.wrapped(power_sentence(made), width))
    if made.power:
        headings, *rows = power_rows(made)
        tables.show(f"\n{tables.render(rows, headings, left=(), width=width)}\n")
    for note in power_notes(made):
        tables.show(tables.noted(note, width))
    if arguments.out:
        made.write(arguments.out)
        tables.show(f"\nplan: {arguments.out}")
    tables.show(f"fingerprint: {made.fingerprint}")
