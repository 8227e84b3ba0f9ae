"""Markdown in which what comes from data stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"([\\`*_<>|\[\]#~])")
_LIST = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")
"""What would begin a member of a list."""


def markdown_text(text: str) -> str:
    r"""Text in one line that Markdown shows as it is.

    >>> print(markdown_text("a_b <i> 5*3"))
    a\_b \<i\> 5\*3
    """
    plain = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LIST.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", plain)


def markdown_row(cells: Iterable[str]) -> str:
    """A row of a table; nothing within a cell can end it."""
    safe = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(safe)} |"


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts, all of which are shown as they are."""
    return "\n".join(
        [
            _cells(headings),
            markdown_row([":--"] * len(headings)),
            *(_cells(row) for row in rows),
        ]
    )


def _cells(row: Sequence[str]) -> str:
    return f"| {' | '.join(map(markdown_text, row))} |"
