"""``cranfield reproduce``: recompute the tables and figures of the papers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cranfield.base.errors import BadParameter, DownloadError, InputError, counted
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
from cranfield.workbench.reproduction.planning import missing_data, plan_reproduction
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import Reproduction, find_reproductions
from cranfield.workbench.reproduction.states import HOLDS, STATES, counted_kind, told_state
from cranfield.workbench.store.store import Store

_MOST_SEEDS = 1000


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="such as canamares2020 (all)")
    parser.add_argument("item", nargs="?", metavar="ITEM", help='such as "Table 2" or fig4 (all)')
    parser.add_argument("--list", action="store_true", help="only list the tables and figures")
    parser.add_argument(
        "--dry-run", action="store_true", help="only say what would be run, and on which data"
    )
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
    """Reproduce every item, print its claims, and write the page.

    What an earlier call wrote into the same folder, by the same definitions, is taken from there.
    """
    found = find_reproductions(arguments.paper, arguments.item)
    if arguments.list:
        _list(found)
        return
    if not 1 <= arguments.seeds <= _MOST_SEEDS:
        wanted = f"a number from 1 to {_MOST_SEEDS}"
        raise BadParameter("reproduce", "seeds", arguments.seeds, wanted)
    if arguments.dry_run:
        _plan(found, arguments)
        return
    if arguments.out:
        refuse_unwritable(arguments.out)
    store, records = store_of(arguments), []
    for number, each in enumerate(found, start=1):
        tables.show(f"\n{number} of {len(found)}: {each.paper}, {each.item}: {each.title}")
        try:
            records.append(_record(each, store, arguments))
        except (DownloadError, InputError):
            _explain_missing(each)
            raise
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


def _plan(found: Sequence[Reproduction], arguments: argparse.Namespace) -> None:
    """What would be run: the data of each item, and how many designs are evaluated."""
    seeds: int = arguments.seeds
    plans = [plan_reproduction(each, small=arguments.small, seeds=seeds) for each in found]
    rows = [
        (
            each.reproduction.paper, each.reproduction.item, "; ".join(each.data),
            str(each.designs), str(len(each.reproduction.claims)),
        )
        for each in plans
    ]  # fmt: skip
    headings = ("paper", "item", "data", "designs", "claims")
    tables.show(tables.render(rows, headings, left=(0, 1, 2), width=tables.terminal_width()))
    designs, claims = sum(each.designs for each in plans), sum(int(row[-1]) for row in rows)
    tables.show(
        f"\n{counted(designs, 'design')} in {counted(seeds, 'draw')}, {counted(claims, 'claim')}."
    )
    if seeds > 1 and any("(stand-in" in row[2] for row in rows):
        tables.show("Data that stand in for the papers' own are run in the first draw only.")


def _explain_missing(made: Reproduction) -> None:
    """Say which data are missing, where they are, and what can be run without them."""
    missing = missing_data(made)
    if missing:
        needs = f"{made.paper}, {made.item} needs {' and '.join(missing)}"
        advice = "--small runs on built-in data, --dry-run lists the data of every item"
        tables.show(f"{needs}. {advice}.", sys.stderr)


def _show(record: Record) -> None:
    busy = f"{record['seconds']:.0f} s, {record['processor_seconds']:.0f} s of processor time"
    tables.show(f"  data: {item_of(record).data} ({busy})")
    for name in record["stand_ins"]:
        tables.show(f"  stand-in: {name}; the paper's data are not available.")
    for claim in record["claims"]:
        tables.show(f"  {claim['says']}\n    {told_state(claim['state'], claim['said'])}.")
        if claim["note"] and claim["state"] != HOLDS and not record["small"]:
            tables.show(f"    {claim['note']}")


def _count(records: list[Record]) -> None:
    states = [counted_kind(claim["state"]) for record in records for claim in record["claims"]]
    states.sort(key=STATES.index)
    small = any(record["small"] for record in records)
    where = " on built-in data, which reproduces nothing" if small else ""
    tables.show(f"\n{counted(len(states), 'claim')}{where}: {counted_states(states)}.")
