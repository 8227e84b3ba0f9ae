"""Published tables: figures that others have computed, to be assessed again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from cranfield.base.errors import BadValue, MissingColumn, UnreadableFile
from cranfield.base.packed import require_file
from cranfield.base.polars_text import UNREADABLE


def read_table(path: Path | str) -> pl.DataFrame:
    """A table from a CSV, TSV or Parquet file."""
    require_file(Path(path))
    try:
        if Path(path).suffix == ".parquet":
            return pl.read_parquet(path)
        separator = "\t" if ".tsv" in Path(path).suffixes else ","
        return pl.read_csv(path, separator=separator, infer_schema_length=None)
    except (*UNREADABLE, OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(str(path), "it is not a table", "Give CSV, TSV or Parquet.") from error


def refuse_missing(table: pl.DataFrame, column: str, where: str, shape: str) -> None:
    """Refuse a table without a column; ``shape`` says what the table should look like."""
    if column not in table.columns:
        known = ", ".join(f'"{name}"' for name in table.columns) or "none"
        raise UnreadableFile(where, f'no column is called "{column}" among {known}', shape)


def as_numbers(table: pl.DataFrame, names: Iterable[str], where: str) -> pl.DataFrame:
    """The table with the named columns as numbers; the first cell that is not one is refused.

    >>> as_numbers(pl.DataFrame({"P": ["0.5", "nan"]}), ["P"], "table")["P"].to_list()
    [0.5, nan]
    """
    read = {}
    for name in names:
        column = table[name]
        read[name] = column.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        wrong = read[name].is_null() & column.is_not_null()
        if wrong.any():
            line = wrong.arg_max() or 0
            raise BadValue(where, name, column[line], "a number", line=line + 2)
        if column.dtype.is_numeric():
            read[name] = column.cast(pl.Float64)
    return table.with_columns(**read)


def only_metrics(
    table: pl.DataFrame, keys: Sequence[str], metrics: Sequence[str], where: str
) -> pl.DataFrame:
    """The key columns of a table and those of the named metrics, or of all metrics."""
    for name in metrics:
        if name not in table.columns:
            raise MissingColumn(where, "metric", table.columns, named=name)
    chosen = [name for name in keys if name in table.columns]
    return table.select(*chosen, *dict.fromkeys(metrics)) if metrics else table
