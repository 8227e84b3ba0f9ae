"""Keeping a bucket in order, and with it its local copies."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from cranfield.base.errors import OutputError, UnreadableFile
from cranfield.workbench.store import upkeep
from cranfield.workbench.store.bucket import Bucket, BucketFile, Unavailable
from cranfield.workbench.store.entry import Damaged, Unreadable
from cranfield.workbench.store.upkeep import DAY, KindSize, Removed, StoredEntry

_TOGETHER = 500
"""Files that are removed at a time."""


def sizes(bucket: Bucket) -> list[KindSize]:
    """One row per kind, in alphabetical order; the last use is the last writing."""
    with _read(bucket) as files:
        return upkeep.sizes_of(_entries(bucket, files))


def prune(bucket: Bucket, *, keep: int | None = None, unused: float | None = None) -> Removed:
    """Remove entries as from a folder, but by when they were written; then local copies.

    Copies of what was removed go, and others as from any folder.
    """
    with _read(bucket) as files:
        going = upkeep.entries_to_prune(_entries(bucket, files), keep, unused)
        left = [each for each in files if not each.is_entry and time.time() - each.written > DAY]
    _remove(bucket, [_name(bucket, each.path) for each in going])
    _remove(bucket, [each.name for each in left])
    local = upkeep.prune(bucket.folder, keep=keep, unused=unused)
    return Removed(len(going), sum(each.bytes for each in going), len(left) + local.leftovers)


def check(bucket: Bucket) -> Removed:
    """Download and read every entry, and remove those that are damaged, here and there.

    The copy of an entry that is damaged in the bucket goes as well, so that it is made anew.
    """
    with _read(bucket) as files:
        entries = _entries(bucket, files)
        problems = [(each, _problem(bucket, each)) for each in entries]
    damaged = [each for each, problem in problems if isinstance(problem, Damaged)]
    _remove(bucket, [_name(bucket, each.path) for each in damaged])
    local = upkeep.check(bucket.folder)
    unreadable = sum(isinstance(problem, Unreadable) for _, problem in problems)
    return Removed(
        len(damaged) + local.entries,
        sum(each.bytes for each in damaged) + local.bytes,
        unreadable=unreadable + local.unreadable,
    )


@contextmanager
def _read(bucket: Bucket) -> Iterator[list[BucketFile]]:
    """All files of a bucket; one that cannot be read is refused."""
    bucket.connect()
    try:
        yield bucket.files()
    except (Unavailable, FileNotFoundError) as problem:
        raise UnreadableFile(bucket.address.shown, f"cannot be read ({problem})") from None


def _entries(bucket: Bucket, files: Sequence[BucketFile]) -> list[StoredEntry]:
    """The entries, by kind and the longest ago written first."""
    found = [
        StoredEntry(
            each.name.partition("/")[0], each.written, bucket.folder / each.name, each.bytes
        )
        for each in files
        if each.is_entry
    ]
    return sorted(found, key=attrgetter("kind", "used", "path"))


def _name(bucket: Bucket, path: Path) -> str:
    return str(PurePosixPath(*path.relative_to(bucket.folder).parts))


def _remove(bucket: Bucket, names: Sequence[str]) -> None:
    """Remove files from the bucket, and their local copies first."""
    for name in names:
        with suppress(OSError):  # as far as that is possible: a copy is as good as it was
            (bucket.folder / name).unlink(missing_ok=True)
    for start in range(0, len(names), _TOGETHER):
        try:
            bucket.remove(names[start : start + _TOGETHER])
        except FileNotFoundError:  # another process was faster
            continue
        except Unavailable as problem:
            raise OutputError(bucket.address.shown, str(problem)) from None


def _problem(bucket: Bucket, each: StoredEntry) -> Damaged | Unreadable | None:
    """Why an entry is of no use, if so."""
    with TemporaryDirectory(prefix="cranfield-") as folder:
        path = Path(folder) / each.path.name
        try:
            bucket.copy(_name(bucket, each.path), path)
        except FileNotFoundError:  # removed meanwhile by another process
            return None
        except Unavailable as problem:
            if not problem.denied:
                raise
            return Unreadable(str(problem))
        return upkeep.problem_of(replace(each, path=path))
