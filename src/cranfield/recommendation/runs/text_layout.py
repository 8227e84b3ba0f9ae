"""How runs lie in text files: TREC, three columns, or a header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from cranfield.base.errors import CranfieldError, MissingColumn, UnreadableFile
from cranfield.base.schema import (
    ITEM,
    RANK,
    RATING,
    SCORE,
    SYSTEM,
    TIMESTAMP,
    USER,
    columns_for,
    find_columns,
)
from cranfield.collection.text.layout import (
    BLANKS,
    TextLayout,
    distinct_names,
    filled_head,
    is_number,
    sample_of,
)

RunFormat = Literal["auto", "trec", "tsv", "csv", "recbole", "parquet", "json"]
"""``trec``: ``user Q0 item rank score tag`` between blanks or tabs. ``tsv``: user, item and
score between tabs, as Elliot writes them, or a header and tabs. ``csv``: a header of usual
names, as LensKit and RecTools write them, or user, item and score. ``recbole``: tabs and a
header of ``name:type``. ``parquet``: columns of usual names, also of lists. ``json``: a record
on each line, or one document. ``auto``: as the content shows."""

NAMES = {3: (USER, ITEM, SCORE), 6: (USER, "iteration", ITEM, RANK, SCORE, SYSTEM)}
"""The columns of a file without a header, by their number."""

WHAT = "ranked items"


def roles_of(
    names: tuple[str, ...],
    columns: Mapping[str, str] | None,
    where: str,
    *,
    ordered: bool = False,
) -> dict[str, str]:
    """For each role of a run's table, the column that plays it.

    A score or a rank is needed, unless rows are ``ordered``. Where there is neither, a rating
    is the score, as in RePlay; but not beside a time, which only ratings have.
    """
    optional = (SCORE, RANK, SYSTEM)
    roles = find_columns(names, (USER, ITEM), columns, optional=optional, where=where)
    if SCORE in roles or RANK in roles:
        return roles
    ratings = [name for name in columns_for(RATING, names) if name.casefold() == RATING]
    if len(ratings) == 1 and not columns_for(TIMESTAMP, names):
        return {**roles, SCORE: ratings[0]}
    if not ordered:
        raise MissingColumn(where, SCORE, names)
    return roles


def without_ranks(layout: TextLayout) -> TextLayout:
    """The same layout where ranks, if there are scores, play no role."""
    roles = {role: name for role, name in layout.roles.items() if role != RANK}
    return replace(layout, roles=roles) if SCORE in roles else layout


def layout_of_run(
    path: Path,
    format: RunFormat,  # noqa: A002
    columns: Mapping[str, str] | None,
) -> TextLayout:
    """How the file is laid out, as stated or as its first lines show."""
    first, text = filled_head(path, WHAT)
    separator = _separator(text[0], format)
    quoted = separator in (",", ";")
    records = sample_of(text, separator, quoted)
    header = format != "trec" and _is_header(records[0], columns)
    names = _names(records[0], header, f"{path}, line {first + 1}", format)
    roles = roles_of(names, columns, str(path))
    sample = tuple(map(tuple, records[header:]))
    return TextLayout(separator, names, roles, first + header, quoted, sample, complete=True)


def _separator(line: str, format: RunFormat) -> str:  # noqa: A002
    if format == "trec" or (format == "auto" and _is_trec(line)):
        return "\t" if line.count("\t") == 5 else BLANKS
    if format in ("tsv", "recbole"):
        return "\t"
    return next((s for s in ("\t", ",", ";") if s in line), BLANKS)


def _is_trec(line: str) -> bool:
    """Whether a line has six fields as TREC has them, and not three between tabs."""
    fields, between_tabs = line.split(), line.split("\t")
    if len(between_tabs) == 3 and is_number(between_tabs[2]):
        return False
    return len(fields) == 6 and fields[1] in ("Q0", "0") and is_number(fields[4])


def _is_header(fields: list[str], columns: Mapping[str, str] | None) -> bool:
    """Whether a line names columns: it has a given or usual name, and no number."""
    if any(is_number(field) for field in fields):
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
        return distinct_names([_plain(field) for field in fields])
    if len(fields) not in NAMES or (format == "trec" and len(fields) != 6):
        wanted = "6 (user Q0 item rank score tag)"
        if format != "trec":
            wanted = f"3 (user, item, score) or {wanted}, or a header with their names"
        problem = f"there are {len(fields)} columns"
        raise UnreadableFile(where, problem, f"A run has {wanted}.")
    return NAMES[len(fields)]
