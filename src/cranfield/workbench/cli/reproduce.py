"""``cranfield reproduce``: recompute the tables and figures of the papers."""

from __future__ import annotations

import argparse
from pathlib import Path

from cranfield.base.errors import counted
from cranfield.base.files import refuse_unwritable
from cranfield.view.page.reproductions import counted_states
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.run import store_argument, store_of
from cranfield.workbench.cli.shared.arguments import workers_argument
from cranfield.workbench.reproduction.files import PAGE, figures_held, write_reproduced
from cranfield.workbench.reproduction.reproducing import Reproduced, reproduce
from cranfield.workbench.reproduction.reproduction import Reproduction, find_reproductions


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="such as canamares2020 (all)")
    parser.add_argument("item", nargs="?", metavar="ITEM", help='such as "Table 2" or fig4 (all)')
    parser.add_argument("--list", action="store_true", help="only say what there is")
    parser.add_argument(
        "--small", action="store_true", help="on built-in data, in minutes; reproduces nothing"
    )
    parser.add_argument("--out", metavar="DIR", help="the folder to write page and figures to")
    store_argument(parser)
    workers_argument(parser)


def run(arguments: argparse.Namespace) -> None:
    """Make every item again, print its claims, and write the page."""
    found = find_reproductions(arguments.paper, arguments.item)
    if arguments.list:
        _list(found)
        return
    if arguments.out:
        refuse_unwritable(arguments.out)
    store, made = store_of(arguments), []
    for each in found:
        done = reproduce(each, store, small=arguments.small, workers=arguments.workers)
        _show(done)
        made.append(done)
    _count(made)
    if arguments.out:
        write_reproduced(made, arguments.out)
        tables.show(f"\npage: {Path(arguments.out) / PAGE}")


def _list(found: list[Reproduction]) -> None:
    rows = [(each.paper, each.item, each.title, str(len(each.claims))) for each in found]
    headings = ("paper", "item", "what it shows", "claims")
    tables.show(tables.render(rows, headings, left=(0, 1, 2), width=tables.terminal_width()))


def _show(done: Reproduced) -> None:
    made = done.reproduction
    data = ", ".join(f"{name}: {source}" if name else source for name, source in done.data.items())
    tables.show(f"\n{made.paper}, {made.item}: {made.title} ({data}; {done.seconds:.0f} s)")
    for name in done.stand_ins:
        tables.show(f"  stand-in: {name}; the paper's data are not available.")
    for each in done.judgments:
        tables.show(f"  {each.state} ({figures_held(each)}): {each.claim.says}")


def _count(made: list[Reproduced]) -> None:
    states = [each.state for done in made for each in done.judgments]
    where = " on built-in data, which reproduces nothing" if made and made[0].small else ""
    tables.show(f"\n{counted(len(states), 'claim')}{where}: {counted_states(states)}.")
