"""The store: what stages computed, cached by the fingerprint of what it was computed from.

    <folder>/<kind>/<first two digits>/<key>.entry    one file per entry
    <folder>/locks/<key>.lock                         while an entry is being made

The store is a cache: whatever is missing, damaged or cannot be written is recomputed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from cranfield.base.errors import OutputError
from cranfield.base.files import fingerprint
from cranfield.base.machine.versions import library_versions
from cranfield.base.storable import NotStorable, Undecodable
from cranfield.view.tables.terminal import printable, show
from cranfield.workbench.store import upkeep as store_upkeep
from cranfield.workbench.store.entry import (
    LAYOUT,
    Damaged,
    Entry,
    Unreadable,
    canonical,
    read_entry,
    write_entry,
)
from cranfield.workbench.store.locks import holding
from cranfield.workbench.store.upkeep import KindSize, Removed

__all__ = ["STORE_VARIABLE", "Coding", "Entry", "Store", "default_folder"]

STORE_VARIABLE = "CRANFIELD_STORE"

VERSIONS = canonical(library_versions())
"""Part of every key, since other versions may make something else from the same inputs: another
SciPy, say, has other last bits in its quantiles."""

_KIND = re.compile(r"[a-z][a-z0-9-]*")

T = TypeVar("T")


@dataclass(frozen=True)
class Coding(Generic[T]):
    """How a noun becomes an entry, and back.

    ``encode`` raises `NotStorable` for what cannot be stored, and ``decode`` `Undecodable`
    for what was never encoded.
    """

    encode: Callable[[T], Entry]
    decode: Callable[[Entry], T]


def default_folder() -> Path:
    """``$CRANFIELD_STORE``, else ``cranfield/store`` in the user's folder of caches."""
    given = os.environ.get(STORE_VARIABLE)
    if given:
        return Path(given)
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "cranfield" / "store"


def say_on_stderr(text: str) -> None:
    """One line to the user."""
    show(f"cranfield: {printable(text)}", sys.stderr)


class Store:
    """Entries in a folder, which is created with the first one; None caches nothing.

    Several processes and threads may use one folder. A process killed at any moment
    leaves only whole entries, and files aside that are never taken for entries. Entries of
    some kinds may be ``uncached``, as if they could not be stored.
    """

    def __init__(
        self,
        folder: Path | str | None,
        *,
        say: Callable[[str], None] = say_on_stderr,
        uncached: Collection[str] = (),
    ) -> None:
        self.folder = None if folder is None else Path(folder)
        self.say = say
        self.uncached = frozenset(uncached)
        self._said = set[str]()
        if self.folder is not None:
            _refuse_file(self.folder)

    def key(self, kind: str, inputs: Mapping[str, Any]) -> str:
        """The name of the entry of these inputs: the same on every platform, by these versions."""
        assert _KIND.fullmatch(kind), f"{kind!r} cannot name a folder"
        assert kind != "locks", "that folder is taken"
        return fingerprint("entry", str(LAYOUT), VERSIONS, kind, canonical(inputs))

    def has(self, kind: str, inputs: Mapping[str, Any]) -> bool:
        """Whether there is an entry of these inputs; whether it is whole shows when it is read."""
        if self.folder is None or kind in self.uncached:
            return False
        try:
            return _path(self.folder, kind, self.key(kind, inputs)).exists()
        except OSError:  # a folder that may not be looked into
            return False

    def fetch(
        self,
        kind: str,
        inputs: Mapping[str, Any],
        make: Callable[[], Entry],
        fits: Callable[[Entry], bool] = lambda _: True,
    ) -> Entry:
        """The entry of these inputs: read if it is there, whole and fitting, else computed
        and cached.

        ``make`` may fetch entries that this one is made from.
        """

        def checked(entry: Entry) -> Entry:
            if not fits(entry):
                raise Undecodable("its arrays do not fit together")
            return entry

        return self.load(kind, inputs, make, Coding(lambda entry: entry, checked))

    def load(
        self, kind: str, inputs: Mapping[str, Any], make: Callable[[], T], coding: Coding[T]
    ) -> T:
        """The same for a noun, which is only computed where it cannot be stored."""
        if self.folder is None or kind in self.uncached:
            return coded(make(), coding)[0]
        key = self.key(kind, inputs)
        path = _path(self.folder, kind, key)
        with suppress(Damaged, FileNotFoundError, Unreadable):
            return _use(path, kind, inputs, coding)
        with holding(self.folder, key):
            # Another process may have made or mended the entry while this one waited.
            readable = True
            try:
                return _use(path, kind, inputs, coding)
            except FileNotFoundError:
                pass
            except Unreadable as problem:
                readable = False
                self._say_once(f"{path}: cannot be read ({problem}). It is recomputed.")
            except Damaged as problem:
                self.say(f"{path}: damaged ({problem}). It is removed and recomputed.")
                _remove(path)
            made, entry = coded(make(), coding)
            if entry is not None and readable:
                self._keep(path, kind, inputs, entry)
            return made

    def put(self, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        """Cache an entry that was made elsewhere."""
        if self.folder is not None and kind not in self.uncached:
            self._keep(_path(self.folder, kind, self.key(kind, inputs)), kind, inputs, entry)

    def note(self, kind: str, inputs: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Write down what was observed of these inputs, in place of what was noted before."""
        self.put(kind, inputs, Entry({}, facts))

    def noted(self, kind: str, inputs: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What was noted of these inputs; None if nothing was, or if it cannot be read."""
        found = self.get(kind, inputs)
        return None if found is None else found.facts

    def get(self, kind: str, inputs: Mapping[str, Any]) -> Entry | None:
        """The entry of these inputs; None if there is none, or if it cannot be read."""
        if self.folder is not None:
            with suppress(Damaged, FileNotFoundError, Unreadable):
                path = _path(self.folder, kind, self.key(kind, inputs))
                return read_entry(path, kind, inputs)
        return None

    def sizes(self) -> list[KindSize]:
        """What is cached of each kind."""
        return [] if self.folder is None else store_upkeep.sizes(self.folder)

    def prune(self, *, keep: int | None = None, unused: float | None = None) -> Removed:
        """Remove entries not used for ``unused`` days, then the least recently used ones
        until at most ``keep`` bytes are left; all entries if neither is given.
        """
        if self.folder is None:
            return Removed()
        return store_upkeep.prune(self.folder, keep=keep, unused=unused)

    def check(self) -> Removed:
        """Read every entry and remove those that are damaged."""
        return Removed() if self.folder is None else store_upkeep.check(self.folder)

    def _keep(self, path: Path, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        """Write an entry; that it cannot be written is said once, and is no failure."""
        try:
            write_entry(path, kind, inputs, entry)
        except OSError as error:
            problem = error.strerror or str(error)
            self._say_once(f"{self.folder}: cannot be written ({problem}). Results are not cached.")

    def _say_once(self, text: str) -> None:
        """Say what holds for many entries alike with the first of them."""
        if (problem := text.partition(": ")[2]) not in self._said:
            self._said.add(problem)
            self.say(text)


def _path(folder: Path, kind: str, key: str) -> Path:
    return folder / kind / key[:2] / f"{key}.entry"


def _use(path: Path, kind: str, inputs: Mapping[str, Any], coding: Coding[T]) -> T:
    """Read an entry, and note on its file that it was used now."""
    try:
        found = coding.decode(read_entry(path, kind, inputs))
    except Undecodable as problem:
        raise Damaged(str(problem)) from problem
    with suppress(OSError):
        os.utime(path)
    return found


def coded(made: T, coding: Coding[T]) -> tuple[T, Entry | None]:
    """What was made, as it will be read, and its entry; itself, if it cannot be stored."""
    try:
        entry = coding.encode(made)
    except NotStorable:
        return made, None
    return coding.decode(entry), entry


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _refuse_file(folder: Path) -> None:
    """A file where the folder or one above it should be is a mistake to be reported at once."""
    for place in (folder, *folder.absolute().parents):
        with suppress(OSError):
            if place.exists() and not place.is_dir():
                raise OutputError(str(folder), f"{place} is a file, not a folder")
