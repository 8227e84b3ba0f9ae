"""Published tables: figures that others have computed, to be assessed again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from cranfield.base.errors import MissingColumn, MissingFile, UnreadableFile


def read_table(path: Path | str) -> pl.DataFrame:
    """A table from a CSV, TSV or Parquet file."""
    if not Path(path).is_file():
        raise MissingFile(str(path))
    try:
        if Path(path).suffix == ".parquet":
            return pl.read_parquet(path)
        separator = "\t" if ".tsv" in Path(path).suffixes else ","
        return pl.read_csv(path, separator=separator, infer_schema_length=None)
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(str(path), "it is not a table", "Give CSV, TSV or Parquet.") from error


def only_metrics(
    table: pl.DataFrame, keys: Sequence[str], metrics: Sequence[str], where: str
) -> pl.DataFrame:
    """The key columns of a table and those of some metrics, of all unless they are named."""
    for name in metrics:
        if name not in table.columns:
            raise MissingColumn(where, "metric", table.columns, named=name)
    chosen = [name for name in keys if name in table.columns]
    return table.select(*chosen, *dict.fromkeys(metrics)) if metrics else table
