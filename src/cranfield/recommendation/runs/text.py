"""Runs in text files: TREC, three columns, or a header; packed or plain.

A plain file is read in one pass, its ids numbered on the way. Any other is read by Polars
in one go. Where it stumbles, or a cell is missing, the file is read again record by
record, which either names the fault and its line, or reads what Polars could not (runs of
blanks, blanks around numbers).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import (
    BadValue,
    CranfieldError,
    EmptyInput,
    MissingColumn,
    UnreadableFile,
    counted,
)
from cranfield.base.ids import Numbered
from cranfield.base.packed import reading
from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER, find_columns
from cranfield.base.text_ids import ids_from_text
from cranfield.collection.text.exact import line_of, records
from cranfield.collection.text.fast import parse
from cranfield.collection.text.layout import BLANKS, Layout, split, text_head
from cranfield.recommendation.runs.table import RunTable

RunFormat = Literal["auto", "trec", "tsv", "csv", "recbole", "parquet"]
"""``trec``: ``user Q0 item rank score tag`` between blanks or tabs. ``tsv``: user, item and
score between tabs, as Elliot writes them, or a header and tabs. ``csv``: a header of usual
names, as LensKit and RecTools write them, or user, item and score. ``recbole``: tabs and a
header of ``name:type``. ``parquet``: columns of usual names. ``auto``: as the content shows."""

NAMES = {3: (USER, ITEM, SCORE), 6: (USER, "iteration", ITEM, RANK, SCORE, SYSTEM)}
"""The columns of a file without a header, by their number."""

WHAT = "ranked items"


def roles_of(
    names: tuple[str, ...], columns: Mapping[str, str] | None, where: str
) -> dict[str, str]:
    """For each role of a run's table, the column that plays it; a score or a rank is needed."""
    optional = (SCORE, RANK, SYSTEM)
    roles = find_columns(names, (USER, ITEM), columns, optional=optional, where=where)
    if SCORE not in roles and RANK not in roles:
        raise MissingColumn(where, SCORE, names)
    return roles


def read_text(
    path: Path,
    format: RunFormat,  # noqa: A002
    columns: Mapping[str, str] | None,
    *,
    ranks: bool = True,
) -> RunTable:
    """The table of a run in a text file.

    Without ``ranks`` those beside scores are passed over, if that makes it faster.
    """
    layout = _layout(path, format, columns)
    lines = partial(line_of, path, layout)
    needed = layout if ranks else _without_ranks(layout)
    parsed = parse(path, needed)
    if parsed is not None:
        numbered = {role: Numbered.in_order(coded) for role, coded in parsed.ids.items()}
        return RunTable(parsed.frame(needed), needed.roles, str(path), lines, numbered)
    table = _read_fast(path, layout)
    if table is None or _has_gaps(table, layout):
        table = _read_exactly(path, layout)
    table = table.select(layout.roles.values())
    if table.is_empty():
        raise EmptyInput(str(path), WHAT)
    ids = [ids_from_text(table[layout.roles[role]]) for role in (USER, ITEM)]
    return RunTable(table.with_columns(ids), layout.roles, str(path), lines)


def _without_ranks(layout: Layout) -> Layout:
    """The same where ranks, if there are scores, play no role."""
    roles = {role: name for role, name in layout.roles.items() if role != RANK}
    return replace(layout, roles=roles) if SCORE in roles else layout


def _layout(path: Path, format: RunFormat, columns: Mapping[str, str] | None) -> Layout:  # noqa: A002
    """How the file is laid out, as stated or as its first lines show."""
    text = text_head(path)
    first = next((at for at, line in enumerate(text) if line.strip()), None)
    if first is None:
        raise EmptyInput(str(path), WHAT)
    separator = _separator(text[first], format)
    quoted = separator in (",", ";")
    fields = split(text[first], separator, quoted)
    header = format != "trec" and _is_header(fields, columns)
    names = _names(fields, header, f"{path}, line {first + 1}", format)
    roles = roles_of(names, columns, str(path))
    return Layout(separator, names, roles, first + header, quoted, ())


def _separator(line: str, format: RunFormat) -> str:  # noqa: A002
    if format == "trec" or (format == "auto" and _is_trec(line.split())):
        return "\t" if line.count("\t") == 5 else BLANKS
    if format in ("tsv", "recbole"):
        return "\t"
    return next((s for s in ("\t", ",", ";") if s in line), BLANKS)


def _is_trec(fields: list[str]) -> bool:
    return len(fields) == 6 and fields[1] in ("Q0", "0") and _is_number(fields[4])


def _is_header(fields: list[str], columns: Mapping[str, str] | None) -> bool:
    """Whether a line names columns: it has a given or usual name, and no number."""
    if any(_is_number(field) for field in fields):
        return False
    plain = [_plain(field) for field in fields]
    if columns and set(columns.values()) & set(plain):
        return True
    try:
        return bool(find_columns(plain, (), optional=(USER, ITEM, SCORE, RANK)))
    except CranfieldError:
        return True


def _plain(field: str) -> str:
    """The name of a column without RecBole's type."""
    name, _, kind = field.strip().partition(":")
    return name if kind in ("token", "float", "") else field


def _names(fields: list[str], header: bool, where: str, format: RunFormat) -> tuple[str, ...]:  # noqa: A002
    if header:
        plain = [_plain(field) for field in fields]
        return tuple(n if n not in plain[:at] else f"{n} ({at + 1})" for at, n in enumerate(plain))
    if len(fields) not in NAMES or (format == "trec" and len(fields) != 6):
        wanted = "6 (user Q0 item rank score tag)"
        if format != "trec":
            wanted = f"3 (user, item, score) or {wanted}, or a header with their names"
        problem = f"there are {len(fields)} columns"
        raise UnreadableFile(where, problem, f"A run has {wanted}.")
    return NAMES[len(fields)]


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read_fast(path: Path, layout: Layout) -> pl.DataFrame | None:
    """The table as Polars reads it; None where the file is not what its start promised."""
    by_column = {column: role for role, column in layout.roles.items()}
    numbers = (SCORE, RANK)
    types = {n: pl.Float64 if by_column.get(n) in numbers else pl.String for n in layout.names}
    try:
        with reading(path):
            return pl.read_csv(
                path,
                has_header=False,
                skip_lines=layout.skipped,
                separator=layout.separator,
                quote_char='"' if layout.quoted else None,
                schema=types,
                ignore_errors=True,
                glob=False,
            )
    except PolarsError:
        return None


def _has_gaps(table: pl.DataFrame, layout: Layout) -> bool:
    """Whether a cell of any column is missing, or an id is empty.

    Where blanks come in runs, or tabs among them, the cells between them are missing.
    """
    ids = [table[layout.roles[role]] for role in (USER, ITEM)]
    return any(column.null_count() for column in table) or any((c == "").any() for c in ids)


def _read_exactly(path: Path, layout: Layout) -> pl.DataFrame:
    """The table record by record; refuses the first faulty record with its line."""
    places = {role: layout.names.index(name) for role, name in layout.roles.items()}
    cells: dict[str, list[str | float | None]] = {role: [] for role in places}
    for line, fields in records(path, layout):
        if len(fields) != len(layout.names):
            count = counted(len(fields), "column")
            problem = f"there are {count} where {len(layout.names)} are expected"
            raise UnreadableFile(f"{path}, line {line}", problem)
        for role, at in places.items():
            gap = role == SCORE and RANK in places and bool(fields[places[RANK]].strip())
            cells[role].append(_cell(fields[at], role, gap, (path, layout.names[at], line)))
    types = {role: pl.Float64 if role in (SCORE, RANK) else pl.String for role in cells}
    return pl.DataFrame(cells, schema=types).rename(dict(layout.roles))


def _cell(
    field: str, role: str, may_be_empty: bool, place: tuple[Path, str, int]
) -> str | float | None:
    """One cell as text or number; None for the score of an item that was only ranked."""
    path, name, line = place
    if role not in (SCORE, RANK):
        if not field:
            raise BadValue(str(path), name, "nothing", "an id", line=line)
        return field
    if may_be_empty and not field.strip():
        return None
    try:
        number = float(field)
    except ValueError:
        shown = field if field.strip() else "nothing"
        raise BadValue(str(path), name, shown, "a number", line=line) from None
    if not math.isfinite(number):
        raise BadValue(str(path), name, field, "a finite number", line=line)
    return number
