"""Where files of ratings and runs are: paths, patterns such as part-*.parquet, addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from cranfield.base.packed import exists

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""Two letters at least, since one is the drive of a path on Windows."""

_PARTITION = re.compile(r"[^=]+=.*")
"""The name of a folder that says the value of a column for all rows in it."""

_KINDS = (".parquet", ".csv", ".tsv", ".txt", ".dat", ".inter")
_PACKED = (".gz", ".zst")


def is_address(text: str) -> bool:
    """Whether a text is an address that Polars reads, such as s3://bucket/ratings.parquet.

    >>> is_address("s3://bucket/ratings.parquet"), is_address("C:/ratings.parquet")
    (True, False)
    """
    return _ADDRESS.match(text) is not None


def file_name(address: str) -> str:
    """The last part of an address, without what is asked of a server.

    >>> file_name("https://host/runs/mine.csv.gz?version=2"), file_name("s3://bucket/runs/*")
    ('mine.csv.gz', '*')
    """
    web = address.startswith(("http://", "https://"))
    return PurePosixPath(urlsplit(address).path if web else address).name


def matching_files(pattern: str) -> list[Path]:
    """The files that a pattern such as part-*.parquet means, in order of their names."""
    if "\0" in pattern or not has_magic(pattern):
        return []
    found = sorted(glob(pattern))  # noqa: PTH207  (the pattern may begin anywhere)
    return [path for path in map(Path, found) if path.is_file()]


def names_files(text: str) -> bool:
    """Whether a text is a path that exists, a pattern that some file matches, or an address."""
    if is_address(text):
        return True
    try:
        path = Path(text).expanduser()
    except RuntimeError:  # no home folder
        return False
    return exists(path) or bool(matching_files(str(path)))


def part_files(folder: Path, more: Sequence[str] = ()) -> list[Path]:
    """The parts of one table in a folder, in order of their names; none if it holds no such.

    They are of one kind, and their names begin with "part" or differ in numbers alone, as
    Spark, Dask, Polars, DuckDB and BigQuery write them. What begins with _ or . is a note of
    the writer. ``more`` are suffixes that are read beside the usual ones.
    """
    files = sorted(each for each in folder.iterdir() if each.is_file())
    files = [each for each in files if not each.name.startswith(("_", "."))]
    kinds = {_kind(each, (*_KINDS, *more)) for each in files}
    unnumbered = {re.sub(r"\d+", "0", each.name) for each in files}
    numbered = len(unnumbered) == 1 and any(map(str.isdigit, files[0].name))
    named = all(each.name.lower().startswith("part") for each in files)
    return files if len(kinds) == 1 and "" not in kinds and (numbered or named) else []


def partitioned_files(folder: Path) -> list[Path]:
    """The Parquet files in folders such as year=2024/month=5, in order of their names; none if
    anything else lies beside these folders.

    So Spark, Dask, Polars and DuckDB divide a table by the values of columns, which the files
    then lack.
    """
    inside = [each for each in sorted(folder.iterdir()) if not each.name.startswith(("_", "."))]
    if not inside or not all(each.is_dir() and _PARTITION.match(each.name) for each in inside):
        return []
    found = [partitioned_files(each) or sorted(each.glob("[!._]*.parquet")) for each in inside]
    return [file for files in found for file in files]


def _kind(path: Path, known: Sequence[str]) -> str:
    """The suffix that says how a file is written; empty for none of those that are read."""
    suffixes = [each.lower() for each in path.suffixes if each.lower() not in _PACKED]
    return suffixes[-1] if suffixes and suffixes[-1] in known else ""
