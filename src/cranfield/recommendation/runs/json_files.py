"""Runs in JSON: a record on each line, or one document.

A record is a ranked item (user, item, score or rank) or a whole list (user, items, scores). A
document is a list of records, or ``{user: {item: score}}`` or ``{user: [items]}``, as ranx
writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.errors import EmptyInput, UnreadableFile
from cranfield.base.packed import head, unpacked
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import USER, columns_for
from cranfield.recommendation.runs.nested import FlatRows, flatten
from cranfield.recommendation.runs.objects import run_table
from cranfield.recommendation.runs.text_layout import WHAT, RunFormat

SUFFIXES = (".json", ".jsonl", ".ndjson")

Columns = Mapping[str, str] | None


def is_json(path: Path, format: RunFormat) -> bool:  # noqa: A002
    """Whether a file is of JSON, as stated, or as its name or its first line shows."""
    if format != "auto":
        return format == "json"
    named = any(each.lower() in SUFFIXES for each in path.suffixes[-2:])
    return named or isinstance(_parsed(b"".join(head(path, 1))), dict | list)


def holds_records(path: Path, columns: Columns) -> bool:
    """Whether the first line of a file of JSON is a record of a run, and so each line."""
    record = _parsed(b"".join(head(path, 1)))
    return isinstance(record, dict) and bool(columns_for(USER, record, columns))


def read_json(files: Sequence[Path], columns: Columns, where: str) -> FlatRows:
    """The rows of files of JSON, the roles of their columns, and whose lists are empty."""
    tables = [_table(path, columns) for path in files]
    kept = [table for table in tables if len(table)]
    if not kept:
        raise EmptyInput(where, WHAT)
    try:
        table = pl.concat(kept, how="vertical_relaxed")
    except UNREADABLE:
        remedy = "Give parts that have the same names and kinds of values."
        raise UnreadableFile(where, "its parts differ in what they hold", remedy) from None
    return flatten(table.lazy(), columns, where)


def _table(path: Path, columns: Columns) -> pl.DataFrame:
    """The table of one file, with a row for each record or each list."""
    content = unpacked(path).strip()
    if not content:
        return pl.DataFrame()
    record = _parsed(content.partition(b"\n")[0])
    if isinstance(record, dict) and columns_for(USER, record, columns):
        return _of_lines(path, content, columns)
    try:
        return run_table(json.loads(content), str(path), columns)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(str(path), f"it is not JSON ({error})") from None


def _of_lines(path: Path, content: bytes, columns: Columns) -> pl.DataFrame:
    """The records of lines; those that Polars cannot put into columns are read one by one."""
    try:
        return pl.read_ndjson(content, infer_schema_length=None)
    except UNREADABLE:
        lines = content.splitlines()
    records = [
        _record(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()
    ]
    return run_table(records, str(path), columns)


def _record(path: Path, number: int, line: bytes) -> dict[str, Any]:
    found = _parsed(line)
    if not isinstance(found, dict):
        remedy = 'Give a record such as {"user": 1, "items": [7, 8], "scores": [0.9, 0.5]}.'
        raise UnreadableFile(f"{path}, line {number}", "it is not a record of JSON", remedy)
    return found


def _parsed(line: bytes) -> Any:
    """What a line says in JSON; nothing if it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
