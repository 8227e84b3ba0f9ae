"""Small pieces of Markdown."""

from __future__ import annotations

import re
import textwrap
from collections import Counter


class Slugs:
    """The anchors of the headings of one page, in order: those that occur twice are numbered."""

    def __init__(self, *headings: str) -> None:
        self.seen: Counter[str] = Counter()
        for each in headings:
            self.of(each)

    def of(self, heading: str) -> str:
        """The anchor of the next heading."""
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        self.seen[plain] += 1
        return plain if self.seen[plain] == 1 else f"{plain}-{self.seen[plain] - 1}"


def fenced(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```\n"


def bullet(text: str) -> str:
    """An entry of a list, in lines of the usual width."""
    return textwrap.fill(
        text, 100, initial_indent="- ", subsequent_indent="  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table with headings."""
    lines = [headings, (":--",) * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(cell, row))} |" for row in lines) + "\n"


_RULE = r"^(=+) +=+$"
_TABLE = re.compile(rf"{_RULE}\n(.+)\n{_RULE}\n(.*?)\n{_RULE}\n", re.MULTILINE | re.DOTALL)


def with_tables(text: str) -> str:
    """A docstring whose tables of two columns are written as Markdown has them."""
    return _TABLE.sub(_as_markdown, text)


def _as_markdown(found: re.Match[str]) -> str:
    width = len(found[1])
    headings, *rows = (
        (line[:width].strip(), line[width:].strip()) for line in (found[2], *found[4].splitlines())
    )
    return table(headings, [*rows])
