"""Reproductions on disk: a page for readers, figures for papers, all numbers as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cranfield.base.errors import MissingLibrary
from cranfield.base.files import json_text
from cranfield.base.folders import writing_folder
from cranfield.view.page.reproductions import (
    ClaimRow,
    Item,
    items_markdown,
    items_page,
    write_item_charts,
)
from cranfield.workbench.reproduction.reproducing import Judgment, Reproduced

PAGE, NUMBERS, TEXT = "reproduction.html", "reproduction.json", "reproduction.md"
_OURS = (PAGE, NUMBERS, TEXT, "charts")


def write_reproduced(made: Sequence[Reproduced], folder: Path | str) -> None:
    """Write page, text, numbers and charts into a folder: all of it, or nothing."""
    items = [item_of(each) for each in made]
    with writing_folder(folder, replaces=_OURS) as aside:
        record = {"items": [each.to_dict() for each in made]}
        (aside / NUMBERS).write_text(json_text(record), encoding="utf-8")
        (aside / TEXT).write_text(items_markdown(items), encoding="utf-8")
        (aside / PAGE).write_text(items_page(items), encoding="utf-8")
        with suppress(MissingLibrary):  # the page has all charts; files need the extra "plot"
            write_item_charts(items, aside / "charts")


def figures_held(judgment: Judgment) -> str:
    """How many figures bear a claim out, those of stand-ins apart."""
    return counted_text(judgment.to_dict())


def counted_text(claim: Mapping[str, Any]) -> str:
    """The same from the record of a claim."""
    text = f"{claim['held']} of {claim['tested']}"
    if claim["tested_elsewhere"]:
        text += f"; on stand-ins {claim['held_elsewhere']} of {claim['tested_elsewhere']}"
    return text


def item_of(made: Reproduced) -> Item:
    """A reproduced table or figure as a page shows it."""
    defined = made.reproduction
    notes = [f"{name}: the paper's data are not available." for name in made.stand_ins]
    if made.small:
        notes.append("Small edition on built-in data: nothing of the paper is reproduced.")
    if defined.differs:
        notes.append(" ".join(defined.differs.split()))
    return Item(
        name=defined.name,
        title=f"{defined.paper}, {defined.item}: {defined.title}",
        data=", ".join(f"{key}: {value}" if key else value for key, value in made.data.items()),
        shows=tuple(
            (each.show.title, each.show.kind, each.show.x, each.show.y, each.rows)
            for each in made.shown
        ),
        claims=tuple(
            ClaimRow(each.claim.says, each.state, figures_held(each), each.figures)
            for each in made.judgments
        ),
        notes=tuple(notes),
        seconds=made.seconds,
    )
