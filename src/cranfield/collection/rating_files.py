"""Ratings written to files that every tool reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import polars as pl

from cranfield.base.errors import OutputError
from cranfield.base.files import writing
from cranfield.collection.ratings import Ratings

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
Compression = Literal["uncompressed", "gzip", "zstd"]

_COMPRESSIONS: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


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
    packed = last in _COMPRESSIONS
    kind = suffixes[-2] if packed and len(suffixes) > 1 else last
    if kind not in _SEPARATORS:
        known = ".parquet, .csv, .tsv, or these two with .gz or .zst"
        raise OutputError(str(target), f"the suffix must be {known}")
    separator = _SEPARATORS[kind]
    compression: Compression = _COMPRESSIONS.get(last, "uncompressed")
    return lambda table, aside: table.write_csv(
        aside, separator=separator, compression=compression, check_extension=False
    )
