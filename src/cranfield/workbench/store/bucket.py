"""Bucket: the entries of a store on object storage, or wherever fsspec can put files.

A store at an address has a local folder of copies. What is not there is downloaded, and what is
made is written there, marked as unsent, and sent some seconds later, together with what else was
made. What there is in the bucket is listed, and listed again from time to time, rather than asked
for one by one.

A bucket that does not answer stops no work: that is said once, and then it is left alone for some
minutes.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from textwrap import shorten
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadStore
from cranfield.workbench.store.address import Address, refuse_unusable
from cranfield.workbench.store.entry import aside_name
from cranfield.workbench.store.unsent import unmark, unsent_entries

_ENTRY = re.compile(r"[a-z][a-z0-9-]*/([0-9a-f]{2})/\1[0-9a-f]{30}\.entry")
_PART = re.compile(r"[a-z][a-z0-9-]*/[0-9a-f]{2}/\.[0-9a-f]{32}\.[0-9a-f]{8}\.part")
_LISTED = 30.0
"""Seconds for which a listing is believed, or longer if listing took longer than a twentieth."""
_SHARE = 20
_LEFT_ALONE = 300.0
"""Seconds for which a bucket is left alone that did not answer."""
_GATHERED = 5.0
"""Seconds in which entries are gathered that are then sent together."""
_TOGETHER = 64
"""Entries that are sent at a time."""
_LONGEST = 200
"""Characters of what a library says."""
_INSTEAD = {"read": "Only local copies are used", "written": "What is computed stays here"}
_TIMES = ("LastModified", "last_modified", "updated", "mtime", "modified", "created")
"""What filesystems call the time of writing."""


class Unavailable(Exception):
    """Why a bucket could not do what it was asked: that it would not, if ``denied``.

    A ``remedy`` is what the user can do about it.
    """

    def __init__(self, why: str, *, denied: bool = False, remedy: str = "") -> None:
        super().__init__(why)
        self.denied, self.remedy = denied, remedy


@dataclass(frozen=True)
class BucketFile:
    """A file in the bucket: its name from the top of the store, its size, when it was written."""

    name: str
    bytes: int
    written: float

    @property
    def is_entry(self) -> bool:
        """Whether it is a whole entry, rather than what a killed process has left."""
        return _ENTRY.fullmatch(self.name) is not None


class Bucket:
    """What is at an address, and its copies in a local folder.

    The address is refused at once if fsspec cannot use it. Nothing is asked before it must be.
    """

    def __init__(self, address: Address, say: Callable[[str], None]) -> None:
        refuse_unusable(address)
        self.address, self.folder = address, address.folder
        self._say, self._said = say, set[str]()
        self._opened: tuple[Any, str] | None = None
        self._names = set[str]()
        self._listed_until = self._alone_until = 0.0
        self._writable, self._sent = True, time.monotonic()
        self._sending = threading.Lock()

    def connect(self) -> None:
        """List what there is; a bucket that there is not, and missing credentials, are refused."""
        if time.monotonic() < max(self._listed_until, self._alone_until):
            return
        try:
            self._list()
        except FileNotFoundError:
            problem = "there is no such bucket"
            right = "Create it, or give the name of one that there is."
            raise BadStore(self.address.shown, problem, right) from None
        except Unavailable as problem:
            if problem.remedy:
                raise BadStore(self.address.shown, str(problem), problem.remedy) from None
            self._leave_alone("read", problem)

    def has(self, name: str) -> bool:
        """Whether there is an entry of a name, as far as that can be known."""
        if self._is_left_alone:
            return False
        if time.monotonic() >= self._listed_until:
            try:
                self._list()
            except FileNotFoundError:
                self._leave_alone("read", Unavailable("there is no such bucket"))
            except Unavailable as problem:
                self._leave_alone("read", problem)
        return name in self._names

    def download(self, name: str) -> bool:
        """Bring an entry to the local folder, aside first; whether it is there now."""
        if not self.has(name):
            return False
        path = self.folder / name
        aside = path.with_name(aside_name(path.name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.copy(name, aside)
            aside.replace(path)
        except FileNotFoundError:  # removed since it was listed
            self._names.discard(name)
            return False
        except Unavailable as problem:
            self._leave_alone("read", problem)
            return False
        except OSError:  # of this disk, as will be said where the entry is written
            return False
        finally:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
        return True

    def copy(self, name: str, path: Path) -> None:
        """Download a file, whether whole or not; FileNotFoundError if there is none."""
        with self._asking() as (files, root):
            files.get_file(f"{root}/{name}", str(path))

    def upload(self, *, gathered: bool = False) -> None:
        """Send what is unsent; if ``gathered``, unless that was done some seconds ago.

        What cannot be sent stays marked.
        """
        if gathered and time.monotonic() - self._sent < _GATHERED:
            return
        with self._sending:
            waiting = list(unsent_entries(self.folder).items())
            for start in range(0, len(waiting), _TOGETHER):
                if self._is_left_alone or not self._writable:
                    break
                self._send(dict(waiting[start : start + _TOGETHER]))
            self._sent = time.monotonic()

    def files(self) -> list[BucketFile]:
        """All that is ours, in order of names; `Unavailable` if the bucket cannot be read."""
        with self._asking() as (files, root):
            files.invalidate_cache()
            try:
                found = files.find(root, detail=True)
            except FileNotFoundError:
                if self.address.is_object_storage:
                    raise
                found = {}
        return sorted(self._ours(root, found), key=lambda each: each.name)

    def remove(self, names: Sequence[str]) -> None:
        """Remove files; `Unavailable` if that is not possible."""
        with self._asking() as (files, root):
            if names:
                files.rm([f"{root}/{name}" for name in names])
        self._names.difference_update(names)

    @property
    def _is_left_alone(self) -> bool:
        return time.monotonic() < self._alone_until

    def _list(self) -> None:
        begun = time.monotonic()
        self._names = {each.name for each in self.files() if each.is_entry}
        ended = time.monotonic()
        self._listed_until = ended + max(_LISTED, _SHARE * (ended - begun))

    def _ours(self, root: str, found: dict[str, Any]) -> Iterator[BucketFile]:
        for path, facts in found.items():
            name = path[len(root) :].lstrip("/")
            if _ENTRY.fullmatch(name) or _PART.fullmatch(name):
                yield BucketFile(name, int(facts["size"] or 0), _time_of(facts))

    def _send(self, some: dict[str, Path]) -> None:
        """Send some entries, then remove their marks."""
        try:
            self._put(list(some))
        except (Unavailable, FileNotFoundError) as problem:
            found = problem if isinstance(problem, Unavailable) else Unavailable(str(problem))
            self._writable = not found.denied
            self._leave_alone("written", found)
            return
        self._names.update(some)
        for mark in some.values():
            unmark(mark)

    def _put(self, names: Sequence[str]) -> None:
        """Upload entries: at once where a file is whole or not there, else aside first."""
        with self._asking() as (files, root):
            if self.address.is_object_storage:
                paths = [str(self.folder / name) for name in names]
                files.put(paths, [f"{root}/{name}" for name in names])
                return
            for name in names:
                target = f"{root}/{name}"
                above, _, last = target.rpartition("/")
                aside = f"{above}/{aside_name(last)}"
                files.makedirs(above, exist_ok=True)
                try:
                    files.put_file(str(self.folder / name), aside)
                    files.mv(aside, target)
                except Exception:
                    with suppress(Exception):  # that is left for pruning
                        files.rm_file(aside)
                    raise

    @contextmanager
    def _asking(self) -> Iterator[tuple[Any, str]]:
        """The filesystem and where the store is in it; what goes wrong there is `Unavailable`."""
        try:
            if self._opened is None:
                from fsspec.core import url_to_fs

                # One of our own, as another may have been made with other credentials.
                self._opened = url_to_fs(self.address.text, skip_instance_cache=True)
            yield self._opened
        except FileNotFoundError:
            raise
        except Exception as error:  # what libraries of filesystems raise has no end
            raise self._unavailable(error) from None

    def _unavailable(self, error: Exception) -> Unavailable:
        """What a library raised, in one line; its classes are known by their names."""
        kind = type(error).__name__
        said = getattr(error, "strerror", None) or str(error) or kind
        remedy = ""
        if "Credential" in kind or kind == "ProfileNotFound":
            remedy = self.address.remedy
        elif "Validation" in kind:
            remedy = "Correct the address."
        text = shorten(self.address.hidden(said), _LONGEST, placeholder=" …")
        return Unavailable(text, denied=isinstance(error, PermissionError), remedy=remedy)

    def _leave_alone(self, done: str, problem: Unavailable) -> None:
        """Say once why the bucket is of no use now, and ask nothing of it for a time."""
        if done == "read" or not problem.denied:
            self._alone_until = time.monotonic() + _LEFT_ALONE
        if done not in self._said:
            self._said.add(done)
            self._say(f"{self.address.shown}: cannot be {done} ({problem}). {_INSTEAD[done]}.")


def _time_of(facts: dict[str, Any]) -> float:
    """When a file was written, in seconds since 1970; 0 where the filesystem does not say."""
    found = next((facts[name] for name in _TIMES if facts.get(name) is not None), 0.0)
    if isinstance(found, str):
        found = datetime.fromisoformat(found)
    return found.timestamp() if isinstance(found, datetime) else float(found)
