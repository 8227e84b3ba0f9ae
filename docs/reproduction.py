"""Writes 8-reproduction.md from what `cranfield reproduce --out FOLDER` wrote.

python docs/reproduction.py FOLDER…

Tables and figures that no folder has stay as they are on the page, but for what is said of
where they differ.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cranfield.view.page.reproductions import ClaimRow, Item, counted_page, items_markdown
from cranfield.workbench.reproduction.files import NUMBERS, counted_text
from cranfield.workbench.reproduction.records import frame_of
from cranfield.workbench.reproduction.reproduction import Reproduction, find_reproductions

PAGE = Path(__file__).with_name("8-reproduction.md")
_HEAD = """# 8 The papers, reproduced

Written by `python docs/reproduction.py FOLDER` from the output of `cranfield reproduce --out
FOLDER`, on MovieLens 1M and on stand-ins for data sets that are not freely available. Every
table and figure is an experiment or study in `src/cranfield/workbench/reproduction/papers`.
Every claim that a paper draws from it is checked against our figures: it holds in all of them,
in part, or not here. Figures of stand-ins are counted apart; they reproduce nothing.

From an empty store all of it took 91 minutes on two cores that had other work as well
(valcarce2020 59, valcarce2018 22, bellogin2017 5, canamares2020 5), stand-ins included;
bellogin2012 is run as bellogin2017 is. With everything cached it took 7 minutes.

"""


def item_of(record: dict[str, Any]) -> Item:
    """One table or figure from its record."""
    notes = [f"{name}: the paper's data are not available." for name in record["stand_ins"]]
    differs = " ".join(record["differs"].split())
    return Item(
        name=record["item"],
        title=f"{record['paper']}, {record['item']}: {record['title']}",
        data=", ".join(
            f"{each['panel']}: {each['source']}" if each["panel"] else each["source"]
            for each in record["data"]
        ),
        shows=tuple(
            (show["title"], show["kind"], show["x"], show["y"], frame_of(show, "rows"))
            for show in record["shows"]
        ),
        claims=tuple(
            ClaimRow(claim["says"], claim["state"], counted_text(claim), frame_of(claim, "figures"))
            for claim in record["claims"]
        ),
        notes=tuple([*notes, differs] if differs else notes),
        seconds=record["seconds"],
    )


@dataclass(frozen=True)
class Entry:
    """What the page has of one table or figure: the rows of its claims, and its section."""

    rows: tuple[str, ...]
    section: str

    def with_note(self, differs: str) -> Entry:
        """The same with another note on where it differs, which follows those on data."""
        data, shows, rest = self.section.partition("\n\n**")
        kept = [each for each in data.split("\n\n") if not each.strip() or _is_fixed(each)]
        said = [" ".join(differs.split())] if differs else []
        return replace(self, section="\n\n".join([*kept, *said]) + shows + rest)


def _is_fixed(paragraph: str) -> bool:
    return paragraph.startswith(("## ", "Data: ")) or paragraph.endswith("data are not available.")


def entries_of(text: str) -> dict[str, Entry]:
    """The tables and figures of a page, by paper and item."""
    start, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    rows = [line for line in start.splitlines() if line.startswith("| ")][2:]
    found = {}
    for section in sections:
        name = section.removeprefix("## ").partition(":")[0]
        mine = tuple(row for row in rows if row.startswith(f"| {name} |"))
        found[name] = Entry(mine, section.strip())
    return found


def page_of(entries: dict[str, Entry]) -> str:
    """The page with all that is reproduced, in the order of the papers."""
    ordered = [
        entries[name].with_note(each.differs)
        for each in find_reproductions()
        if (name := _name(each)) in entries
    ]
    rows = [row for entry in ordered for row in entry.rows]
    states = [row.rpartition(" | ")[2].partition(" (")[0] for row in rows]
    head = [
        counted_page(states, len(ordered)),
        "",
        "| item | claim | state |",
        "| :-- | :-- | :-- |",
    ]
    sections = [part for entry in ordered for part in ("", entry.section)]
    return _HEAD + "\n".join([*head, *rows, *sections]) + "\n"


def _name(each: Reproduction) -> str:
    return f"{each.paper}, {each.item}"


def main() -> None:
    """Write the page."""
    entries = entries_of(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    for folder in map(Path, sys.argv[1:]):
        records = json.loads((folder / NUMBERS).read_text(encoding="utf-8"))["items"]
        entries |= entries_of(items_markdown([item_of(record) for record in records]))
    PAGE.write_text(page_of(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
