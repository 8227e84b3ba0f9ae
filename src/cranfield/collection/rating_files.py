"""Ratings written to files that every tool reads."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl

from cranfield.base.errors import OutputError
from cranfield.base.files import writing
from cranfield.collection.ratings import Ratings

_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def write_ratings(ratings: Ratings, path: Path | str) -> None:
    """Write ratings as Parquet, CSV or TSV, the last two also compressed, by suffix."""
    target = Path(path)
    write = _writer(target)
    with writing(target) as aside:
        write(ratings.to_polars(), aside)


def _writer(target: Path) -> Callable[[pl.DataFrame, Path], None]:
    suffixes = [suffix.lower() for suffix in target.suffixes[-2:]]
    last = suffixes[-1] if suffixes else ""
    if last == ".parquet":
        return lambda table, aside: table.write_parquet(aside)
    packed = last in (".gz", ".zst")
    kind = suffixes[-2] if packed and len(suffixes) > 1 else last
    if kind not in _SEPARATORS:
        known = ".parquet, .csv, .tsv, or these two with .gz or .zst"
        raise OutputError(str(target), f"the suffix must be {known}")
    separator = _SEPARATORS[kind]
    if last == ".gz":
        return lambda table, aside: _write_gzip(table, aside, separator)
    if last == ".zst":
        return lambda table, aside: table.lazy().sink_csv(
            aside, separator=separator, compression="zstd"
        )
    return lambda table, aside: table.write_csv(aside, separator=separator)


def _write_gzip(table: pl.DataFrame, aside: Path, separator: str) -> None:
    # Without a time stamp in the header, equal ratings give equal files.
    with aside.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        table.write_csv(packed, separator=separator)
