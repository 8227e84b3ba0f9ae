"""Netflix Prize files: a line ``item:``, then lines ``user,rating,date``, and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from cranfield.base.errors import BadValue, EmptyInput, UnreadableFile
from cranfield.base.packed import lines, reading
from cranfield.base.polars_text import UNREADABLE, WHOLE_LINES
from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER
from cranfield.base.text_ids import ids_from_text
from cranfield.base.threads import chunks
from cranfield.collection.text.exact import text_lines

_NAMES = ("mv_*.txt", "mv_*.txt.gz", "combined_data_*.txt", "combined_data_*.txt.gz")
_FILES_AT_ONCE = 500
_BLOCK, _DATE = re.compile(r"[^,:]+:"), re.compile(r"\d{4}-\d\d-\d\d")


def netflix_files(folder: Path) -> list[Path]:
    """The files of a folder that are named as Netflix named them, in order."""
    return next((found for name in _NAMES if (found := sorted(folder.glob(name)))), [])


def read_netflix(paths: list[Path]) -> pl.DataFrame:
    """One table from one or many files; the first faulty line of any is refused."""
    parts = [_read_some(paths[part]) for part in chunks(len(paths), _FILES_AT_ONCE)]
    table = pl.concat(parts)
    if table.is_empty():
        raise EmptyInput(str(paths[0] if len(paths) == 1 else paths[0].parent))
    return table.with_columns(ids_from_text(table[name]) for name in (USER, ITEM))


def _read_some(paths: list[Path]) -> pl.DataFrame:
    """The ratings of some files."""
    try:
        with reading(paths[0]):
            table = _parsed(_lines_of(paths))
    except UNREADABLE:
        table = None
    if table is None or any(column.null_count() for column in table):
        for path in paths:
            refuse_faults(path)
        raise UnreadableFile(str(paths[0]), "it is not a Netflix Prize file")
    return table


def _lines_of(paths: list[Path]) -> pl.DataFrame:
    """All lines of some files as one column; a file alone is read in place."""
    source = paths[0] if len(paths) == 1 else b"\n".join(b"".join(lines(path)) for path in paths)
    return pl.scan_csv(source, **WHOLE_LINES).collect()


def _parsed(text: pl.DataFrame) -> pl.DataFrame:
    line = pl.col("line")
    fields = line.str.splitn(",", 3).struct.rename_fields([USER, RATING, TIMESTAMP])
    block = line.str.ends_with(":")
    return (
        text.lazy()
        .filter(line.str.strip_chars() != "")
        .with_columns(
            pl.when(block).then(line.str.strip_suffix(":")).forward_fill().alias(ITEM),
            block.alias("block"),
        )
        .filter(~pl.col("block"))
        .select(ITEM, fields.alias("fields"))
        .unnest("fields")
        .select(
            USER,
            ITEM,
            pl.col(RATING).cast(pl.Float64, strict=False),
            pl.col(TIMESTAMP).str.to_date("%Y-%m-%d", strict=False),
        )
        .collect()
    )


def ratings_with_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines that hold a rating, in order, with their fields; faulty ones are refused."""
    block = False
    for number, line in enumerate(text_lines(path), start=1):
        text = line.rstrip("\r\n")
        if not text.strip():
            continue
        if _BLOCK.fullmatch(text):
            block = True
            continue
        if not block:
            raise UnreadableFile(f"{path}, line {number}", 'a line "item:" must come first')
        yield number, text.split(",")


def nth_rating(path: Path, row: int) -> int:
    """The line of a row of the table that was read."""
    return next(islice(ratings_with_lines(path), row, None))[0]


def refuse_faults(path: Path) -> None:
    """Refuse the first line that is neither ``item:`` nor ``user,rating,date``."""
    for number, fields in ratings_with_lines(path):
        if len(fields) != 3 or not fields[0]:
            problem = f'"{",".join(fields)}" is neither "item:" nor "user,rating,date"'
            raise UnreadableFile(f"{path}, line {number}", problem)
        try:
            float(fields[1])
        except ValueError:
            raise BadValue(str(path), RATING, fields[1], "a number", line=number) from None
        if not _DATE.fullmatch(fields[2]):
            raise BadValue(str(path), "date", fields[2], "a date as 2005-09-06", line=number)
