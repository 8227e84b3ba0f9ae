"""Tuning in studies: the trials of all designs, and what is tuning on test data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield.base.checking.ranges import is_tuned
from cranfield.validity.study.findings import StudyFindings
from cranfield.view.prose import listed
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import path_steps
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.tuner import Tuner
from cranfield.workbench.tuning.trials import Tuned, TunedDesigns


class DesignTrials:
    """The trials of the systems of every design; many designs share theirs."""

    def __init__(self, study: Study) -> None:
        self._names = study.base.names
        self._found: dict[tuple[int, ...], tuple[list[int], tuple[Tuned, ...]]] = {}

    def note(
        self, cells: Mapping[Experiment, Sequence[int]], data: PreparedData, tuner: Tuner
    ) -> None:
        """Note the trials of some designs, which share their data."""
        for cell, members in cells.items():
            if made := tuner.all_tuned(cell, data, self._names):
                # The tuner holds each tuning once, so that it is known by its identity.
                self._found.setdefault(tuple(map(id, made)), ([], made))[0].extend(members)

    def by_design(self) -> tuple[TunedDesigns, ...]:
        """The trials, with the designs that share them."""
        return tuple(TunedDesigns(tuple(places), made) for places, made in self._found.values())


def said_of_test_data(study: Study, findings: StudyFindings) -> StudyFindings:
    """The findings, whose verdict says so where parameters were varied on the test data."""
    varied = list(dict.fromkeys(parameters_varied(study)))
    if not varied:
        return findings
    said = (
        f"It varies {listed(varied)} and judges by test data: to choose a value by this study is "
        "to tune on test data. Ranges such as k=tune(10..500) are tuned on training data."
    )
    verdict = findings.verdict
    return replace(findings, verdict=replace(verdict, sentence=f"{verdict.sentence} {said}"))


def parameters_varied(study: Study) -> Iterator[str]:
    """The parameters of systems that take several values, in words."""
    for path, answers in _answers(study):
        first, *rest = path_steps(path)
        if first == "systems" and rest and not all(map(is_tuned, answers)):
            name, *parameter = rest
            yield f"{'.'.join(parameter)} of {name}" if parameter else name


def _answers(study: Study) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every path that is varied, alone or together with others, and its answers."""
    yield from study.vary.items()
    for named in study.together.values():
        for sets in named.values():
            yield from ((path, (value,)) for path, value in sets.items())
