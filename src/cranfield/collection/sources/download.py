"""Downloads: resumed where they broke off, verified, and put in place only when whole."""

from __future__ import annotations

import re
import threading
import time
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from queue import Empty, SimpleQueue
from ssl import SSLError
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cranfield.base.errors import ChecksumMismatch, DownloadError, OutputError, shown
from cranfield.base.files import digest_of
from cranfield.base.progress import bar

_BLOCK = 1 << 16
_PATIENCE = 60.0
"""Seconds in which a server must answer, and after which its speed is looked at."""
_SLOWEST = 1 << 10
"""Bytes a second below which a server is given up."""
_BEYOND_THE_END = 416
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


_BROKEN = (URLError, HTTPException, TimeoutError, ConnectionError, SSLError, ValueError)
"""What a server, or the way to it, can do wrong; the last, where it leads to no address."""


class _StartOver(Exception):
    """What has arrived is no part of the file that the server has now."""


def download(url: str, target: Path, checksum: str | None = None, source: str = "") -> Path:
    """Fetch a file, from where an earlier attempt broke off, and verify it.

    What has arrived lies beside the target as ``.part`` until it is whole and its checksum
    (``md5:…`` or ``sha256:…``, by ``source``) is right; a file with another is discarded.
    Without a checksum a file is resumed only if the server confirms that it is still the
    same, and taken for whole only if the server states its length.
    """
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _fetch(url, part, sure=checksum is not None)
        _tag_file(part).unlink(missing_ok=True)
        verify(url, part, checksum, source)
        part.replace(target)
    except _BROKEN as error:
        raise DownloadError(url, _problem(error), kept=part.exists()) from None
    except OSError as error:
        raise OutputError(str(target), error.strerror or str(error)) from None
    return target


def _fetch(url: str, part: Path, *, sure: bool) -> None:
    """Append to a part what is still missing of it; start over, once, if that cannot be."""
    tag = _tag_of(part)
    if part.exists() and (tag or sure):
        try:
            return _append(url, part, tag, sure=sure)
        except _StartOver:
            pass
    part.unlink(missing_ok=True)
    _tag_file(part).unlink(missing_ok=True)
    try:
        _append(url, part, None, sure=sure)
    except _StartOver:
        raise ConnectionError("the server sent a part of the file instead of the whole") from None


def _append(url: str, part: Path, tag: str | None, *, sure: bool) -> None:
    """Ask for the rest of a part, or for all, and write it."""
    done = part.stat().st_size if part.exists() else 0
    wanted = {"Range": f"bytes={done}-"} if done else {}
    if done and tag:
        wanted["If-Range"] = tag
    try:
        answer = _answer(url, wanted)
    except HTTPError as error:
        error.close()
        if error.code != _BEYOND_THE_END or not done:
            raise
        if error.headers.get("Content-Range") != f"bytes */{done}":
            raise _StartOver from None
        return  # nothing lies beyond what has arrived
    with answer:
        resumed = answer.status == 206
        whole = _length(answer.headers, done if resumed else 0, sure=sure)
        if not resumed:
            _note_tag(part, answer.headers)
        with part.open("ab" if resumed else "wb") as file:
            _copy(answer, file, url, done if resumed else 0, whole)


def _answer(url: str, headers: dict[str, str]) -> HTTPResponse:
    """The answer of a server, which must come in time, however it trickles."""
    found: SimpleQueue[HTTPResponse | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            found.put(urlopen(Request(url, headers=headers), timeout=_PATIENCE))
        except Exception as error:  # raised where the answer is awaited
            found.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = found.get(timeout=_PATIENCE)
    except Empty:
        raise TimeoutError(f"there was no answer in {_PATIENCE:g} seconds") from None
    if isinstance(answer, Exception):
        raise answer
    if url.startswith("https:") and not answer.url.startswith("https:"):
        answer.close()
        raise ConnectionError(f"it leads to {shown(answer.url)}, which is not encrypted")
    return answer


def _length(headers: HTTPMessage, done: int, *, sure: bool) -> int | None:
    """How long the whole file is; None where that is not stated and need not be.

    An answer in chunks says by itself where it ends.
    """
    if done:
        range_ = _RANGE.fullmatch(headers.get("Content-Range") or "")
        if range_ is None or int(range_[1]) != done:
            raise _StartOver
        if range_[2] != "*":
            return int(range_[2])
    elif headers.get("Content-Range"):
        raise _StartOver
    stated = headers.get("Content-Length")
    if stated is None:
        if sure or "chunked" in (headers.get("Transfer-Encoding") or "").lower():
            return None
        raise ConnectionError("the server does not state how long the file is")
    if not (stated.isascii() and stated.isdecimal()):
        raise ConnectionError(f"the server states {shown(stated)} as the length of the file")
    return done + int(stated)


def _copy(answer: HTTPResponse, file: IO[bytes], url: str, done: int, whole: int | None) -> None:
    since, before = time.monotonic(), done
    with bar(f"Downloading {url.rpartition('/')[2]}", whole, "bytes") as progress:
        progress.advance(done)
        while block := answer.read1(_BLOCK):  # what is there, and does not wait for more
            file.write(block)
            done += len(block)
            progress.advance(len(block))
            if (now := time.monotonic()) - since > _PATIENCE:
                if done - before < _SLOWEST * _PATIENCE:
                    raise TimeoutError(
                        f"only {done - before:,} bytes arrived in {_PATIENCE:g} seconds"
                    )
                since, before = now, done
    if whole is not None and done != whole:
        raise ConnectionError(f"the connection broke off after {done:,} of {whole:,} bytes")


def _tag_file(part: Path) -> Path:
    """Where it is noted which version of a file a part is of."""
    return part.with_name(part.name + ".version")


def _tag_of(part: Path) -> str | None:
    try:
        return _tag_file(part).read_text("ascii")
    except (OSError, ValueError):
        return None


def _note_tag(part: Path, headers: HTTPMessage) -> None:
    """Note what tells this version of a file from others: a strong tag, else its date."""
    tag = headers.get("ETag") or ""
    noted = tag if tag.startswith('"') else headers.get("Last-Modified") or ""
    if noted.isascii() and noted.isprintable() and noted:
        _tag_file(part).write_text(noted, "ascii")


def verify(url: str, path: Path, checksum: str | None, source: str = "") -> None:
    """Refuse and discard a file that has not the checksum, if one is known."""
    kind, _, expected = (checksum or "").partition(":")
    if checksum and (found := digest_of(path, kind)) != expected.lower():
        path.unlink()
        raise ChecksumMismatch(url, expected, found, source)


def _problem(error: Exception) -> str:
    if isinstance(error, HTTPError):
        return f"the server answers {error.code} {error.reason}"
    if isinstance(error, URLError):
        return f"the server cannot be reached ({error.reason})"
    return str(error) or f"the connection failed ({type(error).__name__})"
