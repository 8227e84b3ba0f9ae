"""RatingTable: what was read from a file, before it becomes ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnreadableFile
from cranfield.base.ids import Coded
from cranfield.base.packed import first_line, reading
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import ITEM, RATING, RATING_COLUMNS, TIMESTAMP, USER, find_columns
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.sources.json_lines import read_json_lines
from cranfield.collection.sources.netflix import netflix_files, nth_rating, read_netflix
from cranfield.collection.sources.rows import is_rows, read_rows
from cranfield.collection.tables.addresses import reading_address
from cranfield.collection.tables.columns import rated
from cranfield.collection.text.exact import line_of
from cranfield.collection.text.fast import read_coded, read_delimited
from cranfield.collection.text.guess import guess_format
from cranfield.collection.text.layout import Format, layout_of


@dataclass(frozen=True, eq=False)
class RatingTable:
    """The columns of a file that play a role, under the names they have there."""

    frame: pl.DataFrame
    roles: Mapping[str, str]
    line_of: Callable[[int], int] | None = None
    """The line of a row, where the file has lines."""
    ids: Mapping[str, Coded] = field(default_factory=dict)
    """Users and items, by their roles, if they are numbered already and not in the frame."""

    def ratings(self, duplicates: Duplicates, where: str) -> Ratings:
        """The ratings that the table holds."""
        if not self.ids:
            return Ratings.from_frame(self.frame, self.roles, duplicates, where, self.line_of)
        values, _ = rated(self.frame, self.roles, where, self.line_of)
        ids = self.ids[USER], self.ids[ITEM]
        return Ratings.from_codes(*ids, values, duplicates, where=where, line_of=self.line_of)

    def counted(self) -> RatingTable:
        """One row per pair and the number of its rows as rating; the latest time is kept."""
        user, item = self.roles[USER], self.roles[ITEM]
        time = self.roles.get(TIMESTAMP)
        latest = [pl.col(time).max().alias(TIMESTAMP)] if time else []
        frame = self.frame.group_by(pl.col(user).alias(USER), pl.col(item).alias(ITEM)).agg(
            pl.len().alias(RATING), *latest
        )
        return RatingTable(frame, {name: name for name in frame.columns})


def read_table(
    path: Path,
    format: Format,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    header: bool | None = None,
    *,
    coded: bool = False,
) -> RatingTable:
    """The table in a file, or in a folder of Netflix Prize files.

    With ``coded`` its ids may come numbered, if that is faster.
    """
    if path.is_dir():
        return RatingTable(read_netflix(netflix_files(path)), _BY_ROLE)
    chosen = guess_format(path) if format == "auto" else format
    if chosen == "parquet":
        return _read_parquet(path, columns)
    if chosen == "netflix":
        return RatingTable(read_netflix([path]), _BY_ROLE, partial(nth_rating, path))
    if chosen == "jsonl" or is_rows(chosen):
        read = read_rows(path, chosen) if is_rows(chosen) else read_json_lines(path, columns)
        return RatingTable(*read)
    layout = layout_of(path, chosen, columns, header)
    lines = partial(line_of, path, layout)
    parsed = read_coded(path, layout) if coded else None
    if parsed is not None:
        return RatingTable(parsed.frame(layout), layout.roles, lines, parsed.ids)
    return RatingTable(read_delimited(path, layout), layout.roles, lines)


_BY_ROLE = {role: role for role in RATING_COLUMNS}


def _read_parquet(path: Path, columns: Mapping[str, str] | None) -> RatingTable:
    try:
        with reading(path):
            return _selected(pl.scan_parquet(path, glob=False), columns, str(path))
    except UNREADABLE:
        problem = "it is not a whole Parquet file"
        raise UnreadableFile(str(path), problem, "Download or create the file again.") from None


def read_address(address: str, columns: Mapping[str, str] | None) -> RatingTable:
    """The Parquet table at an address such as s3://bucket/ratings/*.parquet, read by Polars."""
    with reading_address(address):
        return _selected(pl.scan_parquet(address), columns, address)


def read_partitioned(
    files: Sequence[Path], columns: Mapping[str, str] | None, where: str
) -> RatingTable:
    """The table of Parquet files in folders such as year=2024, which tell columns too."""
    try:
        with reading(Path(where)):
            scanned = pl.scan_parquet(list(files), glob=False, hive_partitioning=True)
            return _selected(scanned, columns, where)
    except UNREADABLE as error:
        problem = f"its Parquet files are not parts of one table ({first_line(error)})"
        raise UnreadableFile(where, problem) from None


def _selected(scanned: pl.LazyFrame, columns: Mapping[str, str] | None, where: str) -> RatingTable:
    """The columns of a Parquet table that play a role."""
    names = scanned.collect_schema().names()
    roles = find_columns(names, (USER, ITEM), columns, optional=(RATING, TIMESTAMP), where=where)
    return RatingTable(scanned.select(roles.values()).collect(), roles)
