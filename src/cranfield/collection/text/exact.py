"""Records of a text file with their lines: slow, exact, and used when something is wrong."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import polars as pl

from cranfield.base.errors import BadValue, UnreadableFile
from cranfield.base.packed import lines
from cranfield.base.schema import RANK, RATING, SCORE, TIMESTAMP
from cranfield.collection.text.layout import TextLayout, is_number, split

Record = tuple[int, list[str]]
"""The line that a record starts in, and its fields."""

_AT_ONCE = 100_000
_NUMBERS = (RATING, SCORE, RANK)


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


def records(path: Path, layout: TextLayout) -> Iterator[Record]:
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


def line_of(path: Path, layout: TextLayout, row: int) -> int:
    """The line of a row of the table that was read."""
    return next(islice(records(path, layout), row, None))[0]


def refuse_faults(path: Path, layout: TextLayout) -> None:
    """Refuse the first record that cannot be read, with its line, column and value."""
    for line, fields in records(path, layout):
        _refuse_fault(path, layout, line, fields)


def table_of(path: Path, layout: TextLayout) -> pl.DataFrame:
    """The needed columns of all records; refuses the first faulty record.

    Ids and times are text, times without blanks around them.
    """
    places = {role: layout.names.index(column) for role, column in layout.roles.items()}
    every, parts = records(path, layout), []
    while some := list(islice(every, _AT_ONCE)):
        for line, fields in some:
            _refuse_fault(path, layout, line, fields)
        columns = {role: [fields[at] for _, fields in some] for role, at in places.items()}
        parts.append(_frame(columns))
    table = pl.concat(parts) if parts else _frame({role: [] for role in places})
    return table.rename(dict(layout.roles))


def _frame(columns: Mapping[str, list[str]]) -> pl.DataFrame:
    """Cells that were checked as columns by their roles."""
    made = {}
    for role, cells in columns.items():
        if role in _NUMBERS:
            numbers = [float(cell) if cell.strip() else None for cell in cells]
            made[role] = pl.Series(numbers, dtype=pl.Float64)
        else:
            text = pl.Series(cells, dtype=pl.String)
            made[role] = text.str.strip_chars() if role == TIMESTAMP else text
    return pl.DataFrame(made)


def _refuse_fault(path: Path, layout: TextLayout, line: int, fields: list[str]) -> None:
    places = {role: layout.names.index(name) for role, name in layout.roles.items()}
    fewest = len(layout.names) if layout.complete else max(places.values()) + 1
    if not fewest <= len(fields) <= len(layout.names):
        count = "is 1 field" if len(fields) == 1 else f"are {len(fields)} fields"
        problem = f"there {count} where {len(layout.names)} are expected"
        raise UnreadableFile(f"{path}, line {line}", problem)
    for role, at in places.items():
        value = fields[at]
        if role == SCORE and RANK in places and not value.strip() and fields[places[RANK]].strip():
            continue  # an item that was only ranked
        wanted = _wanted(role, value)
        if wanted:
            shown = value if value.strip() else None
            raise BadValue(str(path), layout.names[at], shown, wanted, line=line)


def _wanted(role: str, value: str) -> str:
    """What a value should have been; empty if it will do."""
    if role == TIMESTAMP:
        return "" if value.strip() else "a time"
    if role not in _NUMBERS:
        return "" if value else "an id"
    if not is_number(value):
        return "a number"
    return "" if math.isfinite(float(value)) else "a finite number"
