"""Ratings written to files that every tool reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl

from cranfield.base.errors import OutputError
from cranfield.base.files import writing
from cranfield.collection.ratings import Ratings
from cranfield.collection.text.writing import BETWEEN_TABS, QUOTED, refuse_ids, write_text

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PACKED = (".gz", ".zst")


def write_ratings(ratings: Ratings, path: Path | str) -> None:
    """Write ratings as Parquet, CSV or TSV, the last two also compressed, by suffix.

    The same ids and values are read back from any of them. Ids that text cannot hold are
    refused: those that are empty or hold the end of a line and, in TSV, a tab.
    """
    target = Path(path)
    write, table = _writer(target), ratings.to_polars()
    with writing(target) as aside:
        write(table, aside)


def _writer(target: Path) -> Callable[[pl.DataFrame, Path], None]:
    suffixes = [suffix.lower() for suffix in target.suffixes[-2:]]
    last = suffixes[-1] if suffixes else ""
    if last == ".parquet":
        return lambda table, aside: table.write_parquet(aside)
    packed = last in _PACKED
    kind = suffixes[-2] if packed and len(suffixes) > 1 else last
    if kind not in _SEPARATORS:
        known = ".parquet, .csv, .tsv, or these two with .gz or .zst"
        raise OutputError(str(target), f"the suffix must be {known}")
    return partial(_write_text, target, kind)


def _write_text(target: Path, kind: str, table: pl.DataFrame, aside: Path) -> None:
    """Fields between commas, quoted where need be; or between tabs, where quotes are text."""
    quoted = kind == ".csv"
    refuse_ids(table, QUOTED if quoted else BETWEEN_TABS, target)
    style = "necessary" if quoted else "never"
    write_text(table, target, aside, separator=_SEPARATORS[kind], quote_style=style)
