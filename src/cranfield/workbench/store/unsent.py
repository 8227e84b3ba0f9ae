"""Marks of entries that are in the local folder of a bucket, and not yet in the bucket.

    <folder>/unsent/<key>.<kind>

Whoever writes an entry leaves its mark first; whoever has sent it to the bucket removes the mark.
So nothing is forgotten when a process is killed, or when the bucket is out of reach for a time,
and workers need not reach it at all.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

FOLDER = "unsent"

_MARK_NAME = re.compile(r"([0-9a-f]{32})\.([a-z][a-z0-9-]*)")


def entry_name(kind: str, key: str) -> str:
    """Where an entry is, from the top of a store."""
    return f"{kind}/{key[:2]}/{key}.entry"


def mark_unsent(folder: Path, kind: str, key: str) -> None:
    """Note that an entry, which is about to be written, has to be sent."""
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{key}.{kind}").touch()


def unsent_entries(folder: Path) -> dict[str, Path]:
    """The names of entries that have to be sent, and their marks.

    Of an entry that is still being written, there is the mark alone.
    """
    return {name: mark for name, mark in _marks(folder) if (folder / name).is_file()}


def stray_marks(folder: Path) -> list[Path]:
    """The marks whose entry does not exist."""
    return [mark for name, mark in _marks(folder) if not (folder / name).exists()]


def unmark(mark: Path) -> None:
    """Note that an entry was sent."""
    with suppress(OSError):
        mark.unlink()


def _marks(folder: Path) -> list[tuple[str, Path]]:
    try:
        paths = sorted((folder / FOLDER).iterdir())
    except OSError:  # none yet, or not to be read
        return []
    found = [(_MARK_NAME.fullmatch(path.name), path) for path in paths]
    return [(entry_name(match[2], match[1]), path) for match, path in found if match]
