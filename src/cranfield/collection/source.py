"""Source: where ratings come from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from cranfield.base.checking.spelling import Spelled
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFile, OptionError, UnknownOption, shown
from cranfield.base.options import contract, from_table, options, parse
from cranfield.collection.datasets import DATA_SETS, find_data_set
from cranfield.collection.ratings import Duplicates, Ratings
from cranfield.collection.tables.by_user import rated_pairs
from cranfield.collection.tables.locations import names_files


@contract("source")
class Source(Protocol):
    """Where the ratings come from (decision A1)."""

    def read(self) -> Ratings:
        """All ratings of the source."""
        ...


@dataclass(frozen=True, eq=False)
class InMemory:
    """Ratings that are in memory already; records name them by their fingerprint."""

    ratings: Ratings
    name: str = "table"

    def read(self) -> Ratings:
        """The ratings themselves."""
        return self.ratings

    def __str__(self) -> str:
        return f"{self.name}-{self.ratings.fingerprint[:16]}"


def in_memory(
    given: Any,
    *,
    columns: Mapping[str, str] | None = None,
    duplicates: Duplicates = "auto",
    where: str = "table",
) -> InMemory:
    """A source of what was given in Python: ratings as they are, any table of them,
    ``{user: {item: rating}}``, or Qrels of ranx. Messages call a table ``where``.
    """
    if not isinstance(given, Ratings):
        pairs = rated_pairs(given)
        frame = given if pairs is None else pairs
        return InMemory(Ratings.from_frame(frame, columns, duplicates, where=where))
    if columns or duplicates != "auto":
        raise OptionError(
            "Ratings have neither columns to be named nor duplicates: leave both out."
        )
    return InMemory(given)


def read_ratings(
    name: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    duplicates: Duplicates = "auto",
    **parameters: Any,
) -> Ratings:
    """The ratings that a name stands for: a file, a source as spelled, or a known data set.

    A path that exists, a pattern that some file matches or an address is a file;
    ``simulated(size=small)`` is a source; ``ml-1m`` is a data set. Columns, duplicates and
    further parameters (``format``, ``values``, …) are those of the source; a spelled source
    holds them in its brackets.
    """
    if columns:
        parameters["columns"] = columns
    if duplicates != "auto":
        parameters["duplicates"] = duplicates
    return source_of(name, **parameters).read()


def source_of(name: str | Path, **parameters: Any) -> Source:
    """The source that a name stands for, as `read_ratings` reads it."""
    text = str(name)
    if names_files(text):
        return _made("file", path=text, **parameters)
    if find_data_set(text) is not None:
        return _made("dataset", set_=text, **parameters)
    try:
        chosen: Source = parse("source", text)
    except UnknownOption:
        if "(" in text:
            raise
    except OptionError:
        if text.partition("(")[0].strip() in options("source"):
            raise
    else:
        if parameters:
            listed = ", ".join(parameters)
            raise OptionError(f"{text}: give {listed} inside the brackets of the source.")
        return chosen
    raise MissingFile(text, known=[*DATA_SETS, *options("source")])


def _made(option: str, **parameters: Any) -> Source:
    made: Source = from_table("source", {"name": option, **parameters})
    return made


def read_part(given: Any, where: str = "table") -> Any:
    """A part by its name or as a source; ratings and tables in memory become one.

    Messages call a table ``where``.
    """
    named = isinstance(given, Mapping) and "name" in given
    if given is None or named or isinstance(given, str | Spelled) or hasattr(given, "read"):
        return given
    if isinstance(given, Path):
        return str(given)
    if isinstance(given, bool | int | float | list | tuple):
        raise OptionError(f"{shown(given)} is not a file, a data set's name, a source or a table.")
    return in_memory(given, where=where)


def source_of_part(part: Any) -> Source:
    """What reads one part: a file or data set by its name, or a source."""
    if isinstance(part, str | Spelled):
        return source_of(str(part))
    source: Source = from_table("source", part) if isinstance(part, Mapping) else part
    return source
