"""ReturningStore: a store that holds in memory what its folder cannot take.

A worker may have another disk than who asked for its work, or one that is full or must not be
written. What it makes is then held, to be sent back as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cranfield.workbench.store.bucket import Bucket
from cranfield.workbench.store.entry import Entry
from cranfield.workbench.store.store import Coding, Store, coded, say_on_stderr

T = TypeVar("T")


class HeldEntry(NamedTuple):
    """An entry that is not in the folder."""

    kind: str
    inputs: Mapping[str, Any]
    entry: Entry


class ReturningStore(Store):
    """A store whose entries are in its folder, or ``held`` by their keys.

    Without ``shared``, the folder is another machine's: it is neither read nor written here.
    """

    folder: Path

    def __init__(
        self,
        folder: Path | str,
        *,
        say: Callable[[str], None] = say_on_stderr,
        uncached: Collection[str] = (),
        shared: bool = True,
        bucket: Bucket | None = None,
        marked: bool = False,
    ) -> None:
        super().__init__(folder, say=say, uncached=uncached, bucket=bucket, marked=marked)
        self._shared = shared
        self.held: dict[str, HeldEntry] = {}

    def has(self, kind: str, inputs: Mapping[str, Any]) -> bool:
        """Whether there is an entry of these inputs, in the folder or held."""
        if self.key(kind, inputs) in self.held:
            return True
        return self._shared and super().has(kind, inputs)

    def load(
        self, kind: str, inputs: Mapping[str, Any], make: Callable[[], T], coding: Coding[T]
    ) -> T:
        """What is held, read or made of these inputs."""
        held = self.held.get(self.key(kind, inputs))
        if held is not None:
            return coding.decode(held.entry)
        if self._shared or kind in self.uncached:
            return super().load(kind, inputs, make, coding)
        made, entry = coded(make(), coding)
        if entry is not None:
            self.put(kind, inputs, entry)
        return made

    def get(self, kind: str, inputs: Mapping[str, Any]) -> Entry | None:
        """The entry of these inputs, in the folder or held."""
        if (held := self.held.get(self.key(kind, inputs))) is not None:
            return held.entry
        return super().get(kind, inputs) if self._shared else None

    def _keep(self, path: Path, kind: str, inputs: Mapping[str, Any], entry: Entry) -> None:
        if self._shared:
            try:
                self._write(path, kind, inputs, entry)
            except OSError:  # full, or not to be written
                pass
            else:
                self.held.pop(path.stem, None)
                return
        self.held[path.stem] = HeldEntry(kind, dict(inputs), entry)
