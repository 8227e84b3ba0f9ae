"""Files at addresses such as s3://bucket/run.csv, which Polars fetches.

Parquet is scanned where it is. Text and JSON are copied here for as long as they are read, so
that one reader serves for them and for files on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from polars.exceptions import NoDataError

from cranfield.base.errors import CranfieldError, EmptyInput, UnreadableFile
from cranfield.base.packed import first_line
from cranfield.base.polars_text import UNREADABLE, WHOLE_LINES
from cranfield.collection.tables.locations import file_name

_PACKED = (".gz", ".zst")
_PLACE = "address"


def holds_parquet(address: str) -> bool:
    """Whether an address names Parquet files: one, a folder, or a pattern of any files."""
    name = file_name(address).lower()
    return address.endswith("/") or name.endswith((".parquet", "*"))


@contextmanager
def reading_address(address: str) -> Iterator[None]:
    """What goes wrong while Polars reads at an address, said in one sentence."""
    try:
        yield
    except (*UNREADABLE, OSError) as error:
        raise UnreadableFile(address, f"it cannot be read ({first_line(error)})") from None


@contextmanager
def local_copies(address: str, what: str) -> Iterator[list[Path]]:
    """The text files at an address, unpacked, as files that exist while they are read.

    Errors name the address and not the copy. ``what`` is what the files should hold.
    """
    parts: dict[tuple[Any, ...], pl.DataFrame] = {}
    with reading_address(address), suppress(NoDataError):
        scanned = pl.scan_csv(
            address, encoding="utf8-lossy", include_file_paths=_PLACE, **WHOLE_LINES
        )
        parts = scanned.collect().partition_by(_PLACE, maintain_order=True, as_dict=True)
    if not parts:
        raise EmptyInput(address, what)
    with TemporaryDirectory(prefix="cranfield-") as folder:
        copies = {
            _copied(part, str(place), Path(folder) / str(number)): str(place)
            for number, ((place,), part) in enumerate(parts.items())
        }
        try:
            yield list(copies)
        except CranfieldError as error:
            for copy, place in copies.items():
                error.args = tuple(str(each).replace(str(copy), place) for each in error.args)
            raise


def _copied(lines: pl.DataFrame, address: str, folder: Path) -> Path:
    """A file of some lines under its own name; what was not UTF-8 is not UTF-8 there either."""
    folder.mkdir()
    name = PurePosixPath(file_name(address))
    path = folder / (name.stem if name.suffix.lower() in _PACKED else name.name)
    text = lines.select("line").write_csv(include_header=False, quote_style="never")
    path.write_bytes(text.encode().replace("\ufffd".encode(), b"\xff"))
    return path
