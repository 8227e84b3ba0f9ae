"""Definitions: the experiment or the study that a file holds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cranfield.base.decisions import Decision, declared, fold
from cranfield.base.errors import UnknownDecision
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import read_file
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study import Study, read_study


def read_definition(path: Path | str, changes: Iterable[str] = ()) -> Experiment | Study:
    """A study if the file has a table of that name, else an experiment."""
    inventory.load()
    place = Path(path)
    table = read_file(place, changes)
    read = read_study if "study" in table else read_table
    return read(table, str(path), place.parent)


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
    for each in known:
        if fold(name) in (fold(each.path), fold(each.name)):
            return each
    raise UnknownDecision(name, [each.name for each in known])
