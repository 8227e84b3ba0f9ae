"""``cranfield plan``: freeze the decisions of an experiment or a study before any result."""

from __future__ import annotations

import argparse

from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.shared.arguments import definition_arguments
from cranfield.workbench.cli.shared.outputs import refuse_overwriting
from cranfield.workbench.definition.definition import read_asked
from cranfield.workbench.execution.planning import EFFECTS
from cranfield.workbench.plan.data_sets import AnyPlan, PlanOfDataSets
from cranfield.workbench.plan.views import (
    data_sets_sentence,
    power_by_data_set,
    power_notes,
    power_notes_of_data_sets,
    power_rows,
    power_sentence,
)
from cranfield.workbench.verbs.execution import plan


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    definition_arguments(parser)
    parser.add_argument(
        "--effect",
        dest="effects",
        action="append",
        type=float,
        metavar="D",
        help="a difference for which the power is reported, in standard deviations of the users' "
        f"differences (repeatable; {', '.join(map(str, EFFECTS))})",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="the file to write the plan to, for `cranfield run --plan`"
    )


def run(arguments: argparse.Namespace) -> None:
    """Read and split the data, tell the power, and write the plan; nothing is fitted."""
    refuse_overwriting(arguments)
    asked = read_asked(arguments.file, arguments.changes)
    made = plan(asked, effects=tuple(arguments.effects or EFFECTS))
    _show(made, tables.terminal_width())
    if arguments.out:
        made.write(arguments.out)
        tables.show(f"\nplan: {arguments.out}")
    tables.show(f"fingerprint: {made.fingerprint}")


def _show(made: AnyPlan, width: int | None) -> None:
    """What the users can show, on each data set where there are several."""
    if isinstance(made, PlanOfDataSets):
        said, notes = data_sets_sentence(made), power_notes_of_data_sets(made)
        shown, words = power_by_data_set(made), 1
    else:
        said, notes = power_sentence(made), power_notes(made)
        shown, words = power_rows(made) if made.power else [], 0
    tables.show(tables.wrapped(said, width))
    if shown:
        headings, *rows = shown
        tables.show(f"\n{tables.render(rows, headings, left=tuple(range(words)), width=width)}\n")
    for note in notes:
        tables.show(tables.noted(note, width))
