"""Progress: bars on a terminal or in a notebook, lines of a log on request.

It is shown of work that takes more than two seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, Protocol, TypeVar

T = TypeVar("T")

_PATIENCE = 2.0
"""Seconds before a bar appears."""


_PAUSE = 10.0
"""Seconds between two lines of a log."""

_DETAIL = 60
"""Characters of what is being done just now."""

Way = Literal["auto", "log", "none"]
"""How progress is shown: as a bar where somebody looks, as lines of a log, or not at all."""


class Screen(Protocol):
    """Where a bar is drawn."""

    draws_bars: ClassVar[bool] = True
    """Whether a bar is drawn, rather than written as a share."""

    def draw(self, text: str) -> None:
        """Draw a line in place of the one before."""

    def wipe(self) -> None:
        """Take the line away."""


class Terminal(Screen):
    """The error stream, on which a line is drawn over the one before."""

    def draw(self, text: str) -> None:
        """Draw a line in place of the one before."""
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def wipe(self) -> None:
        """Take the line away."""
        self.draw("")


class Notebook(Screen):
    """One line of output of the cell that is executed, whatever bars it shows."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def draw(self, text: str) -> None:
        """Draw a line in place of the one before; as text, in which nothing is markup."""
        from IPython.display import display

        cell, shown = self._shell.execution_count, {"text/plain": text}
        if cell in _displays:
            _displays[cell].update(shown, raw=True)
        else:
            _displays.clear()
            _displays[cell] = display(shown, raw=True, display_id=True)

    def wipe(self) -> None:
        """Take the line away."""
        self.draw("")


_displays: dict[int, Any] = {}
"""The line of the cell that showed a bar last, by the number of the cell."""


class Log(Screen):
    """Lines on the error stream, with the time, a few in a minute."""

    draws_bars: ClassVar[bool] = False

    def __init__(self) -> None:
        self._written = -_PAUSE

    def draw(self, text: str) -> None:
        """Write a line, unless the one before is recent."""
        now = time.monotonic()
        if now - self._written >= _PAUSE:
            self._written = now
            sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")
            sys.stderr.flush()

    def wipe(self) -> None:
        """Lines of a log stay."""


_ways: list[Way] = ["auto"]
"""How progress is shown now, and before that."""


@contextmanager
def progress_as(way: Way) -> Iterator[None]:
    """Show progress in another way inside the block, whatever thread works."""
    _ways.append(way)
    try:
        yield
    finally:
        _ways.pop()


def screen() -> Screen | None:
    """A notebook or a terminal; None where nobody looks, as in a file or a pipe."""
    if _ways[-1] != "auto":
        return Log() if _ways[-1] == "log" else None
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if hasattr(shell, "kernel"):
        return Notebook(shell)
    return Terminal() if sys.stderr.isatty() else None


class Bar:
    """How far some work has come. Silent without a screen."""

    def __init__(self, text: str, total: float | None, unit: str, on: Screen | None) -> None:
        self._text, self._total, self._unit, self._screen = text, total, unit, on
        self._started = time.monotonic()
        self._drawn = 0.0
        self._done = 0.0
        self._detail = ""

    def describe(self, detail: str) -> None:
        """Say what is being done just now, in a few words."""
        self._detail = detail[: _DETAIL - 1] + "…" if len(detail) > _DETAIL else detail
        self.advance(0)

    def advance(self, amount: float = 1) -> None:
        """Say that so much more is done."""
        self._done += amount
        now = time.monotonic()
        late = now - self._started > _PATIENCE and now - self._drawn > 0.1
        if self._screen is not None and late:
            self._drawn = now
            self._screen.draw(self.text(drawn=self._screen.draws_bars))

    def __str__(self) -> str:
        return self.text()

    def text(self, *, drawn: bool = True) -> str:
        """What is done, how far it has come, and how long it took and will take."""
        seconds = time.monotonic() - self._started
        detail = f"  {self._detail}" if self._detail else ""
        if not self._total:
            done = f"{self._done:,.0f} {self._unit}".rstrip()
            return f"{self._text}  {done}  {seconds:.0f} s{detail}"
        share = min(self._done / self._total, 1.0)
        left = seconds * (1 - share) / share if share else 0
        filled = round(24 * share)
        line = f"{'━' * filled}{'╌' * (24 - filled)} " if drawn else ""
        return f"{self._text}  {line}{share:4.0%}  {seconds:.0f} s, {left:.0f} s left{detail}"

    def close(self) -> None:
        """Wipe the bar away."""
        if self._screen is not None and self._drawn:
            self._screen.wipe()


@contextmanager
def bar(text: str, total: float | None = None, unit: str = "") -> Iterator[Bar]:
    """A bar for work done inside the block."""
    shown = Bar(text, total, unit, screen())
    try:
        yield shown
    finally:
        shown.close()


def track(things: Iterable[T], text: str, total: int | None = None) -> Iterator[T]:
    """The same things, with a bar that advances by one for each."""
    with bar(text, total) as shown:
        for thing in things:
            yield thing
            shown.advance()
