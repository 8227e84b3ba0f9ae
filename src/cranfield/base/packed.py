"""Bytes of a file as lines, whether it is packed (gzip, Zstandard) or plain."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException, PolarsError

from cranfield.base.errors import UnreadableFile

GZIP, ZSTANDARD, PARQUET, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"PK\x03\x04"

UNREADABLE = (PolarsError, PanicException)
"""What Polars raises on content that it cannot read; damaged bytes can make it panic."""

_HEAD_BYTES = 1 << 16


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file, as they lie on disk."""
    with reading(path), path.open("rb") as file:
        return file.read(8)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """What goes wrong with a file while it is read, said in one sentence."""
    try:
        yield
    except PermissionError:
        raise UnreadableFile(str(path), "there is no permission to read it") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise _cut_off(path) from None
    except OSError as error:
        # Polars reports a broken stream as an OSError without a number.
        if error.errno is None and _is_packed(path):
            raise _cut_off(path) from None
        raise UnreadableFile(str(path), error.strerror or str(error)) from None


def _cut_off(path: Path) -> UnreadableFile:
    problem = "the packed data is damaged or ends too early"
    return UnreadableFile(str(path), problem, "Fetch or make the file again.")


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4).startswith((GZIP, ZSTANDARD))


def lines(path: Path) -> Iterator[bytes]:
    """All lines of a file with their ends, unpacked."""
    start = first_bytes(path)
    with reading(path):
        if start.startswith(ZSTANDARD):
            for line in _unpacked_by_polars(path).collect()["line"]:
                yield _as_bytes(line)
        else:
            with path.open("rb") as file:
                yield from gzip.GzipFile(fileobj=file) if start.startswith(GZIP) else file


def head(path: Path, count: int = 200) -> list[bytes]:
    """The first lines of a file, unpacked; fewer where they are very long."""
    if first_bytes(path).startswith(ZSTANDARD):
        with reading(path):
            found = _unpacked_by_polars(path).head(count).collect()["line"]
        return [_as_bytes(line) for line in found]
    taken, size = [], 0
    for line in islice(lines(path), count):
        taken.append(line)
        size += len(line)
        if size > _HEAD_BYTES:
            break
    return taken


def _as_bytes(line: str | None) -> bytes:
    """A line as it was, except that what was not UTF-8 is still not UTF-8."""
    return (line or "").encode().replace("\ufffd".encode(), b"\xff") + b"\n"


def _unpacked_by_polars(path: Path) -> pl.LazyFrame:
    """Lines as one column of text; bytes that are not UTF-8 show as �."""
    return pl.scan_csv(
        path,
        has_header=False,
        separator="\x01",
        quote_char=None,
        encoding="utf8-lossy",
        schema={"line": pl.String},
    )
