"""Reviews: printed, or written to a file in the form that its suffix asks for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from cranfield.view.tables import terminal as tables
from cranfield.workbench.review.writing import SUFFIXES, refuse_suffix


class Written(Protocol):
    """What a review found, which can be written to a file."""

    def write(self, path: Path | str) -> None:
        """Write it, by the suffix of the file."""


R = TypeVar("R", bound=Written)


def out_argument(parser: argparse.ArgumentParser) -> None:
    """The file that a review goes to."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=f"the file to write it to ({', '.join(SUFFIXES)}); without it, it is printed",
    )


def show_or_write(
    out: str | None,
    review: Callable[[], R],
    text: Callable[[R, int | None], str],
    summary: Callable[[R], str],
    *,
    kind: str,
) -> None:
    """Review, and print all of it; or write it to a file, and print a summary.

    A file of another suffix is refused before anything is read.
    """
    if out:
        refuse_suffix(out)
    made, width = review(), tables.terminal_width()
    if not out:
        tables.show(text(made, width))
        return
    made.write(out)
    tables.show(tables.wrapped(summary(made), width))
    tables.show(f"{kind}: {out}")
