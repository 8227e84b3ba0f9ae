"""A web server on this machine that sends parts of files, as Polars asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server that has the files of a folder."""

    class Handler(BaseHTTPRequestHandler):
        """Answers HEAD and GET, whole or in ranges."""

        def do_HEAD(self) -> None:
            self._answer(send=False)

        def do_GET(self) -> None:
            self._answer(send=True)

        def _answer(self, *, send: bool) -> None:
            path = folder / unquote(urlsplit(self.path).path).lstrip("/")
            if not path.is_file():
                self.send_error(404)
                return
            content = path.read_bytes()
            part, start = content, 0
            if asked := re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "")):
                first, last = asked.groups()
                start = int(first) if first else max(0, len(content) - int(last))
                part = content[start : int(last) + 1 if first and last else None]
                self.send_response(206)
                ends = f"{start}-{start + len(part) - 1}"
                self.send_header("Content-Range", f"bytes {ends}/{len(content)}")
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(part)))
            self.send_header("Accept-Ranges", "bytes")
            self.end_headers()
            if send:
                self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
