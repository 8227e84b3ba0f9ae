"""Runs in text or JSON too large to be held: copied to Parquet, some lines at a time.

The copies are temporary, where ``$TMPDIR`` says, and take less space than the text. From then
on such a run is read as one in Parquet files is.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import IO, TypeVar, cast
from weakref import finalize

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError, UnreadableFile
from cranfield.base.files import temporary_folder
from cranfield.base.packed import GZIP, ZSTANDARD, first_bytes, reading
from cranfield.base.progress import track
from cranfield.base.schema import SCORE
from cranfield.recommendation.runs.json_files import holds_records, is_json, read_json
from cranfield.recommendation.runs.nested import FlatRows
from cranfield.recommendation.runs.parts import columns_of, refuse_other_columns
from cranfield.recommendation.runs.text import read_lines
from cranfield.recommendation.runs.text_layout import RunFormat, layout_of_run

LARGE = 1 << 30
"""Bytes of text from which on it is copied rather than held."""
SLICE = 1 << 27
"""Bytes of text that are read at a time."""
_PACKED = 5
"""Bytes that a byte of a gzip file becomes, about."""

Columns = Mapping[str, str] | None
Rows = TypeVar("Rows", pl.LazyFrame, pl.DataFrame)


@dataclass(frozen=True, eq=False)
class CopiedRows:
    """The rows of a run in temporary Parquet files, which go when this object goes."""

    flat: FlatRows
    folder: Path

    def __post_init__(self) -> None:
        finalize(self, rmtree, self.folder, ignore_errors=True)


def is_large(files: Sequence[Path]) -> bool:
    """Whether files of text are too large to be held; of JSON, only lines of records are."""
    return sum(map(_bytes_of, files)) > LARGE


def _bytes_of(path: Path) -> int:
    return path.stat().st_size * (_PACKED if first_bytes(path).startswith(GZIP) else 1)


def copy_rows(
    files: Sequence[Path],
    format: RunFormat,  # noqa: A002
    columns: Columns,
    where: str,
) -> CopiedRows | None:
    """The rows of large files in temporary ones; None where they can only be read at once.

    That is so for a document of JSON, and for what Zstandard has packed.
    """
    json = is_json(files[0], format)
    packed = any(first_bytes(path).startswith(ZSTANDARD) for path in files)
    if packed or (json and not all(holds_records(path, columns) for path in files)):
        return None
    folder = temporary_folder()
    pieces = _pieces(files, None if json else format, columns, folder)
    try:
        parts = [_copied(piece, folder, at) for at, piece in enumerate(pieces)]
    except OSError as error:
        rmtree(folder, ignore_errors=True)
        problem = f"it cannot be copied to {folder.parent} ({error.strerror or error})"
        remedy = "Set $TMPDIR to a folder with as much free space as the run needs."
        raise UnreadableFile(where, problem, remedy) from None
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    return CopiedRows(_joined(parts, where), folder)


def _copied(piece: FlatRows, folder: Path, number: int) -> FlatRows:
    """Some rows in a temporary file of theirs."""
    copy = folder / f"{number:06}.parquet"
    piece.rows.collect().write_parquet(copy, compression="lz4")
    return replace(piece, rows=pl.scan_parquet(copy))


def _joined(parts: Sequence[FlatRows], where: str) -> FlatRows:
    """All parts as one; ids that are text in some of them are text in all."""
    for part in parts:
        one, two = ((Path(each.where), each.roles) for each in (parts[0], part))
        refuse_other_columns(one, two, where)
    roles, schemas = parts[0].roles, [each.rows.collect_schema() for each in parts]
    text = [role for role in roles if any(schema[role] == pl.String for schema in schemas)]

    def same(rows: Rows) -> Rows:
        return rows.cast({role: pl.String for role in text if role in rows.collect_schema()})

    rows = pl.concat([same(each.rows) for each in parts], how="vertical_relaxed")
    empty = [same(each.empty) for each in parts if each.empty is not None]
    return FlatRows(rows, roles, where, pl.concat(empty) if empty else None)


def _pieces(
    files: Sequence[Path],
    format: RunFormat | None,  # noqa: A002
    columns: Columns,
    folder: Path,
) -> Iterator[FlatRows]:
    """The rows of all files under the names of their roles, some lines at a time; those of JSON
    have no ``format``.
    """
    name = Path(files[0]).name
    for path in track(files, f"copying {name}", len(files)):
        layout = None if format is None else layout_of_run(path, format, columns)
        for before, lines in _slices(path, folder, quoted=layout is not None and layout.quoted):
            with _named(lines, path, before):
                if layout is None:
                    yield _of_records(lines, columns, path)
                    continue
                frame = columns_of(read_lines(lines, layout))
                yield FlatRows(frame.lazy(), _themselves(frame.columns), str(path))
                layout = replace(layout, skipped=0)  # the header is in the first lines alone


def _of_records(lines: Path, columns: Columns, path: Path) -> FlatRows:
    """The rows of JSON records under the names of their roles."""
    flat = read_json([lines], columns, str(lines))
    names = {name: role for role, name in flat.roles.items()}
    rows = flat.rows.rename(names)
    if SCORE in flat.roles:
        rows = rows.with_columns(pl.col(SCORE).cast(pl.Float64))
    empty = None if flat.empty is None else flat.empty.rename(names, strict=False)
    return FlatRows(rows.select(list(flat.roles)), _themselves(flat.roles), str(path), empty)


def _themselves(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def _blocks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, unpacked, some at a time."""
    packed = first_bytes(path).startswith(GZIP)
    with reading(path), path.open("rb") as file:
        opened = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if packed else file
        while data := opened.read(SLICE):
            yield data


def _slices(path: Path, folder: Path, *, quoted: bool) -> Iterator[tuple[int, Path]]:
    """Consecutive lines of a file in a file of their own, and how many lines are before."""
    target, rest, before = folder / f"slice-{path.name.removesuffix('.gz')}", b"", 0
    for block in _blocks(path):
        data = rest + block
        end = _last_end(data, quoted)
        rest = data[end:]
        if len(rest) > SLICE:
            line = before + data.count(b"\n", 0, end) + 1
            raise UnreadableFile(f"{path}, line {line}", "a record begins here that does not end")
        if end:
            target.write_bytes(data[:end])
            yield before, target
            before += data.count(b"\n", 0, end)
    if rest.strip():
        target.write_bytes(rest)
        yield before, target
    target.unlink(missing_ok=True)


def _last_end(data: bytes, quoted: bool) -> int:
    """Where the last whole record ends; no line end between quotation marks ends one."""
    if not quoted:
        return data.rfind(b"\n") + 1
    seen = np.frombuffer(data, np.uint8)
    ends, marks = np.flatnonzero(seen == ord("\n")), np.flatnonzero(seen == ord('"'))
    closed = ends[np.searchsorted(marks, ends) % 2 == 0]
    return int(closed[-1]) + 1 if len(closed) else 0


@contextmanager
def _named(copy: Path, path: Path, lines_before: int) -> Iterator[None]:
    """What is wrong in a copy of some lines, told of the file and its line."""
    try:
        yield
    except CranfieldError as error:
        at_line = re.compile(re.escape(str(copy)) + r", line (\d+)")

        def moved(found: re.Match[str]) -> str:
            return f"{path}, line {int(found[1]) + lines_before}"

        told = (at_line.sub(moved, str(each)) for each in error.args)
        error.args = tuple(each.replace(str(copy), str(path)) for each in told)
        raise
