"""Well-known data sets by name: what they are, under which terms, and where they are found."""

from __future__ import annotations

import os
import tomllib
from collections import UserDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields
from functools import cached_property
from importlib.resources import files as package_files
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import IncompleteDataSet
from cranfield.base.options import fold

DATA_VARIABLE = "CRANFIELD_DATA"
CACHE_VARIABLE = "CRANFIELD_CACHE"
REGISTRY = "registry.toml"
"""The file that holds all facts."""

_PACKED = ("", ".gz", ".zst")
_BEFORE, _AFTER = ("ratings.parquet",), ("ratings.csv", "ratings.tsv")
"""Converted files that are read rather than the publisher's, and those that are not."""


class Size(NamedTuple):
    """How large a data set is; ratings are rows, which of a log are events."""

    users: int
    items: int
    ratings: int


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """One published data set of ratings.

    ``url`` is its official address, None where it is not to be had directly. ``checksum``
    is what ``checksum_source`` states, as ``md5:…`` or ``sha256:…``, for the file
    ``checksum_of``, by default the one at the address; None where nobody does. ``files`` are
    the publisher's files of ratings, with their folders in the archive.
    """

    name: str
    title: str
    terms: str
    citation: str
    reference: str
    """The key of the citation in the BibTeX that ships."""
    home: str
    obtain: str
    layout: str
    """Who documents how the files are laid out."""
    files: tuple[str, ...]
    size: Size | None = None
    size_source: str
    url: str | None = None
    checksum: str | None = None
    checksum_of: str = ""
    checksum_source: str = ""
    """Who states the checksum: the publisher, or else one who is named."""
    aliases: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    """Other data sets in whose folders its files may lie."""
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the source ``file`` that the publisher's own files need."""
    note: str = ""

    @property
    def file_names(self) -> tuple[str, ...]:
        """The publisher's files of ratings, without the folders of the archive."""
        return tuple(PurePosixPath(each).name for each in self.files)

    def find(self) -> tuple[Path, ...]:
        """The files of ratings where they lie already, packed or not; none if nowhere.

        Some of them without the others are refused.
        """
        return next(self._found(), ())

    def _found(self) -> Iterator[tuple[Path, ...]]:
        """Where the files lie: in folders of its name, of its kin, and as archives unpack."""
        for root in _roots():
            for name in (self.name, *self.aliases):
                yield from self._in_folder(root / name)
            for name in (alias for each in self.within for alias in _names(each)):
                yield from self._own_files(root / name)
            if all("/" in each for each in self.files):
                yield from self._own_files(root, flat=False)

    def _in_folder(self, folder: Path) -> Iterator[tuple[Path, ...]]:
        yield from _converted(folder, _BEFORE)
        yield from self._own_files(folder)
        yield from _converted(folder, _AFTER)

    def _own_files(self, folder: Path, *, flat: bool = True) -> Iterator[tuple[Path, ...]]:
        """The publisher's files in a folder, by themselves or as in the archive."""
        wanted = list(zip(self.file_names, self.files, strict=True))
        found = [_existing(folder, [path, *([name] if flat else [])]) for name, path in wanted]
        lacking = [name for name, path in zip(self.file_names, found, strict=True) if not path]
        if not lacking:
            yield tuple(path for path in found if path)
        elif len(lacking) < len(found):
            raise IncompleteDataSet(self.name, str(folder), lacking, self.obtain)

    def are_own(self, paths: Sequence[Path]) -> bool:
        """Whether files are the publisher's, rather than a converted one."""
        return tuple(_unpacked_name(path) for path in paths) == self.file_names

    def places(self) -> list[Path]:
        """The folders that are there and are called as it is."""
        named = (root / name for root in _roots() for name in (self.name, *self.aliases))
        return [folder for folder in named if folder.is_dir()]


def cache_folder() -> Path:
    """Where downloads are kept: ``$CRANFIELD_CACHE``, else ``~/.cache/cranfield``."""
    given = os.environ.get(CACHE_VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "cranfield"


def find_data_set(name: str) -> DataSet | None:
    """The data set of a name or alias, however it is hyphenated; None if there is none.

    >>> find_data_set("ML_1M").title
    'MovieLens 1M'
    """
    wanted = fold(name)
    return next((s for s in DATA_SETS.values() if wanted in map(fold, (s.name, *s.aliases))), None)


def _roots() -> list[Path]:
    """The folders that hold data sets: that of the user first, then the cache."""
    given = os.environ.get(DATA_VARIABLE)
    return [*([Path(given)] if given else []), cache_folder()]


def _names(name: str) -> tuple[str, ...]:
    return (name, *DATA_SETS[name].aliases)


def _existing(folder: Path, names: Sequence[str]) -> Path | None:
    every = (folder / (name + packed) for name in names for packed in _PACKED)
    return next((path for path in every if path.exists()), None)


def _converted(folder: Path, names: Sequence[str]) -> Iterator[tuple[Path, ...]]:
    path = _existing(folder, names)
    if path is not None:
        yield (path,)


def _unpacked_name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".zst")


def read_registry(text: str) -> dict[str, DataSet]:
    """The data sets of a registry in TOML; one that is like another has its facts, too."""
    tables = tomllib.loads(text)
    shared: dict[str, Any] = tables.get("like", {})
    return {name: _data_set(name, table, shared, tables) for name, table in tables["sets"].items()}


def _data_set(
    name: str, table: Mapping[str, Any], shared: Mapping[str, Any], tables: Mapping[str, Any]
) -> DataSet:
    facts = dict(table)
    while (like := facts.pop("like", None)) is not None:
        base = shared[like] if like in shared else tables["sets"][like]
        facts = {**base, "like": base.get("like"), **facts}
    part = str(facts.pop("part", ""))
    known = {each.name for each in fields(DataSet)}
    assert set(facts) <= known, f"{REGISTRY}, {name}: {set(facts) - known}"
    facts["size"] = Size(*facts["size"]) if "size" in facts else None
    return DataSet(name=name, **{key: _filled(value, part) for key, value in facts.items()})


def _filled(value: Any, part: str) -> Any:
    """A fact with the part in its place; lists become tuples."""
    if isinstance(value, str):
        return value.replace("{part}", part)
    if isinstance(value, list):
        return tuple(_filled(each, part) for each in value)
    return value


class _Registry(UserDict[str, DataSet]):
    """The data sets of the registry that ships, which is read when one is first looked for."""

    def __init__(self) -> None:
        """Nothing is read yet."""

    @cached_property
    def data(self) -> dict[str, DataSet]:  # type: ignore[override]
        """The data sets by name."""
        text = package_files("cranfield.collection").joinpath(REGISTRY).read_text("utf-8")
        return read_registry(text)


DATA_SETS = _Registry()
"""All data sets that are known by name."""
