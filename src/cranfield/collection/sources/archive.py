"""One file out of an archive, which is read to its end so that damage shows."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from cranfield.base.errors import UnreadableFile
from cranfield.base.files import writing

_BLOCK = 1 << 16
_UNPACKERS: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ": lzma.open,
    b"BZh": bz2.open,
}
"""How what begins with these bytes is unpacked; anything else is not packed."""
_DAMAGED = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, gzip.BadGzipFile,
)  # fmt: skip

_NOT_WHOLE, _REMEDY = "it is not a whole archive", "Fetch it again."


def extract(archive: Path, member: str, target: Path) -> Path:
    """Take one file out of a zip or tar archive; it takes its name only when whole."""
    with writing(target) as aside, _refusing(archive, member), aside.open("wb") as file:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped, zipped.open(member) as packed:
                shutil.copyfileobj(packed, file, _BLOCK)
        else:
            _copy_from_tar(archive, member, file)
    return target


def _copy_from_tar(archive: Path, member: str, file: IO[bytes]) -> None:
    """Copy a member, and read on: the checksum of what is packed is at its end."""
    with archive.open("rb") as start:
        first = start.read(8)
    unpack = next((each for mark, each in _UNPACKERS.items() if first.startswith(mark)), None)
    found = False
    with (unpack or open)(archive, "rb") as stream:
        with tarfile.open(fileobj=stream, mode="r|") as tarred:
            for entry in tarred:
                if entry.name == member and (packed := tarred.extractfile(entry)):
                    shutil.copyfileobj(packed, file, _BLOCK)
                    found = True
        while stream.read(_BLOCK):
            pass
    if not found:
        raise KeyError(member)


@contextmanager
def _refusing(archive: Path, member: str) -> Iterator[None]:
    """What is wrong with an archive, said in one sentence."""
    try:
        yield
    except _DAMAGED:
        raise UnreadableFile(str(archive), _NOT_WHOLE, _REMEDY) from None
    except KeyError:
        raise UnreadableFile(str(archive), f"there is no {member} in it") from None
    except RuntimeError as error:  # it is encrypted, or packed in a way that Python lacks
        raise UnreadableFile(str(archive), f"it cannot be unpacked ({error})") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise UnreadableFile(str(archive), _NOT_WHOLE, _REMEDY) from None
