"""TextLayout: how a text file is laid out, as stated or as its first lines show."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError, EmptyInput, UnreadableFile
from cranfield.base.packed import head
from cranfield.base.schema import ITEM, RATING, RATING_COLUMNS, TIMESTAMP, USER, find_columns

Format = Literal[
    "auto", "csv", "tsv", "dat", "inter", "qrels", "netflix", "lists", "citeulike", "matrix",
    "jester", "jsonl", "parquet",
]  # fmt: skip
"""``csv``: named or positional columns between , ; | or tabs. ``tsv``: between tabs.
``dat``: MovieLens, ``user::item::rating::timestamp``. ``inter``: RecBole, tabs and a header
of ``name:type``. ``qrels``: TREC, ``user 0 item rating`` between blanks. ``netflix``: blocks
of ``item:`` and then ``user,rating,date``. ``lists``: LightGCN, ``user item item …`` between
blanks. ``citeulike``: the same, but a line begins with how many items there are, and users are
numbered from 0. ``matrix``: a line of ratings for each user, one for each item, 0 where there is
none; both are numbered from 1. ``jester``: the same, but a line begins with how many ratings there
are, and 99 is none. ``jsonl``: an object of JSON, or of Python, in each line. ``auto``: as suffix
and content show; of lists and matrices it knows none."""

BLANKS = " "
"""The separator of formats where any run of blanks and tabs separates."""
SEPARATORS = ("\t", ",", ";", "|", BLANKS)
"""What may separate columns, the likeliest first."""

_DEFINITIONS = (".toml", ".yaml", ".yml")
"""Suffixes of definitions, which no table is called by."""
_POSITIONAL = (USER, ITEM, RATING, TIMESTAMP)


@dataclass(frozen=True)
class TextLayout:
    """How records lie in a text file, and which columns play which role."""

    separator: str
    names: tuple[str, ...]
    roles: Mapping[str, str]
    skipped: int
    """Lines before the first record: the header and blank lines above it."""
    quoted: bool
    sample: tuple[tuple[str, ...], ...]
    """The fields of the first records."""
    complete: bool = False
    """Whether a record without its last fields is refused, even if they play no role."""

    def values(self, role: str) -> list[str]:
        """What the sample holds in the column of a role."""
        at = self.names.index(self.roles[role])
        return [record[at] for record in self.sample if len(record) > at]


def layout_of(
    path: Path,
    format: Format,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    header: bool | None = None,
) -> TextLayout:
    """How a file of a known format is laid out."""
    first, text = filled_head(path)
    separator = _separator(format, text)
    quoted = _is_quoted(format, separator, text)
    records = sample_of(text, separator, quoted)
    if format == "inter":
        header = True
    elif format in ("dat", "qrels"):
        header = False
    elif header is None:
        header = _has_header(records, columns)
    names = _names(format, records[0], header)
    roles = columns if columns or header else _by_position(format, names)
    found = find_columns(names, (USER, ITEM), roles, optional=(RATING, TIMESTAMP), where=str(path))
    sample = tuple(map(tuple, records[1:] if header else records))
    return TextLayout(separator, names, found, first + 1 if header else first, quoted, sample)


def _whole_records(text: Sequence[str], separator: str) -> list[list[str]]:
    """The records of some lines, whose quotes may go over lines; the last may be cut off then."""
    read = csv.reader([f"{line}\n" for line in text], delimiter=separator)
    try:
        records = [fields for fields in read if fields]
    except csv.Error:  # a carriage return within a line, which is part of its field
        return sample_of(text, separator, quoted=True)
    return records[:-1] if len(records) > 1 and "\n" in "".join(records[-1]) else records


def filled_head(path: Path, what: str = "ratings") -> tuple[int, list[str]]:
    """How many blank lines a file begins with, and its first lines after them."""
    text = text_head(path)
    for at, line in enumerate(text):
        if line.strip():
            return at, text[at:]
    raise EmptyInput(str(path), what)


def sample_of(text: Sequence[str], separator: str, quoted: bool) -> list[list[str]]:
    """The fields of some lines; blank lines have none and are left out."""
    return [fields for line in text if (fields := split(line, separator, quoted))]


def text_head(path: Path) -> list[str]:
    """The first lines as text, without their ends and without a byte order mark."""
    if path.suffix.lower() in _DEFINITIONS:
        problem = "by its suffix it is a definition, where ratings or ranked lists are expected"
        raise UnreadableFile(str(path), problem, "`cranfield run` executes it.")
    found = head(path)
    if any(b"\x00" in line for line in found):
        raise UnreadableFile(str(path), "it is a binary file, not text")
    text = [line.decode("utf-8", errors="replace").rstrip("\r\n") for line in found]
    if text and "\r" in text[0] and '"' not in text[0]:
        problem = "its lines end in carriage returns alone"
        raise UnreadableFile(str(path), problem, "Convert the file, as in: tr '\\r' '\\n'")
    if text:
        text[0] = text[0].removeprefix("\ufeff")
    return text


def split(line: str, separator: str, quoted: bool) -> list[str]:
    """The fields of one line; none of a blank line."""
    if not line.strip():
        return []
    if separator == BLANKS:
        return line.split()
    if quoted:
        # What is no record by itself, such as the start of one, is still to be looked at.
        with suppress(csv.Error):
            return next(csv.reader([line], delimiter=separator))
    return line.split(separator)


def _separator(format: Format, text: list[str]) -> str:  # noqa: A002
    if format in ("dat", "qrels"):
        return "::" if format == "dat" else BLANKS
    if format in ("tsv", "inter"):
        return "\t"
    filled = [line for line in text if line.strip()]
    found = [each for each in SEPARATORS if all(each in line for line in filled)]
    if found:
        return next((each for each in found if fits(filled, each) > 0), found[0])
    # A record may go over several lines, the first one too.
    rated = [each for each in SEPARATORS[:-1] if fits(filled, each) > 0]
    return (rated or [each for each in SEPARATORS[:-1] if each in filled[0]] or [","])[0]


def fits(text: Sequence[str], separator: str) -> int:
    """1 if lines are columns that hold ratings, 0 if other columns, −1 if they are none.

    They are columns if all have the same number of fields and quotes stand at the ends of
    fields alone, and hold ratings if the third of them are all numbers.
    """
    quoted = separator in (",", ";", "|")
    if quoted and _has_stray_quote(text, separator):
        return -1
    records = _whole_records(text, separator) if quoted else sample_of(text, separator, False)
    if not records or len(records[0]) < 2 or len({len(fields) for fields in records}) > 1:
        return -1
    return int(len(records[0]) > 2 and all(is_number(fields[2]) for fields in records))


def _has_stray_quote(text: Sequence[str], separator: str) -> bool:
    """Whether a quote stands within a field that does not begin with one."""
    inside, before = False, separator
    for char in "\n".join(text):
        if char == '"' and not inside and before not in (separator, "\n", '"'):
            return True
        inside ^= char == '"'
        before = char
    return False


def _is_quoted(format: Format, separator: str, text: list[str]) -> bool:  # noqa: A002
    """Whether quotes enclose fields; between tabs only if they do so in every line."""
    if format != "csv" or separator == BLANKS:
        return False
    filled = [line.split("\t") for line in text if line.strip()]
    return separator != "\t" or all(
        any(field[:1] == '"' == field[-1:] for field in fields if field[1:]) for fields in filled
    )


def _has_header(records: list[list[str]], columns: Mapping[str, str] | None) -> bool:
    """Whether the first record names columns: usual or given names, or words over numbers."""
    first = records[0]
    if columns and {name for name in columns.values() if name} <= set(first):
        return True
    if any(is_number(field) for field in first):
        return False
    if len(records) == 1 or any(is_number(field) for field in records[1]):
        return True
    try:
        find_columns(first, (USER, ITEM))
    except CranfieldError:
        return False
    return True


def is_number(field: str) -> bool:
    """Whether a field is written as a number, which may be infinite or NaN."""
    try:
        float(field)
    except ValueError:
        return False
    return field.isascii() and "_" not in field


def distinct_names(fields: Sequence[str]) -> tuple[str, ...]:
    """Names of columns; one that stands to the left already gets its place added."""
    return tuple(n if n not in fields[:at] else f"{n} ({at + 1})" for at, n in enumerate(fields))


def _names(format: Format, first: list[str], header: bool) -> tuple[str, ...]:  # noqa: A002
    if format == "qrels":
        return (USER, "iteration", ITEM, RATING)
    if format == "dat" and len(first) <= len(RATING_COLUMNS):
        return RATING_COLUMNS[: len(first)]
    if not header:
        return tuple(f"column_{number}" for number in range(1, len(first) + 1))
    plain = [field.strip().partition(":")[0] if format == "inter" else field for field in first]
    return distinct_names(plain)


def _by_position(format: Format, names: tuple[str, ...]) -> dict[str, str]:  # noqa: A002
    """Roles of columns without names: user, item, rating, timestamp, in this order."""
    if format in ("dat", "qrels"):
        return {}
    return dict(zip(_POSITIONAL, names, strict=False))
