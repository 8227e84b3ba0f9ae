"""Tables beside the ratings: files with a header, or objects of any library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.errors import UnreadableFile
from cranfield.base.packed import head, require_file
from cranfield.base.polars_text import UNREADABLE
from cranfield.collection.tables.columns import to_polars


def read_side_table(source: Any, name: str = "table") -> tuple[pl.DataFrame, str]:
    """A table from a file with a header or from Python, and what messages call it."""
    if not isinstance(source, str | Path):
        return to_polars(source, name), name
    path = Path(source).expanduser()
    require_file(path)
    try:
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path), str(path)
        first = b"".join(head(path, 1))
        separator = next((s for s in ("\t", ";", ",") if s.encode() in first), ",")
        return pl.read_csv(path, separator=separator), str(path)
    except (*UNREADABLE, OSError) as error:
        remedy = "Give a CSV, TSV or Parquet file with a header."
        raise UnreadableFile(str(path), "it is not a table", remedy) from error
