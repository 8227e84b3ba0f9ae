"""``cranfield store``: show, check or prune the cache."""

from __future__ import annotations

import argparse
import math
import re
from datetime import UTC, datetime
from typing import Any

from cranfield.base.errors import OptionError, counted, shown
from cranfield.base.files import write_json
from cranfield.view.tables import terminal as tables
from cranfield.workbench.store.address import STORE_VARIABLE, default_folder, place_text
from cranfield.workbench.store.store import Store
from cranfield.workbench.store.upkeep import KindSize, Removed

_PRUNED = ("entries", "bytes", "leftovers")
_UNITS = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_FACTORS = {name.lower(): factor for name, factor in _UNITS.items()} | {
    "b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    default = str(default_folder())
    parser.add_argument(
        "--store", metavar="DIR", default=default,
        help="the folder of the store, or an address such as s3://bucket/prefix; "
        f"${STORE_VARIABLE} names another default ({place_text(default).replace('%', '%%')})",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="read every entry and remove those that are damaged"
    )
    parser.add_argument(
        "--prune", action="store_true",
        help="remove entries, all of them unless --keep or --unused says which; "
        "they are recomputed when needed",
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=size, metavar="SIZE",
        help="with --prune: keep the most recently used entries of at most this size, as 5GB; "
        "at an address, the most recently written",
    )  # fmt: skip
    parser.add_argument(
        "--unused", type=days, metavar="DAYS",
        help="with --prune: remove the entries not used for this number of days; "
        "at an address, not written",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all figures as JSON")


def run(arguments: argparse.Namespace) -> None:
    """Check and prune as asked, then show what is cached."""
    if not arguments.prune and (arguments.keep is not None or arguments.unused is not None):
        raise OptionError("--keep and --unused say what to prune: give --prune too.")
    store, place = Store(arguments.store), place_text(arguments.store)
    content: dict[str, Any] = {"folder": place}
    if arguments.check:
        damaged = store.check()
        tables.show(
            f"{_entries(damaged)} {'was' if damaged.entries == 1 else 'were'} damaged and removed"
        )
        if damaged.unreadable:
            tables.show(f"{counted(damaged.unreadable, 'entry', 'entries')} could not be read")
        content["damaged"] = {"entries": damaged.entries, "bytes": damaged.bytes}
        content["unreadable"] = damaged.unreadable
    if arguments.prune:
        removed = store.prune(keep=arguments.keep, unused=arguments.unused)
        tables.show(f"{_entries(removed)} removed{_leftovers(removed)}")
        content["removed"] = {name: getattr(removed, name) for name in _PRUNED}
    sizes = store.sizes()
    age = "written" if store.bucket else "used"
    tables.show(table_of(place, sizes, f"last {age}"))
    if store.bucket:
        tables.show(tables.printable(f"local copies: {store.folder}"))
    if arguments.json:
        kinds = [_row(each, f"last_{age}") for each in sizes]
        write_json(arguments.json, content | {"kinds": kinds})


def table_of(folder: str, sizes: list[KindSize], age: str = "last used") -> str:
    """What is cached of each kind and in all."""
    if not sizes:
        return tables.printable(f"{folder}: nothing is cached")
    used = max(each.used for each in sizes)
    entries, total = (sum(getattr(each, name) for each in sizes) for name in ("entries", "bytes"))
    rows = [
        (each.kind, f"{each.entries:,}", size_text(each.bytes), _moment(each.used))
        for each in [*sizes, KindSize("all", entries, total, used)]
    ]
    return tables.render(rows, ("kind", "entries", "size", age), title=folder)


def size(text: str) -> int:
    """Bytes, given as a number with or without a unit.

    >>> size("5GB"), size("1.5 MiB"), size("700")
    (5000000000, 1572864, 700)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", text)
    factor = _FACTORS.get(found[2].lower()) if found else None
    if found is None or factor is None:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a size such as 5GB or 500MB")
    return math.floor(float(found[1]) * factor)


def days(text: str) -> float:
    """A number of days of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a number of days of at least 0")
    return value


def size_text(count: int) -> str:
    """Bytes as people read them.

    >>> size_text(999), size_text(1_500_000), size_text(20_400_000_000)
    ('999 B', '1.5 MB', '20.4 GB')
    """
    if count < 1000:
        return f"{count} B"
    unit = max((name for name in _UNITS if _UNITS[name] <= count), key=_UNITS.__getitem__)
    return f"{count / _UNITS[unit]:.1f} {unit}"


def _entries(removed: Removed) -> str:
    noun = "entry" if removed.entries == 1 else "entries"
    taken = f" ({size_text(removed.bytes)})" if removed.entries else ""
    return f"{removed.entries:,} {noun}{taken}"


def _leftovers(removed: Removed) -> str:
    count = removed.leftovers
    noun = "file" if count == 1 else "files"
    return f", and {count:,} {noun} that a killed run had left" if count else ""


def _moment(used: float) -> str:
    return datetime.fromtimestamp(used, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _row(each: KindSize, age: str) -> dict[str, Any]:
    used = datetime.fromtimestamp(each.used, UTC).isoformat(timespec="seconds")
    return {"kind": each.kind, "entries": each.entries, "bytes": each.bytes, age: used}
