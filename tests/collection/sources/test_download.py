"""Downloads from a server on this machine: whole, broken, resumed, wrong, missing."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import socket
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import (
    ChecksumMismatch,
    DownloadError,
    OutputError,
    UnreadableFile,
)
from cranfield.collection import datasets
from cranfield.collection.source import read_ratings
from cranfield.collection.sources.download import download, extract

CONTENT = bytes(n % 251 for n in range(300_000))
MD5 = f"md5:{hashlib.md5(CONTENT).hexdigest()}"


class Server:
    """A server of one file, which can be told to misbehave."""

    def __init__(self) -> None:
        self.content = CONTENT
        self.ranges = True
        self.breaks_after: int | None = None
        self.asked: list[str | None] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/file.zip"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.asked.append(wanted)
        if not request.path.endswith("/file.zip"):
            request.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        if start >= len(self.content) > 0:
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(self.content)}")
            request.end_headers()
            return
        body = self.content[start:]
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if self.breaks_after is not None:
            body = body[: self.breaks_after]
            self.breaks_after = None
        request.wfile.write(body)


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.http.shutdown()
    started.http.server_close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_whole_download_is_put_in_place(server: Server, tmp_path: Path) -> None:
    target = download(server.url, tmp_path / "new" / "file.zip", MD5)
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file.zip"]


def test_a_broken_download_is_resumed(server: Server, tmp_path: Path) -> None:
    server.breaks_after = 100_000
    with pytest.raises(DownloadError, match="broke off after 100,000 of 300,000 bytes"):
        download(server.url, tmp_path / "file.zip", MD5)
    assert names(tmp_path) == ["file.zip.part"]
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=100000-"]
    assert names(tmp_path) == ["file.zip"]


def test_a_server_that_cannot_resume_sends_all_again(server: Server, tmp_path: Path) -> None:
    server.ranges = False
    (tmp_path / "file.zip.part").write_bytes(CONTENT[:1000])
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT


def test_a_part_that_is_whole_already_is_only_verified(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.zip.part").write_bytes(CONTENT)
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT


def test_a_part_longer_than_the_file_is_fetched_anew(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.zip.part").write_bytes(CONTENT + b"more")
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT


def test_a_wrong_checksum_discards_the_file(server: Server, tmp_path: Path) -> None:
    server.content = b"something else"
    found = hashlib.md5(b"something else").hexdigest()
    with pytest.raises(ChecksumMismatch, match=f"the checksum is {found}, expected"):
        download(server.url, tmp_path / "file.zip", MD5)
    assert names(tmp_path) == []


def test_a_file_the_server_does_not_have_leaves_nothing(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"answers 404 Not Found\. Nothing was fetched\."):
        download(server.url.replace("file.zip", "other.zip"), tmp_path / "file.zip")
    assert names(tmp_path) == []


def test_a_server_out_of_reach_is_named(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/file.zip"
        with pytest.raises(DownloadError, match="the server cannot be reached"):
            download(url, tmp_path / "file.zip")


def test_a_folder_that_cannot_be_made_is_an_output_error(server: Server, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file is in the way")
    with pytest.raises(OutputError):
        download(server.url, tmp_path / "taken" / "file.zip")


def zipped(member: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return packed.getvalue()


def test_a_member_of_a_zip_is_extracted(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped("in/u.data", b"1\t2\t3\t4\n"))
    assert (
        extract(tmp_path / "a.zip", "in/u.data", tmp_path / "u.data").read_bytes()
        == b"1\t2\t3\t4\n"
    )


def test_a_member_of_a_tar_is_extracted(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("in/plays.tsv")
        entry.size = 5
        archive.addfile(entry, io.BytesIO(b"plays"))
    assert extract(tmp_path / "a.tar.gz", "in/plays.tsv", tmp_path / "p").read_bytes() == b"plays"


def test_a_damaged_archive_leaves_nothing_behind(tmp_path: Path) -> None:
    content = zipped("u.data", CONTENT)
    damaged = bytearray(content)
    damaged[200:210] = b"0123456789"
    for broken in (bytes(damaged), content[: len(content) // 2], zipped("other", b"")):
        (tmp_path / "a.zip").write_bytes(broken)
        with pytest.raises(UnreadableFile, match=r"a\.zip: "):
            extract(tmp_path / "a.zip", "u.data", tmp_path / "u.data")
        assert names(tmp_path) == ["a.zip"]


def test_a_data_set_is_fetched_once_and_its_terms_are_named(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CRANFIELD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CRANFIELD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    server.content = zipped("ml-100k/u.data", b"196\t242\t3\t881250949\n")
    checksum = f"md5:{hashlib.md5(server.content).hexdigest()}"
    known = dataclasses.replace(datasets.DATA_SETS["ml-100k"], url=server.url, checksum=checksum)
    monkeypatch.setitem(datasets.DATA_SETS, "ml-100k", known)
    server.breaks_after = 50
    with pytest.raises(DownloadError, match="run again to resume"):
        read_ratings("ml-100k")
    for _ in range(2):
        assert read_ratings("ml-100k").to_polars().row(0) == (196, 242, 3.0, 881250949)
    assert server.asked == [None, "bytes=50-"]
    assert names(tmp_path / "cache" / "ml-100k") == ["u.data"]
    assert known.terms in capsys.readouterr().err
