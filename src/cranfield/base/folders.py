"""Folders written whole: at any moment the old files or the new ones stand whole somewhere.

New files are written aside. If there is a folder already, they become its sibling
NAME.cranfield-new first, in one step; then each takes its place in the folder as a second
link, and only when all have, the sibling goes. So a process that is killed leaves the old
files in the folder, or the new ones in the sibling; whoever uses the folder next finishes
the work.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cranfield.base.errors import OutputError
from cranfield.base.files import (
    aside_of,
    fingerprint,
    part_in,
    remove,
    remove_abandoned,
    uninterrupted,
)
from cranfield.base.packed import exists

_SIBLING = ".cranfield-new"
_LONGEST_NAME = 200
"""Bytes of a name to which the sibling's suffix can be added."""
_PLAN = ".cranfield-replaces"
"""The file of a sibling that lists the patterns of what its files replace."""


@contextmanager
def writing_folder(path: Path | str, *, replaces: Iterable[str] = ()) -> Iterator[Path]:
    """A folder to fill aside; its files take their real places at the end.

    What an older folder of that name holds under the patterns ``replaces`` goes away;
    everything else in it is the user's and stays.
    """
    target = Path(path)
    with aside_of(target) as aside:
        if target.exists() and not target.is_dir():
            raise OutputError(str(target), "a file of that name is in the way")
        restore_folder(target)
        aside.mkdir()
        yield aside
        with uninterrupted():
            _put_in_place(aside, target, replaces)


def restore_folder(path: Path | str) -> None:
    """Finish what a process was killed at: put new files in place that stand in the sibling."""
    target = Path(path)
    sibling = _sibling_of(target)
    if not exists(sibling):
        return
    try:
        with uninterrupted():
            _finish(sibling, target)
    except OSError as error:
        problem = f"{sibling} holds its new files, and {error.strerror or error}"
        raise OutputError(str(target), problem) from error


def _sibling_of(target: Path) -> Path:
    place = target.absolute()
    fits = len(os.fsencode(place.name)) <= _LONGEST_NAME
    return place.parent / f"{place.name if fits else fingerprint(place.name)}{_SIBLING}"


def _put_in_place(aside: Path, target: Path, replaces: Iterable[str]) -> None:
    if not target.exists():
        try:
            aside.replace(target)
        except OSError:
            if not target.is_dir():
                raise
        else:
            return
        # Another process made a folder of that name at the same moment.
    (aside / _PLAN).write_text("\n".join(replaces), encoding="utf-8")
    sibling = _sibling_of(target)
    try:
        aside.replace(sibling)
    except OSError:
        if not sibling.is_dir():
            raise
        _finish(sibling, target)  # that of another process
        aside.replace(sibling)
    _finish(sibling, target)


def _finish(sibling: Path, target: Path) -> None:
    """Bring a folder up to its sibling, which then goes; several processes may do so at once."""
    try:
        patterns = (sibling / _PLAN).read_text(encoding="utf-8").splitlines()
        files = {
            place.relative_to(sibling)
            for place in sibling.rglob("*")
            if not place.is_dir() and place.name != _PLAN
        }
        for name in sorted(files):
            _place(sibling / name, target / name)
        _remove_stale(target, patterns, files)
        gone = part_in(sibling.parent)
        sibling.replace(gone)
    except FileNotFoundError:
        if sibling.is_dir():
            raise
        return  # another process has finished it
    remove(gone)


def _place(source: Path, place: Path) -> None:
    """A second link to a file, or a copy where there are none, in the place of what is there."""
    place.parent.mkdir(parents=True, exist_ok=True)
    remove_abandoned(place.parent)
    if place.is_dir() and not place.is_symlink():
        remove(place)
    link = part_in(place.parent)
    try:
        os.link(source, link)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copy2(source, link)
    link.replace(place)
    link.unlink(missing_ok=True)  # to rename a link to the same file does nothing


def _remove_stale(target: Path, patterns: Iterable[str], files: set[Path]) -> None:
    """Remove what the patterns name and the new files lack, and folders that are left empty."""
    for found in [place for pattern in patterns for place in target.glob(pattern)]:
        # What lies behind a link is not in the folder.
        inner = () if found.is_symlink() else sorted(found.rglob("*"), reverse=True)
        for place in (*inner, found):
            if place.is_dir() and not place.is_symlink():
                with suppress(OSError):
                    place.rmdir()
            elif place.relative_to(target) not in files:
                remove(place)
