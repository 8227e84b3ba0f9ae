"""Definitions: the experiment or the study that a file holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cranfield.base.decisions import Decision, declared, fold
from cranfield.base.errors import (
    BadExperiment,
    MissingObjects,
    RatingsForDefinition,
    UnknownDecision,
)
from cranfield.collection.tables.locations import names_files
from cranfield.collection.text.guess import looks_like_ratings
from cranfield.workbench import inventory
from cranfield.workbench.definition.data_sets import (
    StudyOfDataSets,
    names_several,
    read_data_sets,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import read_file
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study.study import Study, read_study

_IN_PYTHON = re.compile(r"\b(table|Ratings|Run|Split)[- ][0-9a-f]{16,32}\b")
"""How a record names what was given in Python: by its kind and its fingerprint."""

_SUFFIXES = (".toml", ".yaml", ".yml")
"""How files of definitions are called."""

_OBJECTS = ("data", "split", "catalogue", "item_vectors", "item_labels", "by", "runs", "targets")
"""Decisions whose answers may be tables in Python."""


def read_definition(
    path: Path | str, changes: Iterable[str] = (), given: Mapping[str, Any] | None = None
) -> Experiment | Study:
    """A study if the file has a table of that name, else an experiment.

    One without a title is called after its file.
    ``given`` are answers that no file can hold, such as a table of ratings in Python.
    """
    read = read_asked(path, changes, given)
    if isinstance(read, StudyOfDataSets):
        names = ", ".join(read.parts)
        problem = f"here it is one data set, not {names}. `cranfield run` takes several."
        raise BadExperiment(str(path), [("data", problem)])
    return read


def read_asked(
    path: Path | str, changes: Iterable[str] = (), given: Mapping[str, Any] | None = None
) -> Experiment | Study | StudyOfDataSets:
    """What a file asks for, of one data set or of several."""
    inventory.load()
    place = Path(path)
    table = {"title": place.stem, **_with_objects(_read_file(place, changes), given or {})}
    if lacking := [name for name in _OBJECTS if _lacks_object(table.get(name))]:
        raise MissingObjects(str(path), lacking)
    return read_asked_table(table, str(path), place.parent)


def read_asked_table(
    table: Mapping[str, Any], where: str = "experiment", home: Path | None = None
) -> Experiment | Study | StudyOfDataSets:
    """What a table asks for, of one data set or of several."""
    if names_several(table):
        return read_data_sets(table, where, home)
    return (read_study if "study" in table else read_table)(table, where, home)


def _read_file(place: Path, changes: Iterable[str]) -> dict[str, Any]:
    """The table in a file; one of ratings is told from a definition that is misspelled."""
    try:
        return read_file(place, changes)
    except BadExperiment:
        if place.suffix.lower() not in _SUFFIXES and looks_like_ratings(place):
            raise RatingsForDefinition(str(place)) from None
        raise


def _with_objects(table: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A table with further answers; of systems and runs, those named take their places."""
    merged = {
        name: {**table[name], **answer}
        for name, answer in given.items()
        if name in ("systems", "runs") and isinstance(answer, Mapping) and name in table
    }
    return {**table, **given, **merged}


def _lacks_object(answer: Any) -> bool:
    """Whether an answer is but the name of what was given in Python."""
    if isinstance(answer, str):
        return _IN_PYTHON.search(answer) is not None and not names_files(answer)
    if isinstance(answer, dict):
        return any(map(_lacks_object, answer.values()))
    return isinstance(answer, list) and any(map(_lacks_object, answer))


def every_decision() -> tuple[Decision, ...]:
    """All decisions of experiments and studies, each with its path in a definition."""
    of_studies = [each for each in declared(Study, "study") if each.text]
    return (*declared(Experiment), *of_studies)


def find_decision(name: str) -> Decision:
    """The decision that a name or a path means, however it is capitalised and hyphenated.

    >>> find_decision("family").path
    'comparison.family'
    """
    known = every_decision()
    for part in ("path", "name"):  # a path comes before a name
        for each in known:
            if fold(name) == fold(getattr(each, part)):
                return each
    raise UnknownDecision(name, [each.name for each in known])
