"""What users give to verbs as the definition of an experiment or a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.base.errors import OptionError
from cranfield.workbench import inventory
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.definition import read_asked, read_asked_table
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.verbs.given import wrong_kind


def asked_of(given: Any) -> Experiment | Study | StudyOfDataSets:
    """What a file or a table defines; what is neither stands for itself."""
    if isinstance(given, Mapping):
        inventory.load()
        return read_asked_table(given, "study" if "study" in given else "experiment")
    if isinstance(given, str | Path):
        return read_asked(given)
    if isinstance(given, Experiment | Study | StudyOfDataSets):
        return given
    raise OptionError(f"{wrong_kind(given)} an experiment. Give an Experiment, a table or a file.")


def definition_of(given: Any) -> Experiment | Study:
    """What a file or a table defines, of one data set."""
    asked = asked_of(given)
    if isinstance(asked, StudyOfDataSets):
        problem = f"it names the data sets {', '.join(asked.parts)}. Use cranfield.study_data_sets."
        raise OptionError(f"{called(given)}: {problem}")
    return asked


def called(given: object) -> str:
    """The name of a file; of nothing else."""
    return str(given) if isinstance(given, str | Path) else "definition"
