"""Where files of ratings are: paths, patterns such as part-*.parquet, addresses of stores."""

from __future__ import annotations

import re
from glob import glob, has_magic
from pathlib import Path

from cranfield.base.packed import exists

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""Two letters at least, since one is the drive of a path on Windows."""


def is_address(text: str) -> bool:
    """Whether a text is an address that Polars reads, such as s3://bucket/ratings.parquet.

    >>> is_address("s3://bucket/ratings.parquet"), is_address("C:/ratings.parquet")
    (True, False)
    """
    return _ADDRESS.match(text) is not None


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
