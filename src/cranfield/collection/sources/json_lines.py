"""Files with an object in each line: JSON, or dictionaries as Python writes them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.errors import BadValue, EmptyInput, UnreadableFile
from cranfield.base.schema import ITEM, RATING, TIMESTAMP, USER, find_columns
from cranfield.base.text_ids import ids_from_text
from cranfield.collection.text.exact import text_lines
from cranfield.collection.text.layout import is_number

_AT_ONCE = 100_000
_BROKEN = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)
"""What either parser raises on text that it cannot read."""
_TYPES: dict[str, Any] = {
    USER: pl.String, ITEM: pl.String, RATING: pl.Float64, TIMESTAMP: pl.String,
}  # fmt: skip

Parser = Callable[[str], Any]
Numbered = tuple[int, str]
"""A line and its number."""
Found = tuple[int, dict[str, Any]]
"""An object and the number of its line."""


def read_json_lines(
    path: Path, columns: Mapping[str, str] | None
) -> tuple[pl.DataFrame, dict[str, str], Callable[[int], int]]:
    """The fields that play a role, under the names of the roles, and the line of a row.

    Which fields these are is seen from the first object; all must have them.
    """
    first = next(_filled(path), None)
    if first is None:
        raise EmptyInput(str(path))
    parse = _parser(first[1])
    names = list(_object(path, first, parse))
    more = (RATING, TIMESTAMP)
    roles = find_columns(names, (USER, ITEM), columns, optional=more, where=str(path))
    every, parts = _filled(path), []
    while some := list(islice(every, _AT_ONCE)):
        objects = [(number, _object(path, (number, text), parse)) for number, text in some]
        parts.append(pl.DataFrame([_column(path, *each, objects) for each in roles.items()]))
    frame = pl.concat(parts)
    frame = frame.with_columns(ids_from_text(frame[name]) for name in (USER, ITEM))
    return frame, {role: role for role in roles}, partial(_line_of, path)


def _column(path: Path, role: str, name: str, objects: list[Found]) -> pl.Series:
    """The values of one role."""
    values = [_READERS[role](path, name, found, line) for line, found in objects]
    return pl.Series(role, values, dtype=_TYPES[role])


def _filled(path: Path) -> Iterator[Numbered]:
    """The lines that are filled, with their numbers."""
    for number, line in enumerate(text_lines(path), start=1):
        if text := line.strip():
            yield number, text


def _line_of(path: Path, row: int) -> int:
    """The line of a row."""
    return next(islice(_filled(path), row, None))[0]


def _parser(first: str) -> Parser:
    """What reads the lines of a file: Python where the first is a dictionary, and no JSON."""
    try:
        json.loads(first)
    except _BROKEN:
        try:
            if isinstance(ast.literal_eval(first), dict):
                return ast.literal_eval
        except _BROKEN:
            pass
    return json.loads


def _object(path: Path, line: Numbered, parse: Parser) -> dict[str, Any]:
    """The object in a line."""
    number, text = line
    try:
        found = parse(text)
    except _BROKEN:
        found = None
    if isinstance(found, dict):
        return found
    wanted = "an object of JSON" if parse is json.loads else "a dictionary as Python writes it"
    raise UnreadableFile(
        f"{path}, line {number}", f"it is not {wanted}", "Download the file again."
    )


def _id(path: Path, name: str, found: Mapping[str, Any], line: int) -> str:
    value = found.get(name)
    text = _text(value) if isinstance(value, str | int) else ""
    if text:
        return text
    raise BadValue(str(path), name, value, "an id", line=line)


def _text(value: str | float) -> str:
    """A text or a number as text; empty for what no file of UTF-8 can hold, and for truth."""
    try:
        text = "" if isinstance(value, bool) else str(value)
        return text if text.isascii() else text.encode().decode()
    except ValueError:  # half of a pair of surrogates, or a number of 5,000 digits
        return ""


def _rating(path: Path, name: str, found: Mapping[str, Any], line: int) -> float:
    value = found.get(name)
    if isinstance(value, int | float) or (isinstance(value, str) and is_number(value)):
        try:
            return float(value)
        except OverflowError:
            pass
    raise BadValue(str(path), name, value, "a number", line=line)


def _time(path: Path, name: str, found: Mapping[str, Any], line: int) -> str:
    value = found.get(name)
    text = _text(value) if isinstance(value, str | int | float) else ""
    if text:
        return text
    raise BadValue(str(path), name, value, "a time", line=line)


_READERS: dict[str, Callable[[Path, str, Mapping[str, Any], int], Any]] = {
    USER: _id, ITEM: _id, RATING: _rating, TIMESTAMP: _time,
}  # fmt: skip
