"""Names and files of runs, as ``--run NAME=FILE`` gives them."""

from __future__ import annotations

from pathlib import Path

from cranfield.base.errors import OptionError
from cranfield.collection.tables.locations import file_name, is_address, names_files


def named_runs(given: list[str]) -> dict[str, str]:
    """Names and files of runs; a name is the file's own where none is given."""
    runs: dict[str, str] = {}
    for text in given:
        name, path = _name_and_file(text)
        if not name or not path:
            raise OptionError(f'--run "{text}": give it as NAME=FILE.')
        if name in runs:
            raise OptionError(f'--run: two runs are called "{name}". Name them NAME=FILE.')
        runs[name] = path
    return runs


def _name_and_file(text: str) -> tuple[str, str]:
    """The parts of NAME=FILE; both may hold "=", so the first place that leaves a file counts."""
    if is_address(text):
        return file_name(text).partition(".")[0], text
    ways = [(text[:at], text[at + 1 :]) for at, mark in enumerate(text) if mark == "="]
    for name, path in ways:
        if names_files(path):
            return name, path
    return ways[0] if ways else (Path(text).name.partition(".")[0], text)
