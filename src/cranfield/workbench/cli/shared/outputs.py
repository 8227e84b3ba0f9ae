"""Files that a command is to write, and those that it reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from cranfield.base.errors import OutputError
from cranfield.base.packed import exists

_WRITTEN = ("out", "json", "per_user", "plot")
"""Arguments that name a file to write."""


def refuse_overwriting(arguments: argparse.Namespace) -> None:
    """Refuse to write over a file that the same command reads, such as the user's ratings."""
    given = vars(arguments)
    written = [given[name] for name in _WRITTEN if isinstance(given.get(name), str)]
    for out in filter(exists, map(Path, written)):
        for read in _named_files(given):
            if exists(read) and read.is_file() and read.samefile(out):
                raise OutputError(str(out), "this command reads it; name another file")


def _named_files(given: dict[str, object]) -> Iterator[Path]:
    """What may be a file among the other arguments, also as NAME=FILE."""
    for name, value in given.items():
        for text in value if isinstance(value, list) else [value]:
            if name not in _WRITTEN and isinstance(text, str):
                yield Path(text)
                yield Path(text.partition("=")[2])
