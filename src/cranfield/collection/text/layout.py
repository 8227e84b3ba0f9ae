"""TextLayout: how a text file is laid out, as stated or as its first lines show."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cranfield.base.errors import CranfieldError, EmptyInput, UnreadableFile
from cranfield.base.packed import PARQUET, ZIP, first_bytes, head
from cranfield.base.schema import ITEM, RATING, RATING_COLUMNS, TIMESTAMP, USER, find_columns

Format = Literal["auto", "csv", "tsv", "dat", "inter", "qrels", "netflix", "parquet"]
"""``csv``: named or positional columns between , ; | or tabs. ``tsv``: between tabs.
``dat``: MovieLens, ``user::item::rating::timestamp``. ``inter``: RecBole, tabs and a header
of ``name:type``. ``qrels``: TREC, ``user 0 item rating`` between blanks. ``netflix``: blocks
of ``item:`` and then ``user,rating,date``. ``auto``: as suffix and content show."""

BLANKS = " "
"""The separator of formats where any run of blanks and tabs separates."""

_TYPED = re.compile(r"\w+:(token|float|token_seq|float_seq)")
_BLOCK = re.compile(r"\d+:")
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


def guess_format(path: Path) -> Format:
    """The format of a file, from its first bytes, its name and its first lines."""
    start = first_bytes(path)
    if start.startswith(PARQUET):
        return "parquet"
    if start.startswith(ZIP):
        raise UnreadableFile(
            str(path), "it is a zip archive", "Unpack it and name the file inside."
        )
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    if name.endswith(".parquet"):
        raise UnreadableFile(str(path), "it is not a Parquet file, although its name says so")
    text = [line for line in text_head(path) if line.strip()]
    if not text:
        raise EmptyInput(str(path))
    if name.endswith(".inter") or all(_TYPED.fullmatch(f) for f in text[0].split()):
        return "inter"
    if _BLOCK.fullmatch(text[0].strip()):
        return "netflix"
    if all("::" in line for line in text):
        return "dat"
    if "qrel" in name or all(_is_judgment(line) for line in text):
        return "qrels"
    return "csv"


def _is_judgment(line: str) -> bool:
    fields = line.split()
    return len(fields) == 4 and fields[1] in ("0", "Q0") and "\t" not in line and "," not in line


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
    found = head(path)
    if any(b"\x00" in line for line in found):
        raise UnreadableFile(str(path), "it is a binary file, not text")
    text = [line.decode("utf-8", errors="replace").rstrip("\r\n") for line in found]
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
        return next(csv.reader([line], delimiter=separator))
    return line.split(separator)


def _separator(format: Format, text: list[str]) -> str:  # noqa: A002
    if format in ("dat", "qrels"):
        return "::" if format == "dat" else BLANKS
    if format in ("tsv", "inter"):
        return "\t"
    filled = [line for line in text if line.strip()]
    for separator in ("\t", ",", ";", "|", " "):
        if all(separator in line for line in filled):
            return separator
    return next((s for s in ("\t", ",", ";", "|") if s in filled[0]), ",")


def _is_quoted(format: Format, separator: str, text: list[str]) -> bool:  # noqa: A002
    """Whether quotes enclose fields; between tabs they are mostly part of the text."""
    if format != "csv" or separator == BLANKS:
        return False
    return separator != "\t" or any(f[:1] == '"' == f[-1:] for f in text[0].split("\t") if f[1:])


def _has_header(records: list[list[str]], columns: Mapping[str, str] | None) -> bool:
    """Whether the first record names columns: usual or given names, or words over numbers."""
    first = records[0]
    if columns and set(columns.values()) <= set(first):
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
