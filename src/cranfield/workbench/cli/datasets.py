"""``cranfield datasets``: the data sets that are known by name, and which are on this machine."""

from __future__ import annotations

import argparse
import os
from itertools import islice
from pathlib import Path
from typing import Any

from cranfield.base.errors import IncompleteDataSet, MissingFile, OptionError
from cranfield.base.files import digest_of, write_json
from cranfield.collection.datasets import (
    DATA_SETS,
    DATA_VARIABLE,
    DataSet,
    cache_folder,
    find_data_set,
)
from cranfield.view.tables import terminal as tables

_UNKNOWN = "–"
_FOLDERS = 4
"""Folders in which an archive may lie: that of the ratings, and those that hold it."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME",
        help="describe this one: size, terms, how to obtain it, and whether its file is complete",
    )  # fmt: skip
    parser.add_argument(
        "--here", action="store_true", help="list only those that are on this machine"
    )
    parser.add_argument("--json", metavar="FILE", help="write all facts as JSON")


def run(arguments: argparse.Namespace) -> None:
    """List the data sets, or tell all of one."""
    if arguments.here and arguments.name:
        raise OptionError(
            "--here chooses which data sets are listed. Leave out either --here or the name."
        )
    chosen = [each for each in _chosen(arguments.name) if not arguments.here or _paths(each)]
    if arguments.json:
        write_json(Path(arguments.json), {each.name: _facts(each) for each in chosen})
    tables.show(_details(chosen[0]) if arguments.name else _table(chosen))


def _chosen(name: str | None) -> list[DataSet]:
    if name is None:
        return list(DATA_SETS.values())
    known = find_data_set(name)
    if known is None:
        raise MissingFile(name, known=DATA_SETS)
    return [known]


def _table(chosen: list[DataSet]) -> str:
    rows = [(each.name, *_size(each), _where(each), each.title) for each in chosen]
    headings = ("data set", "users", "items", "ratings", "here", "what it is")
    width = tables.terminal_width()
    table = tables.render(rows, headings, left=(0, 4, 5), width=width) if rows else ""
    here = sum(bool(_paths(each)) for each in chosen)
    given = os.environ.get(DATA_VARIABLE)
    places = f"${DATA_VARIABLE} ({given or 'not set'}) and {cache_folder()}"
    found = f"{here} of {len(chosen)} are in {places}."
    told = "`cranfield datasets NAME` describes one and says how to obtain it."
    return "\n\n".join(part for part in (table, f"{found}\n{told}") if part)


def _details(known: DataSet) -> str:
    """Everything about one data set, a fact a line."""
    size = " users, ".join(_size(known)[:2]) + f" items, {_size(known)[2]} ratings"
    facts = {
        "names": ", ".join((known.name, *known.aliases)),
        "size": f"{size} ({known.size_source})" if known.size else known.size_source,
        "terms": known.terms,
        "cite": known.citation,
        "home": known.home,
        "obtain": known.obtain,
        "files": ", ".join(known.files),
        "layout": known.layout,
        "checksum": f"{known.checksum} ({known.checksum_source})" if known.checksum else "",
        "note": known.note,
        "here": _here(known),
    }
    rows = [(name, text) for name, text in facts.items() if text]
    return tables.render(rows, title=known.title, left=(0, 1), width=tables.terminal_width())


def _size(known: DataSet) -> tuple[str, str, str]:
    if known.size is None:
        return _UNKNOWN, _UNKNOWN, _UNKNOWN
    users, items, ratings = (f"{number:,}" for number in known.size)
    return users, items, ratings


def _paths(known: DataSet) -> tuple[Path, ...]:
    """The files that are on this machine; none of a data set that is not whole."""
    try:
        return known.find()
    except IncompleteDataSet:
        return ()


def _where(known: DataSet) -> str:
    """The state of a data set in a word."""
    try:
        return "yes" if known.find() else _UNKNOWN
    except IncompleteDataSet:
        return "in part"


def _here(known: DataSet) -> str:
    """Where a data set is on this machine, and whether it is the one that was published."""
    try:
        paths = known.find()
    except IncompleteDataSet as error:
        return str(error)
    if not paths:
        return f"no: put its files in the folder {known.name} of ${DATA_VARIABLE}"
    listed = ", ".join(map(str, paths))
    if not known.are_own(paths):
        return f"{listed} (converted: not a file of the publisher)"
    return listed + _verdict(known, paths)


def _verdict(known: DataSet, paths: tuple[Path, ...]) -> str:
    """Whether the file for which a checksum is stated has it, where it lies with the ratings."""
    kind, _, stated = (known.checksum or "").partition(":")
    near = (folder / known.checksum_of for folder in islice(paths[0].parents, _FOLDERS))
    file = next((each for each in near if known.checksum_of and each.is_file()), None)
    if not stated or file is None:
        return ""
    found = digest_of(file, kind)
    if found == stated:
        return f" ({file.name} has the checksum that is stated for it)"
    return f" ({file.name} is not the file that was published: its {kind} is {found})"


def _facts(known: DataSet) -> dict[str, Any]:
    """All facts of a data set, for programs."""
    size = known.size._asdict() if known.size else None
    return {
        "title": known.title, "aliases": known.aliases, "size": size,
        "size_source": known.size_source, "terms": known.terms, "citation": known.citation,
        "home": known.home, "obtain": known.obtain, "files": known.files,
        "layout": known.layout, "url": known.url, "checksum": known.checksum,
        "checksum_source": known.checksum_source, "note": known.note,
        "here": [str(path) for path in _paths(known)], "state": _where(known),
    }  # fmt: skip
