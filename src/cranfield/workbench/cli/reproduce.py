"""``cranfield reproduce``: recompute the tables and figures of the papers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cranfield.base.errors import BadParameter, counted
from cranfield.base.files import json_text, refuse_unwritable
from cranfield.view.page.reproductions import counted_states
from cranfield.view.tables import terminal as tables
from cranfield.workbench.cli.run import store_argument, store_of
from cranfield.workbench.cli.shared.arguments import workers_argument
from cranfield.workbench.reproduction.files import (
    PAGE,
    Record,
    cache_record,
    cached_record,
    item_of,
    work_key,
    write_reproduced,
)
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import Reproduction, find_reproductions
from cranfield.workbench.reproduction.states import STATES, counted_kind
from cranfield.workbench.store.store import Store

_MOST_SEEDS = 1000


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="such as canamares2020 (all)")
    parser.add_argument("item", nargs="?", metavar="ITEM", help='such as "Table 2" or fig4 (all)')
    parser.add_argument("--list", action="store_true", help="only list the tables and figures")
    parser.add_argument(
        "--small",
        action="store_true",
        help="use built-in data: takes minutes and reproduces nothing",
    )
    parser.add_argument("--out", metavar="DIR", help="the folder to write page and figures to")
    parser.add_argument(
        "--seeds", type=int, default=1, metavar="N",
        help="repeat with N draws of the split, and count in how many each claim holds (1)",
    )  # fmt: skip
    parser.add_argument(
        "--leave-out", action="store_true",
        help="also repeat without each system in turn, to see which ones decide a claim",
    )  # fmt: skip
    store_argument(parser)
    workers_argument(parser)


def run(arguments: argparse.Namespace) -> None:
    """Make every item again, print its claims, and write the page.

    What an earlier run into the same folder has made of the same definitions is taken from it.
    """
    found = find_reproductions(arguments.paper, arguments.item)
    if arguments.list:
        _list(found)
        return
    if not 1 <= arguments.seeds <= _MOST_SEEDS:
        wanted = f"a number from 1 to {_MOST_SEEDS}"
        raise BadParameter("reproduce", "seeds", arguments.seeds, wanted)
    if arguments.out:
        refuse_unwritable(arguments.out)
    store, records = store_of(arguments), []
    for number, each in enumerate(found, start=1):
        tables.show(f"\n{number} of {len(found)}: {each.paper}, {each.item}: {each.title}")
        records.append(_record(each, store, arguments))
        _show(records[-1])
    _count(records)
    if arguments.out:
        write_reproduced(records, arguments.out)
        tables.show(f"\npage: {Path(arguments.out) / PAGE}")


def _record(made: Reproduction, store: Store, arguments: argparse.Namespace) -> Record:
    """The record of one item: of an earlier run into the same folder, or new."""
    asked = {
        "small": arguments.small, "seeds": arguments.seeds, "leave_out": arguments.leave_out,
    }  # fmt: skip
    key = work_key(made, **asked)
    cached = cached_record(arguments.out, made, key) if arguments.out else None
    if cached is not None:
        return cached
    done = reproduce(made, store, **asked, workers=arguments.workers)
    record: Record = json.loads(json_text(done.to_dict()))
    if arguments.out:
        cache_record(arguments.out, made, key, record)
    return record


def _list(found: list[Reproduction]) -> None:
    rows = [(each.paper, each.item, each.title, str(len(each.claims))) for each in found]
    headings = ("paper", "item", "what it shows", "claims")
    tables.show(tables.render(rows, headings, left=(0, 1, 2), width=tables.terminal_width()))


def _show(record: Record) -> None:
    tables.show(f"  data: {item_of(record).data} ({record['seconds']:.0f} s)")
    for name in record["stand_ins"]:
        tables.show(f"  stand-in: {name}; the paper's data are not available.")
    for claim in record["claims"]:
        tables.show(f"  {claim['says']}\n    {claim['state']}: {claim['said']}.")


def _count(records: list[Record]) -> None:
    states = [counted_kind(claim["state"]) for record in records for claim in record["claims"]]
    states.sort(key=STATES.index)
    small = any(record["small"] for record in records)
    where = " on built-in data, which reproduces nothing" if small else ""
    tables.show(f"\n{counted(len(states), 'claim')}{where}: {counted_states(states)}.")
