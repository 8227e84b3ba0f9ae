"""Tables written as text, also packed; ids that text cannot hold so that they are read back."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import IO, Any, cast

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


def write_text(table: pl.DataFrame, target: Path, aside: Path, **options: Any) -> None:
    """Write a table as text aside, packed as the suffix of its target says (.gz, .zst).

    ``options`` are those of Polars. Equal tables give equal files.
    """
    suffix = target.suffix.lower()
    if suffix == ".gz":
        with aside.open("wb") as file, _gzip(file) as packed:
            table.write_csv(cast(IO[bytes], packed), **options)
    elif suffix == ".zst":
        _write_zstandard(table, target, aside, options)
    else:
        table.write_csv(aside, **options)


def _gzip(file: IO[bytes]) -> gzip.GzipFile:
    # Without a name and a time in the header, equal tables give equal files.
    return gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0)


def _write_zstandard(
    table: pl.DataFrame, target: Path, aside: Path, options: dict[str, Any]
) -> None:
    try:
        table.lazy().sink_csv(aside, compression="zstd", check_extension=False, **options)
    except TypeError:
        problem = f"Polars {pl.__version__} does not write .zst; use .gz, or a newer Polars"
        raise OutputError(str(target), problem) from None
