"""Recorded: the experiment of a record, with names for what was made in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError, NotRecorded, UnreadableFile
from cranfield.base.options import from_table, parse
from cranfield.recommendation.adapter import Adapted, adapt
from cranfield.recommendation.foreign.description import ModelDescription
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


def recorded_experiment(
    table: Mapping[str, Any], where: str, models: Mapping[str, ModelDescription]
) -> Experiment:
    """The experiment of a definition; files that it names need not be there any more.

    ``models`` are what is known of systems that were made in Python, by name.
    """
    given = {name: _table(value) for name, value in table.items() if name != "study"}
    if isinstance(given.get("systems"), Mapping):
        systems = given["systems"].items()
        given["systems"] = {name: _system(text, models.get(name)) for name, text in systems}
    if isinstance(given.get("runs"), Mapping):
        given["runs"] = {name: _table(text) for name, text in given["runs"].items()}
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


def _system(text: Any, model: ModelDescription | None) -> Any:
    """A recommender as spelled; one that was made in Python, by its name and description."""
    if model is not None:
        return Adapted(_not_here, str(text), "function", recorded=model)
    try:
        return parse("recommender", text)
    except CranfieldError:
        return adapt(_not_here, name=str(text))


def _not_here(*_: Any) -> Any:
    raise NotRecorded("models that were made in Python")
