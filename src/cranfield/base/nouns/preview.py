"""Previews: a noun as a few lines of text, however much it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

_ROWS, _COLUMNS, _FACT = 7, 6, 200
"""Rows and columns that a preview shows, and letters of a fact."""

_DIGITS = frozenset("0123456789–…")


def preview(
    kind: str,
    facts: Iterable[str],
    rows: Sequence[Sequence[str]] = (),
    headings: Sequence[str] = (),
    limit: int = 24,
) -> str:
    """What a noun is in one line, then the first rows of its table, each in a line.

    A cell has at most as many letters as the ``limit``.

    >>> print(preview("Summary", ["2 systems"], [["kNN", "0.25"], ["Random", "0.1"]], ["", "RR"]))
    Summary(2 systems)
              RR
    kNN     0.25
    Random   0.1
    """
    head = f"{kind}({', '.join(_cut(fact, _FACT) for fact in facts)})"
    if not rows:
        return head
    shown = [_few(row, limit) for row in ([headings] if headings else []) + list(rows[:_ROWS])]
    columns = [_aligned(column, bool(headings)) for column in zip(*shown, strict=True)]
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    more = len(rows) - _ROWS
    return "\n".join([head, *lines, *([f"… and {more:,} more"] if more > 0 else [])])


def _few(cells: Sequence[str], limit: int) -> list[str]:
    """The first cells of a row; dots stand for the others."""
    found = [_cut(cell, limit) for cell in cells[:_COLUMNS]]
    return [*found, "…"] if len(cells) > _COLUMNS else found


def _aligned(column: Sequence[str], headed: bool) -> list[str]:
    """The cells of a column in one width: numbers to the right, words to the left."""
    width = max(map(len, column))
    words = any(cell and cell.lstrip("-<")[:1] not in _DIGITS for cell in column[int(headed) :])
    return [cell.ljust(width) if words else cell.rjust(width) for cell in column]


def _cut(text: str, most: int) -> str:
    """Text in one line without control characters, which could steer a terminal."""
    plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def number(value: float, digits: int = 4) -> str:
    """A value of a preview; a dash where it is not known."""
    return "–" if isnan(value) else f"{value:.{digits}f}"
