"""Tables for a terminal: aligned, bounded in width, plain when redirected."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from textwrap import fill, wrap
from typing import IO, Literal

from cranfield.base.dataclass import dataclass

_WIDE = 10_000
"""Columns of a redirected table: nothing is wrapped or cut for a file or a pipe."""
WARNING = "Warning: "
"""How a note begins that readers must not miss."""
_NAME = 12
"""Letters in which a name is wrapped at the narrowest."""
_BETWEEN = 3
"""Letters between two columns."""


def render(
    rows: Iterable[Sequence[str]],
    headings: Sequence[str] = (),
    *,
    title: str = "",
    left: Iterable[int] = (0,),
    width: int | None = None,
) -> str:
    """A table as text; columns are right-aligned but for those in ``left``.

    Everything that comes from data is shown as it is: brackets are not markup here. A table
    that is wider than ``width`` has its headings and names wrapped; where that does not
    suffice, the columns that remain follow below, under the same names. No number is cut.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    columns = len(headings) or max(map(len, cells), default=0)
    grid = _Grid([printable(each) for each in headings], cells, frozenset(left), columns)
    parts = [grid] if width is None or grid.natural <= width else grid.wrapped().split(width)
    lines = "\n\n".join(part.draw(width) for part in parts)
    return f"{printable(title)}\n{lines}" if title else lines


def fits(
    rows: Sequence[Sequence[str]],
    headings: Sequence[str],
    width: int | None,
    *,
    left: Iterable[int] = (0,),
) -> bool:
    """Whether a table need not be divided to be shown in a width, once headings are wrapped."""
    cells = [list(row) for row in rows]
    grid = _Grid(list(headings), cells, frozenset(left), len(headings))
    return width is None or grid.natural <= width or len(grid.wrapped().split(width)) == 1


@dataclass(frozen=True)
class _Grid:
    """The texts of a table; those of ``left`` columns may be wrapped, numbers may not."""

    headings: list[str]
    cells: list[list[str]]
    left: frozenset[int]
    columns: int

    def width_of(self, column: int) -> int:
        """The widest cell of a column, its heading included."""
        texts = [row[column] for row in self.cells if column < len(row)]
        heading = self.headings[column].split("\n") if self.headings else []
        return max((_cells(text) for text in (*texts, *heading)), default=0)

    def least(self, column: int) -> int:
        """The narrowest that a column can be."""
        whole = self.width_of(column)
        return min(whole, _NAME) if column in self.left else whole

    @property
    def natural(self) -> int:
        """The width of the table if nothing is wrapped."""
        return _total([self.width_of(column) for column in range(self.columns)])

    @property
    def names(self) -> list[int]:
        """The leading columns, which say what a row is about."""
        leading = takewhile(self.left.__contains__, range(self.columns))
        found = list(leading)
        return found if 0 < len(found) < self.columns else [0]

    def wrapped(self) -> _Grid:
        """The same with headings in several lines, where cells are narrower."""
        made = []
        for column, heading in enumerate(self.headings):
            bare = replace(self, headings=["" for _ in self.headings]).width_of(column)
            longest = max(map(_cells, heading.split()), default=0)
            made.append("\n".join(wrap(heading, max(bare, longest, 1))) or heading)
        return replace(self, headings=made)

    def split(self, width: int) -> list[_Grid]:
        """The table as several, one below the other, each with the columns that fit."""
        names = self.names
        if not self.columns:
            return [self]
        blocks: list[list[int]] = [[]]
        for column in (each for each in range(self.columns) if each not in names):
            wanted = _total([self.least(each) for each in (*names, *blocks[-1], column)])
            if blocks[-1] and wanted > width:
                blocks.append([])
            blocks[-1].append(column)
        return [self._of([*names, *block]) for block in blocks]

    def _of(self, columns: list[int]) -> _Grid:
        return _Grid(
            [self.headings[each] for each in columns] if self.headings else [],
            [[row[each] for each in columns if each < len(row)] for row in self.cells],
            frozenset(place for place, each in enumerate(columns) if each in self.left),
            len(columns),
        )

    def draw(self, width: int | None) -> str:
        """The table as lines of text; what fits is left as it is, whatever version of Rich."""
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        bound = None if width is None or self.natural <= width else width
        console = Console(width=bound or _WIDE, color_system=None, force_terminal=False)
        table = Table(
            box=box.SIMPLE_HEAD if self.headings else None,
            show_header=bool(self.headings),
            pad_edge=False,
            show_edge=False,
        )
        for column in range(self.columns):
            name = Text(self.headings[column]) if self.headings else ""
            text = column in self.left
            least = None if text or bound is None else self.least(column)
            side: Literal["left", "right"] = "left" if text else "right"
            table.add_column(name, justify=side, no_wrap=not text, overflow="fold", min_width=least)
        for row in self.cells:
            table.add_row(*map(Text, row))
        with console.capture() as captured:
            console.print(table)
        return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * max(len(widths) - 1, 0)


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


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


def noted(note: str, width: int | None) -> str:
    """A note in lines of a width, marked as one unless it is a warning.

    >>> noted("few users.", None), noted("Warning: few users.", None)
    ('note: few users.', 'Warning: few users.')
    """
    return wrapped(note if note.startswith(WARNING) else f"note: {note}", width)


def strong(text: str, stream: IO[str] | None = None) -> str:
    """Text in bold on a terminal; as it is where that is not wanted, as in a file."""
    out = stream or sys.stdout
    plain = not out.isatty() or "NO_COLOR" in os.environ
    return text if plain else f"\x1b[1m{text}\x1b[0m"
