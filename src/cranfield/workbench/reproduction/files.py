"""Reproductions on disk: a page for readers, figures for papers, all numbers as JSON.

The record of each table or figure is written as soon as it is there, under ``items``, so
that a reproduction that was interrupted goes on with the next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cranfield.base.errors import MissingLibrary
from cranfield.base.files import fingerprint, json_text, writing
from cranfield.base.folders import writing_folder
from cranfield.view.page.reproductions import (
    ClaimRow,
    Item,
    items_markdown,
    items_page,
    write_item_charts,
)
from cranfield.workbench.reproduction.records import frame_of
from cranfield.workbench.reproduction.reproduction import Reproduction
from cranfield.workbench.reproduction.running import choose_panel
from cranfield.workbench.store.store import VERSIONS

PAGE, NUMBERS, TEXT = "reproduction.html", "reproduction.json", "reproduction.md"
ITEMS = "items"
_OURS = (PAGE, NUMBERS, TEXT, "charts")
Record = Mapping[str, Any]


def write_reproduced(records: Sequence[Record], folder: Path | str) -> None:
    """Write page, text, numbers and charts into a folder: all of it, or nothing."""
    items = [item_of(each) for each in records]
    with writing_folder(folder, replaces=_OURS) as aside:
        (aside / NUMBERS).write_text(json_text({"items": list(records)}), encoding="utf-8")
        (aside / TEXT).write_text(items_markdown(items), encoding="utf-8")
        (aside / PAGE).write_text(items_page(items), encoding="utf-8")
        with suppress(MissingLibrary):  # the page has all charts; files need the extra "plot"
            write_item_charts(items, aside / "charts")


def work_key(made: Reproduction, *, small: bool, seeds: int, leave_out: bool = False) -> str:
    """What the record of a table or figure depends on: its definition, the data, the version."""
    panels = [choose_panel(panel, made, small)[0] for panel in made.panels]
    asked = {"panels": panels, "small": small, "seeds": seeds, "leave_out": leave_out}
    known = [asdict(made), asked, VERSIONS]
    return fingerprint(json.dumps(known, sort_keys=True, default=str))


def cached_record(folder: Path | str, made: Reproduction, key: str) -> Record | None:
    """The record that an earlier run wrote into the folder, if it is of the same work."""
    try:
        found = json.loads(_place(folder, made).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(found, dict) and found.get("key") == key
    record: Record | None = found.get("item") if known else None
    return record


def cache_record(folder: Path | str, made: Reproduction, key: str, record: Record) -> None:
    """Write the record of a table or figure for a run that goes on from here."""
    place = _place(folder, made)
    place.parent.mkdir(parents=True, exist_ok=True)
    with writing(place) as aside:
        aside.write_text(json_text({"key": key, "item": dict(record)}), encoding="utf-8")


def _place(folder: Path | str, made: Reproduction) -> Path:
    return Path(folder) / ITEMS / f"{made.name}.json"


def item_of(record: Record) -> Item:
    """A reproduced table or figure as a page shows it, from its record."""
    notes = [f"{name}: the paper's data are not available." for name in record["stand_ins"]]
    if record["small"]:
        notes.append("Small edition on built-in data: nothing of the paper is reproduced.")
    notes += [" ".join(each.split()) for each in (record["fault"], record["differs"]) if each]
    if record.get("left_out"):  # older records lack it
        notes.append(
            f"Claims are judged again without each of the {len(record['left_out'])} systems in "
            "turn, and name those without which the answer would be the opposite."
        )
    return Item(
        name=record["name"],
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
            ClaimRow(
                claim["says"], claim["state"], claim["said"], frame_of(claim, "figures"),
                claim["note"],
            )
            for claim in record["claims"]
        ),
        notes=tuple(notes),
        seconds=record["seconds"],
    )  # fmt: skip
