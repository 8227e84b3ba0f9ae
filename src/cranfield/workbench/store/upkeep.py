"""Keeping a store in order: what it takes, what can go, what is damaged, what is left over."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OutputError, UnreadableFile
from cranfield.workbench.store.entry import ASIDE_NAME, ENTRY_NAME, Damaged, Unreadable, read_entry
from cranfield.workbench.store.locks import trying
from cranfield.workbench.store.unsent import stray_marks

DAY = 24 * 60 * 60
MARK = ".shared-"
"""How the name of a file begins by which workers see whether they have the folder of a driver."""
_LOCK_NAME = re.compile(r"([0-9a-f]{32})\.lock")


@dataclass(frozen=True)
class StoredEntry:
    """One entry's file: when it was last used (seconds since 1970) and the bytes it takes.

    One in a bucket has its place in the local folder, and was last used when it was written.
    """

    kind: str
    used: float
    path: Path
    bytes: int


@dataclass(frozen=True)
class KindSize:
    """What a store holds of one kind, and when any of it was last used."""

    kind: str
    entries: int
    bytes: int
    used: float


@dataclass(frozen=True)
class Removed:
    """What was removed: entries, their bytes, and files that killed processes had left.

    ``unreadable`` counts the entries that could not be read, and stay.
    """

    entries: int = 0
    bytes: int = 0
    leftovers: int = 0
    unreadable: int = 0


def stored_entries(folder: Path) -> list[StoredEntry]:
    """All entries, by kind and the least recently used first; other files are not ours."""
    found = []
    for path in _below(folder, 3):
        if ENTRY_NAME.fullmatch(path.name) and path.name.startswith(path.parent.name):
            with suppress(OSError):  # another process may remove it just now
                facts = path.stat()
                kind = path.parent.parent.name
                found.append(StoredEntry(kind, facts.st_mtime, path, facts.st_size))
    return sorted(found, key=attrgetter("kind", "used", "path"))


def _below(folder: Path, levels: int) -> Iterator[Path]:
    """What lies so many levels below a folder; a folder that may not be read is refused."""
    try:
        inside = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):  # removed meanwhile, or not ours
        return
    except OSError as error:
        raise UnreadableFile(str(folder), f"cannot be read ({error.strerror or error})") from error
    for path in inside:
        yield from [path] if levels == 1 else _below(path, levels - 1)


def sizes(folder: Path) -> list[KindSize]:
    """One row per kind, in alphabetical order."""
    return sizes_of(stored_entries(folder))


def sizes_of(entries: Iterable[StoredEntry]) -> list[KindSize]:
    """The same of entries that come by kind."""
    rows = []
    for kind, group in groupby(entries, key=attrgetter("kind")):
        ours = list(group)
        total = sum(each.bytes for each in ours)
        rows.append(KindSize(kind, len(ours), total, max(each.used for each in ours)))
    return rows


def prune(folder: Path, *, keep: int | None = None, unused: float | None = None) -> Removed:
    """Remove entries not used for ``unused`` days, then the least recently used ones
    until at most ``keep`` bytes are left; all entries if neither is given.

    What killed processes left behind goes in any case.
    """
    removed = _remove(entries_to_prune(stored_entries(folder), keep, unused))
    leftovers = _remove_leftovers(folder)
    for place in sorted(folder.glob("*/??"), reverse=True):
        _remove_empty(place)
    return Removed(removed.entries, removed.bytes, leftovers)


def check(folder: Path) -> Removed:
    """Read every entry and remove those that are damaged."""
    entries = [(each, problem_of(each)) for each in stored_entries(folder)]
    removed = _remove(each for each, problem in entries if isinstance(problem, Damaged))
    unreadable = sum(isinstance(problem, Unreadable) for _, problem in entries)
    return replace(removed, unreadable=unreadable)


def entries_to_prune(
    entries: Iterable[StoredEntry], keep: int | None, unused: float | None
) -> list[StoredEntry]:
    """The entries to remove, out of all there are."""
    if keep is None and unused is None:
        return list(entries)
    oldest = time.time() - unused * DAY if unused is not None else float("-inf")
    room = keep if keep is not None else float("inf")
    going, full = [], False
    for each in sorted(entries, key=attrgetter("used", "path"), reverse=True):
        full = full or each.bytes > room
        if full or each.used < oldest:
            going.append(each)
        else:
            room -= each.bytes
    return going


def _remove(entries: Iterable[StoredEntry]) -> Removed:
    count = total = 0
    for each in entries:
        try:
            each.path.unlink()
        except FileNotFoundError:  # another process was faster
            continue
        except OSError as error:
            raise OutputError(str(each.path), error.strerror or str(error)) from error
        count += 1
        total += each.bytes
    return Removed(count, total)


def problem_of(each: StoredEntry) -> Damaged | Unreadable | None:
    """Why an entry is of no use, if so."""
    try:
        read_entry(each.path, each.kind)
    except FileNotFoundError:  # removed meanwhile by another process
        return None
    except (Damaged, Unreadable) as problem:
        return problem
    return None


def _remove_leftovers(folder: Path) -> int:
    """Remove files aside that nobody is writing, files of locks that nobody holds, and marks."""
    count = _remove_marks(folder)
    _remove_old(stray_marks(folder))
    for path, key in _named(folder.glob("*/??/.*.part"), ASIDE_NAME):
        # Who writes an entry holds its lock, so a free one means that the writer is gone.
        with suppress(OSError), trying(folder, key) as free:
            if free or time.time() - path.stat().st_mtime > DAY:
                path.unlink()
                count += 1
    for _, key in _named(folder.glob("locks/*.lock"), _LOCK_NAME):
        with trying(folder, key):  # giving it back removes its file
            pass
    return count


def _remove_marks(folder: Path) -> int:
    """Remove the marks by which workers recognised the folder, of drivers that were killed."""
    return _remove_old(folder.glob(f"{MARK}*"))


def _remove_old(paths: Iterable[Path]) -> int:
    """Remove files that nobody has touched for a day."""
    count = 0
    for path in list(paths):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > DAY:
                path.unlink()
                count += 1
    return count


def _named(paths: Iterable[Path], pattern: re.Pattern[str]) -> Iterator[tuple[Path, str]]:
    """The files of our naming, each with the key in its name."""
    for path in list(paths):
        if match := pattern.fullmatch(path.name):
            yield path, match[1]


def _remove_empty(place: Path) -> None:
    """Remove a folder of entries and that of its kind, if nothing is in them."""
    with suppress(OSError):
        place.rmdir()
        place.parent.rmdir()
