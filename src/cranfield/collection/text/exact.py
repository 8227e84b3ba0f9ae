"""Records of a text file with their lines: slow, exact, and used when something is wrong."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from cranfield.base.errors import BadValue, UnreadableFile
from cranfield.base.packed import lines
from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER
from cranfield.collection.text.layout import Layout, split

Record = tuple[int, list[str]]
"""The line that a record starts in, and its fields."""

_AT_ONCE = 100_000


def text_lines(path: Path) -> Iterator[str]:
    """Lines as text; the first that is not UTF-8, or holds zero bytes, is refused."""
    for number, line in enumerate(lines(path), start=1):
        where = f"{path}, line {number}"
        if b"\x00" in line:
            raise UnreadableFile(where, "there is binary data in it, not text")
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            remedy = "Convert the file, as in: iconv -f LATIN1 -t UTF-8"
            raise UnreadableFile(where, "it is not UTF-8 text", remedy) from None
        yield text


def records(path: Path, layout: Layout) -> Iterator[Record]:
    """Every record with its line; blank lines and the header are left out."""
    text = text_lines(path)
    for _ in islice(text, layout.skipped):
        pass
    if not layout.quoted:
        for number, line in enumerate(text, start=layout.skipped + 1):
            fields = split(line.rstrip("\r\n"), layout.separator, quoted=False)
            if fields:
                yield number, fields
        return
    reader = csv.reader(text, delimiter=layout.separator)
    started = layout.skipped + 1
    try:
        for fields in reader:
            if fields and (len(fields) > 1 or fields[0].strip()):
                yield started, fields
            started = layout.skipped + reader.line_num + 1
    except csv.Error as error:
        raise UnreadableFile(f"{path}, line {started}", str(error)) from None


def line_of(path: Path, layout: Layout, row: int) -> int:
    """The line of a row of the table that was read."""
    return next(islice(records(path, layout), row, None))[0]


def refuse_faults(path: Path, layout: Layout) -> None:
    """Refuse the first record that cannot be read, with its line, column and value."""
    for line, fields in records(path, layout):
        _refuse_fault(path, layout, line, fields)


def table_of(path: Path, layout: Layout) -> pl.DataFrame:
    """The needed columns of all records as text; refuses the first faulty record."""
    wanted = {column: layout.names.index(column) for column in layout.roles.values()}
    every = records(path, layout)
    parts = []
    while some := list(islice(every, _AT_ONCE)):
        for line, fields in some:
            _refuse_fault(path, layout, line, fields)
        parts.append(pl.DataFrame({n: [f[at] for _, f in some] for n, at in wanted.items()}))
    table = pl.concat(parts) if parts else pl.DataFrame(schema=dict.fromkeys(wanted, pl.String))
    numbers = [column for role, column in layout.roles.items() if role in (RATING, TIMESTAMP)]
    return table.with_columns(pl.col(numbers).str.strip_chars())


def _refuse_fault(path: Path, layout: Layout, line: int, fields: list[str]) -> None:
    places = {role: layout.names.index(name) for role, name in layout.roles.items()}
    if len(fields) > len(layout.names) or len(fields) <= max(places.values()):
        count = "is 1 field" if len(fields) == 1 else f"are {len(fields)} fields"
        problem = f"there {count} where {len(layout.names)} are expected"
        raise UnreadableFile(f"{path}, line {line}", problem)
    for role, at in places.items():
        value = fields[at]
        wanted = _wanted(role, value)
        if wanted:
            shown = value if value.strip() else None
            raise BadValue(str(path), layout.names[at], shown, wanted, line=line)


def _wanted(role: str, value: str) -> str:
    """What a value should have been; empty if it will do."""
    if role in (USER, ITEM):
        return "" if value else "an id"
    if role != RATING:
        return "" if value.strip() else "a time"
    try:
        return "" if math.isfinite(float(value)) else "a finite number"
    except ValueError:
        return "a number"
