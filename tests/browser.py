"""A real browser to test pages with: headless Chromium, spoken to through a pipe.

The DevTools protocol over ``--remote-debugging-pipe`` needs no port, no driver and no
library: messages are JSON, each ended by a zero byte.
"""

from __future__ import annotations

import base64
import json
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
"""The browser, or None; `.ci/chromium` installs it from Debian's packages."""

_PATIENCE = 60.0
_KEYS = {
    "Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, " ": 32,
}  # fmt: skip


_LAUNCH = """
import os, sys
for given, number in ((int(sys.argv[1]), 103), (int(sys.argv[2]), 104), (103, 3), (104, 4)):
    os.dup2(given, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The browser reads from 3 and writes to 4, whatever the pipes are called here."""


class BrowserError(Exception):
    """What the browser refused, or did not answer."""


class Browser:
    """A running browser; it ends with the block in which it was opened."""

    def __init__(self) -> None:
        assert CHROMIUM is not None
        self._profile = tempfile.mkdtemp(prefix="cranfield-browser-")
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        command = [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--remote-debugging-pipe",
            f"--user-data-dir={self._profile}", "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(there), str(back), *command],
            pass_fds=(there, back),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(there)
        os.close(back)
        self._rest = b""
        self._last = 0
        self._targets: list[str] = []
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.send("Browser.close")
            self._process.wait(timeout=20)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def close_pages(self) -> None:
        """Close all tabs and forget what happened on them."""
        while self._targets:
            self.send("Target.closeTarget", targetId=self._targets.pop())
        self.events.clear()

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            got = self._read(time.monotonic() + _PATIENCE, method)
            if got.get("id") == self._last:
                if "error" in got:
                    raise BrowserError(f"{method}: {got['error']}")
                answer: dict[str, Any] = got.get("result", {})
                return answer
            self.events.append(got)

    def wait(self, method: str, session: str) -> None:
        """Wait until something happens on a page, unless it has happened."""
        end = time.monotonic() + _PATIENCE
        while not any(
            e.get("method") == method and e.get("sessionId") == session for e in self.events
        ):
            self.events.append(self._read(end, method))

    def _read(self, end: float, waiting_for: str) -> dict[str, Any]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_READ)
            while b"\0" not in self._rest:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise BrowserError(f"no answer to {waiting_for}")
                arrived = os.read(self._in, 1 << 20)
                if not arrived:
                    raise BrowserError("the browser ended")
                self._rest += arrived
        message, self._rest = self._rest.split(b"\0", 1)
        got: dict[str, Any] = json.loads(message)
        return got

    def open(
        self, path: Path, *, width: int = 1280, scheme: str = "light", hash_: str = ""
    ) -> Page:
        """A file in a tab of its own, on a screen of some width."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self._targets.append(target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.resize(width)
        page.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        page.send("Page.navigate", url=path.resolve().as_uri() + hash_)
        self.wait("Page.loadEventFired", session)
        return page


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask something of this tab."""
        return self._browser.send(method, self._session, **parameters)

    def evaluate(self, script: str) -> Any:
        """What a script gives."""
        got = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in got:
            raise BrowserError(str(got["exceptionDetails"]))
        return got["result"].get("value")

    def text(self, selector: str) -> str:
        """The text of the first element that a selector finds."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))

    def rows(self, selector: str) -> list[list[str]]:
        """The cells of all rows that a selector finds."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        got: list[list[str]] = self.evaluate(
            f"{found}.map(r => [...r.cells].map(c => c.innerText))"
        )
        return got

    def choose(self, selector: str, label: str) -> None:
        """Choose an option by its text, as a reader would."""
        self.evaluate(
            f"""(() => {{ const select = document.querySelector({json.dumps(selector)});
            const wanted = {json.dumps(label)};
            const option = [...select.options].find(o => o.textContent.startsWith(wanted));
            select.value = option.value;
            select.dispatchEvent(new Event("change", {{ bubbles: true }})); }})()"""
        )

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        known = {
            "key": key,
            "code": "Space" if key == " " else key,
            "windowsVirtualKeyCode": _KEYS[key],
        }
        text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {})
        self.send(
            "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **known, **text
        )
        self.send("Input.dispatchKeyEvent", type="keyUp", **known)

    def resize(self, width: int, height: int = 900) -> None:
        """Show the page on a screen of some size; below 600 pixels, on a phone."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600,
        )  # fmt: skip

    def complaints(self) -> list[str]:
        """Everything that the console was told, and every error."""
        wanted = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        self.evaluate("new Promise(done => setTimeout(done, 50))")
        return [json.dumps(event["params"]) for event in self._mine() if event["method"] in wanted]

    def requests(self) -> list[str]:
        """The addresses that were asked for, but for data within the page."""
        self.evaluate("new Promise(done => setTimeout(done, 50))")
        asked = [
            e["params"]["request"]["url"]
            for e in self._mine()
            if e["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in asked if not url.startswith("data:")]

    def dialogs(self) -> list[str]:
        """Alerts that were shown."""
        return [str(e) for e in self._mine() if e["method"] == "Page.javascriptDialogOpening"]

    def _mine(self) -> list[dict[str, Any]]:
        return [e for e in self._browser.events if e.get("sessionId") == self._session]

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Save what the page looks like."""
        got = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **(
            {"clip": self._clip()} if whole else {}))  # fmt: skip
        path.write_bytes(base64.b64decode(got["data"]))

    def _clip(self) -> dict[str, float]:
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def printed(self, path: Path) -> None:
        """Save what the page looks like in print."""
        got = self.send("Page.printToPDF", printBackground=True)
        path.write_bytes(base64.b64decode(got["data"]))
