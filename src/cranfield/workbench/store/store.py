"""The store: what stages computed, cached by the fingerprint of what it was computed from.

    <folder>/<kind>/<first two digits>/<key>.entry    one file per entry
    <folder>/locks/<key>.lock                         while an entry is being made

The store is a cache: whatever is missing, damaged or cannot be written is recomputed. A store at
an address such as s3://bucket/prefix has the same files in a bucket, and copies in a folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.base.machine.versions import library_versions
from cranfield.base.packed import exists
from cranfield.base.storable import NotStorable, Undecodable
from cranfield.view.tables.terminal import printable, show
from cranfield.workbench.store import bucket_upkeep
from cranfield.workbench.store import upkeep as store_upkeep
from cranfield.workbench.store.address import (
    STORE_VARIABLE,
    default_folder,
    read_address,
    refuse_file,
)
from cranfield.workbench.store.bucket import Bucket
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
from cranfield.workbench.store.unsent import FOLDER, entry_name, mark_unsent
from cranfield.workbench.store.upkeep import KindSize, Removed

__all__ = ["STORE_VARIABLE", "Coding", "Entry", "Store", "default_folder"]

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


def say_on_stderr(text: str) -> None:
    """One line to the user."""
    show(f"cranfield: {printable(text)}", sys.stderr)


class Store:
    """Entries in a folder, which is created with the first one; None caches nothing.

    At an address, they are in a ``bucket``, and the folder has copies.

    Several processes and threads may use one folder. A process killed at any moment
    leaves only whole entries, and files aside that are never taken for entries. Entries of
    some kinds may be ``uncached``, as if they could not be stored. What is written may be
    ``marked``, to be sent to the bucket by who has it.
    """

    def __init__(
        self,
        folder: Path | str | None,
        *,
        say: Callable[[str], None] = say_on_stderr,
        uncached: Collection[str] = (),
        bucket: Bucket | None = None,
        marked: bool = False,
    ) -> None:
        address = None if folder is None else read_address(folder)
        self.bucket = bucket if address is None else Bucket(address, say)
        given = folder if address is None else address.folder
        self.folder = None if given is None else Path(given)
        self.marked = marked or self.bucket is not None
        self.say = say
        self.uncached = frozenset(uncached)
        self._said = set[str]()
        if self.folder is not None:
            refuse_file(self.folder)

    def key(self, kind: str, inputs: Mapping[str, Any]) -> str:
        """The name of the entry of these inputs: the same on every platform, by these versions."""
        assert _KIND.fullmatch(kind), f"{kind!r} cannot name a folder"
        assert kind not in {"locks", FOLDER}, "that folder is taken"
        return fingerprint("entry", str(LAYOUT), VERSIONS, kind, canonical(inputs))

    def has(self, kind: str, inputs: Mapping[str, Any]) -> bool:
        """Whether there is an entry of these inputs; whether it is whole shows when it is read."""
        if self.folder is None or kind in self.uncached:
            return False
        name = entry_name(kind, self.key(kind, inputs))
        return exists(self.folder / name) or (self.bucket is not None and self.bucket.has(name))

    def bring(self, kind: str, inputs: Mapping[str, Any]) -> bool:
        """Have the entry of these inputs in the folder, if there is one; whether it came now."""
        if self.folder is None or self.bucket is None or kind in self.uncached:
            return False
        name = entry_name(kind, self.key(kind, inputs))
        return not exists(self.folder / name) and self.bucket.download(name)

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
        path = self.folder / entry_name(kind, key)
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
            if readable and (brought := self._brought(path, kind, inputs, coding)):
                return brought[0]
            made, entry = coded(make(), coding)
            if entry is not None and readable:
                self._keep(path, kind, inputs, entry)
            return made

    def put(self, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        """Cache an entry that was made elsewhere."""
        if self.folder is not None and kind not in self.uncached:
            self._keep(self.folder / entry_name(kind, self.key(kind, inputs)), kind, inputs, entry)

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
            self.bring(kind, inputs)
            with suppress(Damaged, FileNotFoundError, Unreadable):
                path = self.folder / entry_name(kind, self.key(kind, inputs))
                return read_entry(path, kind, inputs)
        return None

    def connect(self) -> None:
        """Refuse, before any work, a bucket that there is not."""
        if self.bucket is not None:
            self.bucket.connect()

    def upload(self, *, gathered: bool = False) -> None:
        """Send what was made to the bucket, if there is one; if ``gathered``, only in its time."""
        if self.bucket is not None:
            self.bucket.upload(gathered=gathered)

    def sizes(self) -> list[KindSize]:
        """What is cached of each kind."""
        if self.bucket is not None:
            return bucket_upkeep.sizes(self.bucket)
        return [] if self.folder is None else store_upkeep.sizes(self.folder)

    def prune(self, *, keep: int | None = None, unused: float | None = None) -> Removed:
        """Remove entries not used for ``unused`` days, then the least recently used ones
        until at most ``keep`` bytes are left; all entries if neither is given. In a bucket,
        where use leaves no trace, writing counts.
        """
        if self.bucket is not None:
            return bucket_upkeep.prune(self.bucket, keep=keep, unused=unused)
        if self.folder is None:
            return Removed()
        return store_upkeep.prune(self.folder, keep=keep, unused=unused)

    def check(self) -> Removed:
        """Read every entry and remove those that are damaged."""
        if self.bucket is not None:
            return bucket_upkeep.check(self.bucket)
        return Removed() if self.folder is None else store_upkeep.check(self.folder)

    def _brought(
        self, path: Path, kind: str, inputs: Mapping[str, Any], coding: Coding[T]
    ) -> tuple[T] | None:
        """What the bucket has of these inputs; None if it has nothing that could be used."""
        if self.bucket is None or not self.bring(kind, inputs):
            return None
        try:
            return (_use(path, kind, inputs, coding),)
        except (FileNotFoundError, Unreadable):
            return None
        except Damaged as problem:
            place = f"{self.bucket.address.shown}/{entry_name(kind, path.stem)}"
            self.say(f"{place}: damaged ({problem}). It is recomputed and replaced.")
            _remove(path)
            return None

    def _keep(self, path: Path, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        """Write an entry; that it cannot be written is said once, and is no failure."""
        try:
            self._write(path, kind, inputs, entry)
        except OSError as error:
            problem = error.strerror or str(error)
            self._say_once(f"{self.folder}: cannot be written ({problem}). Results are not cached.")

    def _write(self, path: Path, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        """Write an entry to the folder, and have it sent to the bucket."""
        if self.marked and self.folder is not None:
            mark_unsent(self.folder, kind, path.stem)
        write_entry(path, kind, inputs, entry)
        self.upload(gathered=True)

    def _say_once(self, text: str) -> None:
        """Say what holds for many entries alike with the first of them."""
        if (problem := text.partition(": ")[2]) not in self._said:
            self._said.add(problem)
            self.say(text)


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
