"""Recorded: the experiment of a record, with names for what was made in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cranfield.base.errors import CranfieldError, NotRecorded, UnreadableFile
from cranfield.base.options import from_table, parse
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.definition.experiment import Experiment

_FINGERPRINTED = re.compile(r"\w+[- ][0-9a-f]{16}(?:[0-9a-f]{16})?")
"""How a record names what it does not hold: its kind, and its fingerprint."""


@dataclass(frozen=True)
class RecordedTable:
    """A table that was given in Python, of which a record has the fingerprint alone."""

    text: str

    def __str__(self) -> str:
        return self.text

    def read(self) -> Any:
        """Refused: there is nothing to read."""
        raise NotRecorded(f"tables that were given in Python ({self.text})")


def recorded_experiment(table: Mapping[str, Any], where: str) -> Experiment:
    """The experiment of a definition; files that it names need not be there any more."""
    given = {name: _table(value) for name, value in table.items() if name != "study"}
    for name, read in (("systems", _system), ("runs", _table)):
        if isinstance(given.get(name), Mapping):
            given[name] = {system: read(text) for system, text in given[name].items()}
    try:
        return Experiment(**{**given, "split": _split(given.get("split"))})
    except CranfieldError as error:
        raise UnreadableFile(where, "; ".join(text for _, text in error.problems)) from None


def _table(value: Any) -> Any:
    """What a fingerprint stands for; any other value is itself."""
    named = isinstance(value, str) and _FINGERPRINTED.fullmatch(value)
    return RecordedTable(value) if named else value


def _split(given: Any) -> Any:
    """A split, whose parts may have been tables."""
    made = from_table("split", given)
    parts = {name: getattr(made, name, None) for name in ("test", "train")}
    tables = {name: found for name, text in parts.items() if (found := _table(text)) is not text}
    return replace(made, **tables)


def _system(text: Any) -> Any:
    """A recommender as spelled; one that was made in Python, by its name."""
    try:
        return parse("recommender", text)
    except CranfieldError:
        return adapt(_not_here, name=str(text))


def _not_here(*_: Any) -> Any:
    raise NotRecorded("models that were made in Python")
