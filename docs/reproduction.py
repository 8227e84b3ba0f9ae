"""Writes 8-reproduction.md from what `cranfield reproduce --out FOLDER` wrote.

python docs/reproduction.py FOLDER…
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.view.page.reproductions import ClaimRow, Item, items_markdown
from cranfield.workbench.reproduction.files import NUMBERS, counted_text

PAGE = Path(__file__).with_name("8-reproduction.md")
_HEAD = """# 8 The papers, reproduced

Written by `python docs/reproduction.py FOLDER` from the output of `cranfield reproduce --out
FOLDER`, on MovieLens 1M and on stand-ins for data sets that are not freely available. Every
table and figure is an experiment or study in `src/cranfield/workbench/reproduction/papers`.
Every claim that a paper draws from it is checked against our figures: it holds in all of them,
in part, or not here. Figures of stand-ins are counted apart; they reproduce nothing.

From an empty store all of it took 91 minutes on two cores that had other work as well
(valcarce2020 59, valcarce2018 22, bellogin2017 5, canamares2020 5), stand-ins included. With
everything cached it took 7 minutes.

"""


def item_of(record: dict[str, Any]) -> Item:
    """One table or figure from its record."""
    notes = [f"{name}: the paper's data are not available." for name in record["stand_ins"]]
    differs = " ".join(record["differs"].split())
    return Item(
        name=record["item"],
        title=f"{record['paper']}, {record['item']}: {record['title']}",
        data=", ".join(
            f"{key}: {value}" if key else value for key, value in record["data"].items()
        ),
        shows=tuple(
            (show["title"], show["kind"], show["x"], show["y"], _frame(show["rows"]))
            for show in record["shows"]
        ),
        claims=tuple(
            ClaimRow(claim["says"], claim["state"], counted_text(claim), _frame(claim["figures"]))
            for claim in record["claims"]
        ),
        notes=tuple([*notes, differs] if differs else notes),
        seconds=record["seconds"],
    )


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


def main() -> None:
    """Write the page."""
    folders = [Path(name) for name in sys.argv[1:]]
    records = [
        record
        for folder in folders
        for record in json.loads((folder / NUMBERS).read_text(encoding="utf-8"))["items"]
    ]
    text = _HEAD + items_markdown([item_of(record) for record in records])
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
