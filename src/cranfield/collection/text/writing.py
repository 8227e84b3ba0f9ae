"""Ids that a text file can hold so that the same ids are read back; others are refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from cranfield.base.errors import OutputError, shown
from cranfield.base.schema import ITEM, USER

QUOTED = r"^$|[\r\n\x00]"
"""What no id may hold between commas: nothing at all, ends of lines, zero bytes."""
BETWEEN_TABS = r"^$|[\t\r\n\x00]"
"""The same between tabs, where nothing is quoted."""
FIRST_BETWEEN_TABS = BETWEEN_TABS + "|^\ufeff"
"""The same in a file without a header, whose first id may not begin with a byte order mark."""
BETWEEN_BLANKS = "^$|[\\s\\x00\\x1c-\\x1f]|^\ufeff"
"""The same between blanks: Python takes four control characters for blanks that Polars does not."""


def refuse_ids(table: pl.DataFrame, unwritable: str, target: Path) -> None:
    """Refuse users and items that would be read back as something else."""
    for name in (USER, ITEM):
        if table[name].dtype == pl.String:
            ids = table[name].unique()
            bad = ids.filter(ids.str.contains(unwritable)).sort()
            if len(bad):
                problem = f"the {name} {shown(ascii(bad[0]))[1:-1]} would be read back as another"
                raise OutputError(str(target), f"{problem}; try .parquet")
