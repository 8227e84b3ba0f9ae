"""A file of ratings in any of the formats that the field uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFile, OptionError, UnreadableFile
from cranfield.base.options import option, parameter
from cranfield.base.packed import exists
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.source import Source
from cranfield.collection.sources.netflix import netflix_files
from cranfield.collection.sources.parts import join_parts, ratings_of_parts
from cranfield.collection.sources.play_counts import rate_plays
from cranfield.collection.sources.rows import RowFormat
from cranfield.collection.sources.table import (
    RatingTable,
    read_address,
    read_partitioned,
    read_table,
)
from cranfield.collection.tables.addresses import holds_parquet, local_copies
from cranfield.collection.tables.locations import (
    is_address,
    matching_files,
    part_files,
    partitioned_files,
)
from cranfield.collection.text.layout import Format

Values = Literal["ratings", "plays", "events"]
"""What a row says: a rating; how often the item was played; or that it was played once."""

_RATINGS_FILES = ("ratings.parquet", "ratings.csv", "ratings.tsv", "ratings.dat", "u.data")


@option("source", "file")
@dataclass(frozen=True, kw_only=True)
class File(Source):
    """Reads a file: MovieLens, Netflix Prize, RecBole, TREC qrels, CSV, TSV, JSON or Parquet.

    Packed files (.gz, .zst) are read as they are. A pattern such as ``part-*.parquet``, or a
    folder of such parts, is read as one table; so is a folder of Parquet divided by columns
    (``year=2024/part-0.parquet``), and an address such as
    ``s3://bucket/ratings/*.parquet`` or ``https://host/ratings.csv``, from which Polars fetches
    it. Columns are found by their usual names,
    or by position (user, item, rating, timestamp) in text without a header, where they are
    called ``column_1``, ``column_2``, … and those named are the only ones used. Without a
    rating column every row counts 1; a role that is given no name, as in {timestamp: ""}, is
    left out. Ids stay as they are written: only a column of plain
    integers is read as integers.

    With ``duplicates=events`` the file is a log, of plays for example: a split divides its
    rows one by one, and each part counts its own, so that relevance is a number of plays
    in test (bellogin2017 §3.3, Last.fm). A file with times and without ratings is a log by
    itself where pairs occur repeatedly. ``duplicates=sum`` counts before the split.
    """

    path: str = parameter(text="The file, a folder or pattern of files, or an address.")
    format: Format = parameter("auto", "The format; auto recognises it by suffix and content.")
    columns: Mapping[str, str] | None = parameter(
        None,
        "The columns by role, as in {user_id: who, item_id: what}; by default, they are found "
        "by their usual names.",
    )
    header: bool | None = parameter(
        None, "Whether the first line of text names the columns; none decides by content."
    )
    duplicates: Duplicates = parameter(
        "auto",
        "What happens to repeated pairs: one rating, their sum or all events is kept; auto "
        "keeps the events of a log and refuses others.",
    )
    values: Values = parameter(
        "ratings",
        "What values are: ratings; plays, counts mapped to 1–5; events, numbers of rows mapped "
        "to 1–5.",
    )

    def __post_init__(self) -> None:
        if self.duplicates == "events" and self.values != "ratings":
            raise OptionError(
                f"file: values = {self.values} maps counts to ratings before a split, and "
                "duplicates = events counts after it. Leave out one of them."
            )
        if self.format in get_args(RowFormat) and (self.columns or self.header is not None):
            raise OptionError(
                f"file: format = {self.format} has no named columns and no header. Leave out "
                "columns and header."
            )

    def read(self) -> Ratings:
        """All ratings of the file, of all files that the path means, or at the address."""
        if is_address(self.path):
            return self._read_address()
        path = Path(self.path).expanduser()
        parts = matching_files(str(path)) if not exists(path) else _parts(path)
        if parts:
            return self.read_files(parts, str(path))
        divided = partitioned_files(path) if path.is_dir() else []
        if divided:
            return self._rated(read_partitioned(divided, self.columns, str(path)), str(path))
        return self._read_file(_the_file(path))

    def _read_address(self) -> Ratings:
        """The ratings at an address: Parquet as Polars reads it, text as files here are read."""
        if self.format == "parquet" or (self.format == "auto" and holds_parquet(self.path)):
            return self._rated(read_address(self.path, self.columns), self.path)
        with local_copies(self.path, "ratings") as files:
            if len(files) == 1:
                return self._read_file(files[0])
            return self.read_files(files, self.path)

    def _read_file(self, path: Path) -> Ratings:
        coded = self.values != "events"
        table = read_table(path, self.format, self.columns, self.header, coded=coded)
        return self._rated(table, str(path))

    def read_files(self, paths: Sequence[Path], where: str) -> Ratings:
        """All ratings of several files, which are parts of one table."""
        tables = [read_table(each, self.format, self.columns, self.header) for each in paths]
        if self.values == "ratings":
            return ratings_of_parts(tables, paths, self.duplicates, where)
        return self._rated(join_parts(tables, paths, where), where)

    def _rated(self, table: RatingTable, where: str) -> Ratings:
        """The ratings of a table, as ``values`` says that its rows are to be read."""
        if self.values == "ratings":
            return table.ratings(self.duplicates, where)
        counted = table.counted() if self.values == "events" else table
        repeated = "refuse" if self.duplicates == "auto" else self.duplicates
        return rate_plays(counted.ratings(repeated, where), where)


def _parts(path: Path) -> list[Path]:
    """The parts in a folder without a file of ratings; none for anything else."""
    if not path.is_dir() or netflix_files(path) or _ratings_file(path):
        return []
    return part_files(path)


def _the_file(path: Path) -> Path:
    """The path itself, or the file of ratings in the folder that it names."""
    if not exists(path):
        raise MissingFile(str(path))
    if not path.is_dir() or netflix_files(path):
        return path
    found = _ratings_file(path)
    if found is None:
        problem = (
            f"it is a folder without a file called {', '.join(_RATINGS_FILES)}, and it does not "
            "hold the parts of a table"
        )
        remedy = "Name the file of ratings in it, or its files by a pattern such as part-*.parquet."
        raise UnreadableFile(str(path), problem, remedy)
    return found


def _ratings_file(folder: Path) -> Path | None:
    """The file in a folder that is called as files of ratings are."""
    packed = ("", ".gz", ".zst")
    named = [folder / (name + suffix) for name in _RATINGS_FILES for suffix in packed]
    return next((file for file in named if file.is_file()), None)
