"""Bytes of a file as lines, whether it is packed (gzip, Zstandard) or plain."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from cranfield.base.errors import MissingFile, UnreadableFile
from cranfield.base.zstandard import MAGIC, first_blocks

if TYPE_CHECKING:
    import polars as pl

GZIP, ZSTANDARD, PARQUET, ZIP = b"\x1f\x8b", MAGIC, b"PAR1", b"PK\x03\x04"

_HEAD_BYTES, _HEAD_BLOCKS = 1 << 16, 64
_SEEN_AT_ONCE = 1 << 20
LONGEST_LINE = 1 << 20
"""Bytes of a line beyond which a file is not taken for text, and is not read further."""


def first_line(error: BaseException) -> str:
    """What another library says is wrong, in one line."""
    text = str(error).strip().partition("\n")[0]
    return text.rstrip(".:") or type(error).__name__


def exists(path: Path) -> bool:
    """Whether there is such a file or folder; of names that cannot be, there is none."""
    try:
        return path.exists()
    except (OSError, ValueError):  # it is too long, or holds a zero byte
        return False


def require_file(path: Path) -> None:
    """Refuse a file that is not there, a folder, and what can be read only once."""
    if not exists(path):
        raise MissingFile(str(path))
    if path.is_dir():
        raise MissingFile(str(path), advice="There is a folder of that name. Give a file.")
    if not path.is_file():
        problem = "it is a pipe or a device, which cannot be read more than once"
        raise UnreadableFile(str(path), problem, "Write it to a file first.")


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file, as they lie on disk."""
    require_file(path)
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
        # Polars reports a broken stream as an OSError without a number. Of several files,
        # the path is that of their folder, or a pattern.
        if error.errno is None and path.is_file() and _is_packed(path):
            raise _cut_off(path) from None
        raise UnreadableFile(str(path), error.strerror or str(error)) from None


def _cut_off(path: Path) -> UnreadableFile:
    problem = "the compressed data are damaged or end too early"
    return UnreadableFile(str(path), problem, "Download or create the file again.")


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4).startswith((GZIP, ZSTANDARD))


def lines(path: Path) -> Iterator[bytes]:
    """All lines of a file with their ends, unpacked; one of more than 1 MiB is refused."""
    start = first_bytes(path)
    with reading(path):
        if start.startswith(ZSTANDARD):
            for line in _unpacked_by_polars(path).collect()["line"]:
                yield _as_bytes(line)
        else:
            with path.open("rb") as file:
                opened = gzip.GzipFile(fileobj=file) if start.startswith(GZIP) else file
                yield from _short_lines(path, cast(IO[bytes], opened))


def _short_lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    number = 1
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise _too_long(path, number)
        yield line
        number += 1


def _too_long(path: Path, number: int) -> UnreadableFile:
    problem = "the line has more than 1 MiB"
    return UnreadableFile(f"{path}, line {number}", problem, "Give each record a line of its own.")


def unpacked(path: Path) -> bytes:
    """All of a file, unpacked."""
    start = first_bytes(path)
    with reading(path):
        if start.startswith(ZSTANDARD):
            return b"".join(map(_as_bytes, _unpacked_by_polars(path).collect()["line"]))
        data = path.read_bytes()
        return gzip.decompress(data) if start.startswith(GZIP) else data


def head(path: Path, count: int = 200) -> list[bytes]:
    """The first lines of a file, unpacked; fewer where they are very long."""
    if first_bytes(path).startswith(ZSTANDARD):
        return _packed_head(path, count)
    taken, size = [], 0
    for line in islice(lines(path), count):
        taken.append(line)
        size += len(line)
        if size > _HEAD_BYTES:
            break
    return taken


def _packed_head(path: Path, count: int) -> list[bytes]:
    """The same of a file that Polars unpacks: of its first blocks, without a line cut off."""
    with reading(path), path.open("rb") as file:
        start = first_blocks(file, _HEAD_BLOCKS)
        whole = not file.read(1)
        found = _unpacked_by_polars(io.BytesIO(start)).collect()["line"].to_list()
    if len(found) < 2 and len((found or [""])[0] or "") >= LONGEST_LINE:
        raise _too_long(path, 1)
    return [_as_bytes(line) for line in (found if whole else found[:-1])[:count]]


def holds_lone_returns(path: Path) -> bool:
    """Whether a line holds a carriage return that does not end it."""
    if _is_packed(path):
        from cranfield.base.polars_text import holds_returns

        return holds_returns(path)
    block = bytearray(_SEEN_AT_ONCE)
    with path.open("rb", buffering=0) as file:
        while got := file.readinto(memoryview(block)[1:]) or 0:
            if lone_returns(block, got + 1):
                return True
            block[0] = block[got]  # which may be the first half of a line end
    return False


def lone_returns(block: bytearray, size: int) -> bool:
    """Whether so many bytes hold a carriage return without a line end; of the last byte, that
    is not yet known.
    """
    return block.find(b"\r", 0, size - 1) >= 0 and (
        block.count(b"\r", 0, size - 1) != block.count(b"\r\n", 0, size)
    )


def _as_bytes(line: str | None) -> bytes:
    """A line as it was, except that what was not UTF-8 is still not UTF-8."""
    return (line or "").encode().replace("\ufffd".encode(), b"\xff") + b"\n"


def _unpacked_by_polars(source: Path | io.BytesIO) -> pl.LazyFrame:
    """Lines as one column of text; what is not packed is read without Polars."""
    from cranfield.base.polars_text import scan_lines

    return scan_lines(source)
