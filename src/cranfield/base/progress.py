"""Progress bars: shown on a terminal, for work that takes more than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_PATIENCE = 2.0
"""Seconds before a bar appears."""


class Bar:
    """How far some work has come. Silent until told that it is shown on a terminal."""

    def __init__(self, text: str, total: float | None, unit: str, visible: bool) -> None:
        self._text, self._total, self._unit, self._visible = text, total, unit, visible
        self._started = time.monotonic()
        self._drawn = 0.0
        self._done = 0.0

    def advance(self, amount: float = 1) -> None:
        """Say that so much more is done."""
        self._done += amount
        now = time.monotonic()
        if self._visible and now - self._started > _PATIENCE and now - self._drawn > 0.1:
            self._drawn = now
            sys.stderr.write(f"\r\x1b[K{self}")
            sys.stderr.flush()

    def __str__(self) -> str:
        seconds = time.monotonic() - self._started
        if not self._total:
            done = f"{self._done:,.0f} {self._unit}".rstrip()
            return f"{self._text}  {done}  {seconds:.0f} s"
        share = min(self._done / self._total, 1.0)
        left = seconds * (1 - share) / share if share else 0
        filled = round(24 * share)
        drawn = "━" * filled + "╌" * (24 - filled)
        return f"{self._text}  {drawn} {share:4.0%}  {seconds:.0f} s, {left:.0f} s left"

    def close(self) -> None:
        """Wipe the bar away."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def bar(text: str, total: float | None = None, unit: str = "") -> Iterator[Bar]:
    """A bar for work done inside the block."""
    shown = Bar(text, total, unit, visible=sys.stderr.isatty())
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
