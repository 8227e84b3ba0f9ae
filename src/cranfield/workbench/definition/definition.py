"""Definitions: the experiment or the study that a file holds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

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
