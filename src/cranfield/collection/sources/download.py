"""Downloads: resumed where they broke off, verified, and put in place only when whole."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cranfield.base.errors import ChecksumMismatch, DownloadError, OutputError, UnreadableFile
from cranfield.base.files import writing
from cranfield.base.progress import bar

_BLOCK = 1 << 16
_PATIENCE = 30
"""Seconds without a sign of life before a server is given up."""


def download(url: str, target: Path, checksum: str | None = None) -> Path:
    """Fetch a file, from where an earlier attempt broke off, and verify it.

    What has arrived lies beside the target as ``.part`` until it is whole and its checksum
    (``md5:…`` or ``sha256:…``) is right; a whole file with another checksum is discarded.
    """
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _fetch(url, part)
        _verify(url, part, checksum)
        part.replace(target)
    except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise DownloadError(url, _problem(error), kept=part.exists()) from None
    except OSError as error:
        raise OutputError(str(target), error.strerror or str(error)) from None
    return target


def _fetch(url: str, part: Path) -> None:
    """Append to a part what is still missing of it; start over if the server must."""
    done = part.stat().st_size if part.exists() else 0
    wanted = {"Range": f"bytes={done}-"} if done else {}
    try:
        answer: HTTPResponse = urlopen(Request(url, headers=wanted), timeout=_PATIENCE)
    except HTTPError as error:
        if error.code != 416:  # nothing lies beyond what has arrived
            raise
        if _size_of_whole(error.headers.get("Content-Range")) != done:
            part.unlink()
            _fetch(url, part)
        return
    with answer:
        resumed = answer.status == 206
        with part.open("ab" if resumed else "wb") as file:
            _copy(answer, file, url, done if resumed else 0)


def _copy(answer: HTTPResponse, file: IO[bytes], url: str, done: int) -> None:
    left = answer.headers.get("Content-Length")
    whole = done + int(left) if left else None
    with bar(f"Downloading {url.rpartition('/')[2]}", whole, "bytes") as shown:
        shown.advance(done)
        while block := answer.read(_BLOCK):
            file.write(block)
            done += len(block)
            shown.advance(len(block))
    if whole is not None and done < whole:
        raise ConnectionError(f"the connection broke off after {done:,} of {whole:,} bytes")


def _size_of_whole(content_range: str | None) -> int | None:
    """The size that a server states when asked for more than there is: ``bytes */1234``."""
    size = (content_range or "").rpartition("/")[2]
    return int(size) if size.isdecimal() else None


def _verify(url: str, part: Path, checksum: str | None) -> None:
    if checksum is None:
        return
    kind, _, expected = checksum.partition(":")
    with part.open("rb") as file:
        found = hashlib.file_digest(file, kind).hexdigest()
    if found != expected.lower():
        part.unlink()
        raise ChecksumMismatch(url, expected, found)


def _problem(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"the server answers {error.code} {error.reason}"
    if isinstance(error, URLError):
        return f"the server cannot be reached ({error.reason})"
    return str(error) or f"the connection failed ({type(error).__name__})"


def extract(archive: Path, member: str, target: Path) -> Path:
    """Take one file out of a zip or tar archive; it takes its name only when whole."""
    with _member(archive, member) as packed, writing(target) as aside, aside.open("wb") as file:
        shutil.copyfileobj(packed, file, _BLOCK)
    return target


@contextmanager
def _member(archive: Path, member: str) -> Iterator[IO[bytes]]:
    """A file inside an archive, opened."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped, zipped.open(member) as packed:
                yield packed
        else:
            with tarfile.open(archive) as tarred:
                packed_file = tarred.extractfile(member)
                if packed_file is None:
                    raise KeyError(member)
                with packed_file as packed:
                    yield packed
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError):
        raise UnreadableFile(str(archive), "it is not a whole archive", "Remove it.") from None
    except KeyError:
        raise UnreadableFile(str(archive), f"there is no {member} in it") from None
