"""Delimited text as a table: fast while all is well, exact when something is wrong.

Polars reads the file in one go. Where it stumbles, or a cell is missing, the file is read
again record by record, which either names the fault and its line, or reads what Polars
could not (runs of blanks, blanks around numbers, ids that hold a colon between double colons).

An id such as 007 must stay text, or it could not be written back. Reading ids as text to
find out costs more than all the rest of reading; a look at the bytes does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ids import Coded
from cranfield.base.packed import holds_lone_returns, lone_returns, reading
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import ITEM, RANK, RATING, SCORE, TIMESTAMP, USER
from cranfield.base.text_ids import are_canonical, ids_from_text
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.text.exact import refuse_faults, table_of
from cranfield.collection.text.layout import BLANKS, TextLayout, text_head

if TYPE_CHECKING:
    from cranfield.collection.text.parsing import Parsed

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]*)?([eE][+-]?[0-9]+)?")
"""A number that a float holds to the unit, which longer ones need not be."""
_LENGTH = " length"
_MANY_BYTES = 1 << 18
"""Text that is worth a compiled loop."""
_UNUSUAL = (b"+", b"-", b" ", b'"', b"'")
"""What may stand in a number that is not written plainly, or around it."""
_PART, _BLOCK = 1 << 22, 1 << 18
"""Bytes that a thread is given, and looks at at a time: so few that its cache holds them."""


def read_delimited(path: Path, layout: TextLayout) -> pl.DataFrame:
    """The columns that play a role, ids as integers only where all are written as such."""
    table = None if _begins_with_a_mark(path, layout) else _read_fast(path, layout)
    if table is not None and _has_gaps(table, layout):
        table = None if layout.separator == BLANKS else _without_blank_lines(table, path, layout)
    if table is None:
        table = table_of(path, layout)
        return table.with_columns(ids_from_text(table[layout.roles[r]]) for r in (USER, ITEM))
    return table


def _without_blank_lines(
    table: pl.DataFrame, path: Path, layout: TextLayout
) -> pl.DataFrame | None:
    """The table without rows that were blank lines; None where a line of blanks became a cell."""
    refuse_faults(path, layout)
    filled = table.filter(~pl.all_horizontal(pl.all().is_null()))
    return None if any(filled[layout.roles[r]].null_count() for r in (USER, ITEM)) else filled


def _begins_with_a_mark(path: Path, layout: TextLayout) -> bool:
    """Whether the first id begins with what Polars takes for a byte order mark."""
    return any(line.startswith("\ufeff") for line in text_head(path)[layout.skipped :][:1])


def read_coded(path: Path, layout: TextLayout) -> Parsed | None:
    """The columns of a plain file by a compiled loop, ids numbered; None where Polars is better.

    Polars is better if it reads the ids as integers, if there are times, or for a few lines.
    """
    whole = layout.separator != BLANKS and all(_look_whole(layout.values(r)) for r in (USER, ITEM))
    if whole or len(layout.separator) > 1 or TIMESTAMP in layout.roles:
        return None
    if path.stat().st_size < _MANY_BYTES:
        return None
    from cranfield.collection.text.parsing import parse

    parsed = parse(path, layout)
    return None if parsed is None or any(map(_is_wide, parsed.ids.values())) else parsed


def _is_wide(column: Coded) -> bool:
    """Whether ids are integers of more digits than `_INTEGER` has."""
    ids = column.ids  # in ascending order
    return not ids.are_text and max(-int(ids[0]), int(ids[-1])) >= 10**18


def _read_fast(path: Path, layout: TextLayout) -> pl.DataFrame | None:
    """The table as Polars reads it; None where the file is not what its start promised."""
    roles = (role for role in (USER, ITEM) if _look_whole(layout.values(role)))
    whole = [layout.roles[role] for role in roles]
    try:
        with reading(path):
            table = _read_plain(path, layout, whole)
            if table is None:
                if holds_lone_returns(path):  # Polars drops one at the end of a field
                    return None
                table = _read_checked(path, layout, whole)
    except UNREADABLE:
        return None
    gaps = [name for name in _gaps(layout) if name in table.columns]
    if any(table[gap].null_count() < len(table) for gap in gaps):
        return None
    if layout.separator == BLANKS and _holds_tabs(table):
        return None
    if layout.complete and any(column.null_count() for column in table.drop(layout.roles.values())):
        return None
    return table.select(layout.roles.values())


def _holds_tabs(table: pl.DataFrame) -> bool:
    """Whether a cell holds what also separates cells where blanks do."""
    texts = table.select(pl.col(pl.String).str.contains("\t", literal=True).any())
    return any(found[0] for found in texts.iter_columns())


def _read_plain(path: Path, layout: TextLayout, whole: list[str]) -> pl.DataFrame | None:
    """The table with some ids read as integers; None if one of them may be more than that."""
    separators = plain_separators(path, layout.separator) if whole else None
    if separators is None:
        return None
    wide, gaps = _types(layout) | dict.fromkeys(whole, pl.Int64()), _gaps(layout)
    # Gaps hold nothing, so they need not be read; but then nor are fields too many.
    places = [at for at, name in enumerate(wide) if name not in gaps] if gaps else None
    for types in (wide | _narrow(wide, layout), wide):
        try:
            table = pl.read_csv(path, schema=types, columns=places, **_form(layout))
        except UNREADABLE:
            continue
        return None if gaps and separators != len(table) * (len(types) - 1) else table
    return None


def _narrow(types: Mapping[str, pl.DataType], layout: TextLayout) -> dict[str, pl.DataType]:
    """The columns of integers that seem to fit 32 bits, which spares memory and so time."""
    whole = [role for role, name in layout.roles.items() if types[name] == pl.Int64]
    fitting = [r for r in whole if all(int(value) < 1 << 31 for value in layout.values(r))]
    return {layout.roles[role]: pl.Int32() for role in fitting}


def _read_checked(path: Path, layout: TextLayout, whole: list[str]) -> pl.DataFrame:
    """The table with some ids read as text, and made integers where all are written so."""
    table = _collected(path, layout, whole)
    verdicts = in_threads(partial(_are_whole, table), whole)
    integers = [name for name, fits in zip(whole, verdicts, strict=True) if fits]
    return table if integers == whole else _collected(path, layout, integers)


def _look_whole(sample: list[str]) -> bool:
    return all(_INTEGER.fullmatch(value) for value in sample)


def _collected(path: Path, layout: TextLayout, whole: list[str]) -> pl.DataFrame:
    """The table with some ids as integers, and how long they were as text."""
    lengths = [pl.col(name).str.len_bytes().alias(name + _LENGTH) for name in whole]
    scanned = pl.scan_csv(path, schema=_types(layout), **_form(layout))
    table = scanned.with_columns(*lengths, pl.col(whole).cast(pl.Int64, strict=False)).collect()
    # In one piece, so that every later look at these ids is free of copies.
    return table.with_columns(table[name].rechunk() for name in whole)


def _form(layout: TextLayout) -> dict[str, Any]:
    """How Polars is to read a file of this layout."""
    return {
        "has_header": False,
        "skip_lines": layout.skipped,
        # Polars separates by one byte: between double colons lies an empty column.
        "separator": layout.separator[0],
        "quote_char": '"' if layout.quoted else None,
        "glob": False,
    }


def _types(layout: TextLayout) -> dict[str, pl.DataType]:
    """The type of every column, in order."""
    types: dict[str, pl.DataType] = {}
    gaps = iter(_gaps(layout))
    by_column = {column: role for role, column in layout.roles.items()}
    for name in layout.names:
        role = by_column.get(name)
        types[name] = pl.String()
        if role in (RATING, SCORE, RANK):
            types[name] = pl.Float64()
        elif role == TIMESTAMP:
            types[name] = _type_of_times(layout.values(TIMESTAMP))
        for gap in islice(gaps, 1):
            types[gap] = pl.Boolean()
    return types


def _gaps(layout: TextLayout) -> list[str]:
    """Names for the empty columns between those of a doubled separator."""
    return [f"{name} gap" for name in layout.names[1:]] if len(layout.separator) > 1 else []


def _type_of_times(sample: list[str]) -> pl.DataType:
    if _look_whole(sample):
        return pl.Int64()
    return pl.Float64() if all(_DECIMAL.fullmatch(value) for value in sample) else pl.String()


def _are_whole(table: pl.DataFrame, name: str) -> bool:
    """Whether every id of a column is an integer, written as integers are."""
    numbers, lengths = table[name], table[name + _LENGTH]
    if numbers.null_count() != lengths.null_count():
        return False
    return are_canonical(numbers.drop_nulls(), lengths.drop_nulls())


def _has_gaps(table: pl.DataFrame, layout: TextLayout) -> bool:
    """Whether a cell is missing, or an id is empty."""
    ids = [table[layout.roles[role]] for role in (USER, ITEM)]
    return any(column.null_count() for column in table) or any(
        column.dtype == pl.String and (column == "").any() for column in ids
    )


def plain_separators(path: Path, separator: str) -> int | None:
    """How many separators a file has if all its numbers are plain; None if they are not.

    They are if no field has a leading zero, a sign, a blank, a quotation mark or a carriage
    return that ends no line: then a field that reads as a whole number is written as that
    number would be. Of a doubled separator, such as ::, both halves count, and they must
    stand two by two. A file that is packed shows nothing, and is not plain.
    """
    total = 0
    for count in in_threads(partial(_look, path, separator), chunks(path.stat().st_size, _PART)):
        if count is None:
            return None
        total += count
    return total


def _look(path: Path, separator: str, part: slice) -> int | None:
    """The separators in a part of a file, if that is plain."""
    block, mark, count = bytearray(_BLOCK + 2), ord(separator[0]), 0
    data, scratch = np.frombuffer(block, np.uint8), np.empty((2, len(block)), np.uint8)
    with path.open("rb", buffering=0) as file:
        # Two bytes of the block before, so that nothing is missed between two blocks; and line
        # ends before the first field of all.
        before = max(part.start - 2, 0)
        file.seek(before)
        block[:2] = (b"\n\n" + file.read(part.start - before))[-2:]
        for piece in chunks(part.stop - part.start, _BLOCK):
            size = file.readinto(memoryview(block)[2 : 2 + piece.stop - piece.start]) or 0
            if any(block.find(sign, 0, size + 2) >= 0 for sign in _UNUSUAL):
                return None
            if lone_returns(block, size + 2):
                return None
            seen, spare = data[: size + 2], scratch[:, : size + 2]
            if _has_leading_zero(seen, mark, spare):
                return None
            separators = np.equal(seen, mark, out=spare[0].view(bool))
            if separator[1:] and _has_odd_run(separators, spare[1].view(bool)):
                return None
            count += int(np.count_nonzero(separators[2:]))
            block[:2] = block[size : size + 2]
    return count


def _has_leading_zero(data: Bytes, separator: int, scratch: Bytes) -> bool:
    """Whether a field starts with a zero and another digit; scratch is overwritten."""
    digits, zeros = scratch.view(bool)
    np.subtract(data, ord("0"), out=scratch[0])
    np.less(scratch[0], 10, out=digits)
    np.equal(data, ord("0"), out=zeros)
    found = zeros[1:-1]
    found &= digits[2:]
    np.greater(found, digits[:-2], out=found)  # and no digit before
    if not found.any():
        return False
    before = data[:-2][found]
    return bool(((before == separator) | (before == ord("\n"))).any())


def _has_odd_run(marks: Flags, scratch: Flags) -> bool:
    """Whether a mark has others on both sides or on neither; scratch is overwritten."""
    odd = np.equal(marks[2:], marks[:-2], out=scratch[1:-1])
    odd &= marks[1:-1]
    return bool(odd.any())
