"""Downloads from a server on this machine: whole, broken, resumed, wrong, missing."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import io
import json
import socket
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
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
from cranfield.collection.sources.download import download

CONTENT = bytes(n % 251 for n in range(300_000))
MD5 = f"md5:{hashlib.md5(CONTENT).hexdigest()}"


class Server:
    """A server of one file, which can be told to misbehave."""

    def __init__(self) -> None:
        self.content = CONTENT
        self.ranges = True
        self.breaks_after: int | None = None
        self.headers: dict[str, str | None] = {}
        """Headers to send in place of the right ones; None leaves one out."""
        self.asked: list[str | None] = []
        self.confirmed: list[str | None] = []
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
        self.confirmed.append(request.headers.get("If-Range"))
        if not request.path.startswith("/file."):
            request.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        if start >= len(self.content) > 0:
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(self.content)}")
            request.end_headers()
            return
        body = self.content[start:]
        # Before anything is sent: once headers are out, the test may be at its next request.
        ends, self.breaks_after = self.breaks_after, None
        headers: dict[str, str | None] = {"Content-Length": str(len(body))}
        if start:
            end, size = len(self.content) - 1, len(self.content)
            headers["Content-Range"] = f"bytes {start}-{end}/{size}"
        request.send_response(206 if start else 200)
        for name, value in (headers | self.headers).items():
            if value is not None:
                request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body[:ends])


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
    with pytest.raises(DownloadError, match=r"answers 404 Not Found\. Nothing was downloaded\."):
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


def test_a_part_is_resumed_without_a_checksum_only_if_the_file_is_still_the_same(
    server: Server, tmp_path: Path
) -> None:
    server.headers = {"ETag": '"first"'}
    for breaks_after, expected in ((1000, None), (1000, '"first"'), (None, '"first"')):
        server.breaks_after = breaks_after
        with suppress(DownloadError):
            download(server.url, tmp_path / "file.zip")
        assert server.confirmed[-1] == expected
    assert server.asked == [None, "bytes=1000-", "bytes=2000-"]
    assert (tmp_path / "file.zip").read_bytes() == CONTENT
    assert names(tmp_path) == ["file.zip"]


@pytest.mark.parametrize("tag", [None, 'W/"weak"'])
def test_a_part_of_an_unknown_version_is_fetched_anew(
    server: Server, tmp_path: Path, tag: str | None
) -> None:
    server.headers, server.breaks_after = {"ETag": tag}, 1000
    with pytest.raises(DownloadError):
        download(server.url, tmp_path / "file.zip")
    server.content = CONTENT[::-1]
    assert download(server.url, tmp_path / "file.zip").read_bytes() == CONTENT[::-1]
    assert server.asked == [None, None]


@pytest.mark.parametrize("range_", ["bytes 0-299999/300000", "bytes 7-9/10", "rows 1-2/3", None])
def test_another_part_than_the_one_asked_for_is_not_appended(
    server: Server, tmp_path: Path, range_: str | None
) -> None:
    (tmp_path / "file.zip.part").write_bytes(CONTENT[:1000])
    server.headers = {"Content-Range": range_}
    with suppress(DownloadError):  # the whole is no part either
        download(server.url, tmp_path / "file.zip", MD5)
    assert server.asked == ["bytes=1000-", None]
    server.headers = {}
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT


@pytest.mark.parametrize("length", ["abc", "-1", "٣", ""])
def test_a_length_that_is_none_is_named(server: Server, tmp_path: Path, length: str) -> None:
    server.headers = {"Content-Length": length.encode().decode("latin-1")}
    with pytest.raises(DownloadError, match=r"the server states .* as the length of the file"):
        download(server.url, tmp_path / "file.zip")


def test_an_answer_of_unknown_length_counts_only_with_a_checksum(
    server: Server, tmp_path: Path
) -> None:
    server.headers = {"Content-Length": None}
    with pytest.raises(DownloadError, match="does not state how long the file is"):
        download(server.url, tmp_path / "file.zip")
    server.breaks_after = 1000
    with pytest.raises(ChecksumMismatch):
        download(server.url, tmp_path / "file.zip", MD5)
    assert download(server.url, tmp_path / "file.zip", MD5).read_bytes() == CONTENT


class Always(Server):
    """A server that gives the same answer whatever is asked."""

    def __init__(self, status: int, *headers: tuple[str, str]) -> None:
        super().__init__()
        self.status, self.fixed = status, headers

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        request.send_response(self.status)
        for name, value in self.fixed:
            request.send_header(name, value)
        request.end_headers()


@pytest.mark.parametrize(
    ("status", "headers", "problem"),
    [
        (416, [("Content-Range", "bytes */12")], "answers 416"),
        (302, [("Location", "http://[::1")], "Invalid IPv6"),
        (302, [("Location", "http://a b/c")], "can't contain control characters"),
        (302, [("Location", "file:///etc/passwd")], "answers 302 .*not allowed"),
        (206, [("Content-Range", "bytes 0-1/2"), ("Content-Length", "2")], "sent a part"),
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_server_that_answers_nonsense_is_told_in_a_sentence(
    tmp_path: Path, status: int, headers: list[tuple[str, str]], problem: str
) -> None:
    (tmp_path / "file.zip.part").write_bytes(b"begun")
    server = Always(status, *headers)
    try:
        with pytest.raises(DownloadError, match=problem):
            download(server.url, tmp_path / "file.zip", MD5)
    finally:
        server.http.shutdown()
        server.http.server_close()
        gc.collect()  # Python does not close the answer that redirects to no address


class Trickling(Server):
    """A server that sends a byte now and then, of its answer or already of the headers."""

    def __init__(self, *, headers_too: bool) -> None:
        super().__init__()
        self.headers_too, self.over = headers_too, threading.Event()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        with suppress(OSError):
            if not self.headers_too:
                request.send_response(200)
                request.send_header("Content-Length", "1000000")
                request.end_headers()
            while not self.over.wait(0.02):
                request.wfile.write(b"H")


@pytest.mark.parametrize(
    ("headers_too", "problem"),
    [(True, r"no answer in 0\.3 seconds"), (False, r"only \d+ bytes arrived in 0\.3 seconds")],
)
def test_a_server_that_trickles_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers_too: bool, problem: str
) -> None:
    monkeypatch.setattr("cranfield.collection.sources.download._PATIENCE", 0.3)
    server = Trickling(headers_too=headers_too)
    try:
        with pytest.raises(DownloadError, match=problem):
            download(server.url, tmp_path / "file.zip", MD5)
    finally:
        server.over.set()
        server.http.shutdown()
        server.http.server_close()


def zipped(member: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return packed.getvalue()


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
    with pytest.raises(DownloadError, match="run the command again to resume"):
        read_ratings("ml-100k")
    for _ in range(2):
        assert read_ratings("ml-100k").to_polars().row(0) == (196, 242, 3.0, 881250949)
    assert server.asked == [None, "bytes=50-"]
    assert names(tmp_path / "cache" / "ml-100k") == ["u.data"]
    assert known.terms in capsys.readouterr().err


@pytest.fixture
def amazon(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> datasets.DataSet:
    """A data set for which nobody states a checksum, on this machine."""
    monkeypatch.setenv("CRANFIELD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CRANFIELD_DATA", raising=False)
    server.content = b"u1,i1,5,978\nu2,i1,4,979\n"
    url = server.url.replace(".zip", ".csv")
    known = datasets.DATA_SETS["amazon-digital-music"]
    known = dataclasses.replace(known, url=url, checksum=None)
    monkeypatch.setitem(datasets.DATA_SETS, known.name, known)
    return known


def test_a_file_without_a_checksum_is_recorded_and_later_ones_held_to_it(
    server: Server, amazon: datasets.DataSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(read_ratings(amazon.name)) == 2
    cache, digest = tmp_path / "cache", hashlib.sha256(server.content).hexdigest()
    record = cache / f"{amazon.name}.download.json"
    facts = {"url": amazon.url, "bytes": 24, "sha256": digest, "rows": 2}
    assert json.loads(record.read_text()) == facts
    said = capsys.readouterr().err
    assert f"Recorded in {record}: 24 bytes, 2 rows, SHA-256 {digest}." in said
    file = cache / amazon.name / amazon.file_names[0]
    file.unlink()
    assert len(read_ratings(amazon.name)) == 2
    assert "Recorded" not in capsys.readouterr().err
    file.unlink()
    server.content = server.content.replace(b"5", b"3")
    with pytest.raises(ChecksumMismatch, match=f"recorded at the first download; remove {record}"):
        read_ratings(amazon.name)
    assert not file.exists()


def test_a_damaged_archive_is_fetched_again(
    server: Server, amazon: datasets.DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = "in/ratings.csv"
    known = dataclasses.replace(amazon, files=(member,), url=server.url)
    monkeypatch.setitem(datasets.DATA_SETS, known.name, known)
    whole = zipped(member, b"u1,i1,5,978\n")
    server.content = whole[:40] + b"?" + whole[41:]
    with pytest.raises(UnreadableFile, match="Fetch it again"):
        read_ratings(known.name)
    assert list((tmp_path / "cache").rglob("*")) == [tmp_path / "cache" / known.name]
    server.content = whole
    assert len(read_ratings(known.name)) == 1
