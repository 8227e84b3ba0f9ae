"""Files: fingerprints of their content, and writing that leaves all or nothing behind."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
import numpy.typing as npt
from polars.exceptions import PolarsError

from cranfield.base.errors import OutputError

_PART = ".cranfield"
"""How the names of files begin that are still being written."""


def fingerprint(*parts: str | bytes | npt.NDArray[Any]) -> str:
    """A short name for exactly this content: 128 bits of BLAKE2b, in hexadecimal.

    Arrays count with their type and shape, in little-endian order, so that the same
    content gives the same fingerprint on every platform.

    >>> fingerprint("a", "b") == fingerprint("ab")
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            assert not part.dtype.hasobject, "objects have no bytes of their own"
            array = np.ascontiguousarray(part, dtype=part.dtype.newbyteorder("<"))
            digest.update(f"{array.dtype.str}{part.shape};".encode())
            digest.update(array.reshape(-1).view(np.uint8).data if array.size else b"")
        else:
            data = part.encode() if isinstance(part, str) else part
            digest.update(f"{len(data)};".encode())
            digest.update(data)
    return digest.hexdigest()


@contextmanager
def writing(path: Path | str) -> Iterator[Path]:
    """A file to write aside; it takes its real place only if all went well.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, writing(Path(folder, "note.txt")) as aside:
    ...     _ = aside.write_text("whole or not at all")
    """
    target = Path(path)
    with aside_of(target) as aside:
        if target.is_dir():
            raise OutputError(str(target), "a folder of that name is in the way")
        yield aside
        aside.replace(target)


@contextmanager
def aside_of(target: Path) -> Iterator[Path]:
    """A path beside the target, removed at the end with whatever is left in it.

    Folders made for the target go away too, if nothing came to stand in them.
    """
    folder = target.absolute().parent
    aside, missing = part_in(folder), list[Path]()
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_unwritable(folder)
        remove_abandoned(folder)
        yield aside
    except OSError as error:
        raise OutputError(str(target), error.strerror or str(error)) from error
    except PolarsError as error:  # a failed write of a table, as on a full disk
        raise OutputError(str(target), str(error)) from error
    finally:
        remove(aside)
        for place in missing:
            with suppress(OSError):
                place.rmdir()


def part_in(folder: Path) -> Path:
    """A name that nothing has, for what is not yet whole; of a killed process it is removed."""
    return folder / f"{_PART}-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}.part"


def temporary_folder() -> Path:
    """A new folder where ``$TMPDIR`` says; those that killed processes left there are removed."""
    above = Path(gettempdir())
    remove_abandoned(above)
    made = part_in(above)
    made.mkdir(mode=0o700)
    return made


def _machine() -> str:
    """A short name of this machine, as others may write to the same folder."""
    return fingerprint(platform.node())[:8]


def remove_abandoned(folder: Path) -> None:
    """Remove what processes of this machine were writing when they were killed."""
    if sys.platform == "win32":
        return  # there is no way to ask for a process that does it no harm
    for part in folder.glob(f"{_PART}-{_machine()}-*.part"):
        found = re.fullmatch(rf"{re.escape(_PART)}-\w+-(\d+)-\w+\.part", part.name)
        if found and not _runs(int(found[1])):
            remove(part)


def _runs(process: int) -> bool:
    """Whether there is such a process, of any user."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _refuse_unwritable(folder: Path) -> None:
    if not os.access(folder, os.W_OK):
        raise OutputError(str(folder), "no permission to write there")


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until files are in place, which takes no time that a user would notice."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if came and callable(before):
            before(signal.SIGINT, None)


def refuse_unwritable(path: Path | str) -> None:
    """Tell before long work that its folder cannot be written; `writing_folder` tells after."""
    target = Path(path).absolute()
    try:
        if target.exists() and not target.is_dir():
            raise OutputError(str(path), "a file of that name is in the way")
    except OSError as error:  # its name is too long
        raise OutputError(str(path), error.strerror or str(error)) from error
    above = next(place for place in target.parents if place.exists())
    if not above.is_dir():
        raise OutputError(str(path), f"{above} is a file, not a folder")
    for folder in {above, target} if target.exists() else {above}:
        _refuse_unwritable(folder)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if there is one and it can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def write_json(path: Path | str, content: Mapping[str, Any]) -> None:
    """A JSON file for people and programs: indented, keys in the order given."""
    with writing(path) as aside:
        aside.write_text(json_text(content), encoding="utf-8")


def json_text(content: Mapping[str, Any]) -> str:
    """JSON for people and programs: indented, keys in the order given."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def digest_of(path: Path, kind: str = "sha256") -> str:
    """The checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()
