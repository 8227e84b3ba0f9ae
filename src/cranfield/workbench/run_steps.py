"""Experiments and studies as plain functions: definitions may be files or tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.base.errors import OptionError
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.study import Study, read_study
from cranfield.workbench.execution import experiments as running
from cranfield.workbench.results import study_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store


def run(
    experiment: Experiment | Mapping[str, Any] | str | Path, *, store: str | Path | None = None
) -> Results:
    """Run an experiment: an object, a table of decisions, or the file that holds them.

    ``store`` is a folder in which what is computed is kept for next time.

    >>> import cranfield as cf
    >>> results = cf.run({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ... })
    >>> results.summary.row("kNN", "nDCG@10").users
    40
    """
    asked = _from_table(experiment) if isinstance(experiment, Mapping) else _read(experiment)
    if isinstance(asked, Study):
        raise OptionError(f"{_called(experiment)}: it defines a study. Use cranfield.study.")
    return running.run_experiment(asked, Store(store))


def study(
    definition: Study | Mapping[str, Any] | str | Path, *, store: str | Path | None = None
) -> StudyResults:
    """Run a study: does the conclusion hold under other answers to its decisions?

    >>> import cranfield as cf
    >>> results = cf.study({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ...     "study": {"vary": {"cutoff": [5, 10], "targets": ["all-items", "condensed"]}},
    ... })
    >>> len(results.designs)
    4
    """
    asked = read_study(definition) if isinstance(definition, Mapping) else _read(definition)
    if isinstance(asked, Experiment):
        raise OptionError(f"{_called(definition)}: it varies nothing. Use cranfield.run.")
    return study_results.run_study(asked, Store(store))


def _from_table(table: Mapping[str, Any]) -> Experiment | Study:
    return read_study(table) if "study" in table else read_table(table)


def _called(given: object) -> str:
    """The name of a file; of nothing else."""
    return str(given) if isinstance(given, str | Path) else "definition"


def _read(given: Experiment | Study | str | Path) -> Experiment | Study:
    """What a file defines; what is no file stands for itself."""
    return read_definition(given) if isinstance(given, str | Path) else given
