"""Tables for a terminal: aligned, bounded in width, plain when redirected."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import IO

_WIDE = 10_000
"""Columns of a redirected table: nothing is wrapped or cut for a file or a pipe."""


def render(
    rows: Iterable[Sequence[str]],
    headings: Sequence[str] = (),
    *,
    title: str = "",
    left: Iterable[int] = (0,),
    width: int | None = None,
) -> str:
    """A table as text; columns are right-aligned but for those in ``left``.

    Everything that comes from data is shown as it is: brackets are not markup here.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=width or _WIDE, color_system=None, force_terminal=False)
    table = Table(
        box=box.SIMPLE_HEAD if headings else None,
        show_header=bool(headings),
        pad_edge=False,
        show_edge=False,
    )
    cells = [[printable(cell) for cell in row] for row in rows]
    columns = len(headings) or max(map(len, cells), default=0)
    for column in range(columns):
        name = Text(printable(headings[column])) if headings else ""
        table.add_column(name, justify="left" if column in set(left) else "right")
    for row in cells:
        table.add_row(*map(Text, row))
    with console.capture() as captured:
        console.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join([printable(title), *lines] if title else lines)


def show(text: str, stream: IO[str] | None = None) -> None:
    """Print text on a terminal or into a pipe, whatever its encoding can hold."""
    out = stream or sys.stdout
    encoding = getattr(out, "encoding", None) or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def terminal_width() -> int | None:
    """The columns of the terminal; None when the output is redirected."""
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def printable(text: str) -> str:
    """Text from data without the control characters that could steer a terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)


def wrapped(text: str, width: int | None, mark: str = "") -> str:
    """A sentence from data in lines of a width, after a mark; one line without a width.

    >>> print(wrapped("one two three", 9, mark="· "))
    · one two
      three
    """
    if width is None:
        return f"{mark}{printable(text)}"
    return fill(printable(text), width, initial_indent=mark, subsequent_indent=" " * len(mark))


def strong(text: str, stream: IO[str] | None = None) -> str:
    """Text in bold on a terminal; as it is where that is not wanted, as in a file."""
    out = stream or sys.stdout
    plain = not out.isatty() or "NO_COLOR" in os.environ
    return text if plain else f"\x1b[1m{text}\x1b[0m"
