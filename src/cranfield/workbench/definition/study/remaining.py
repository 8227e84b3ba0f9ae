"""What remains of an experiment or a study when some of its systems have failed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study


def without_systems(experiment: Experiment, names: Collection[str]) -> Experiment:
    """The experiment without some systems; a baseline among them is none any more."""
    if not names:
        return experiment
    systems, runs = (
        {name: each for name, each in given.items() if name not in names}
        for given in (experiment.systems, experiment.runs)
    )
    comparison = experiment.comparison
    if comparison.baseline in names:
        comparison = replace(comparison, baseline=None)
    return replace(experiment, systems=systems, runs=runs, comparison=comparison)


def study_without(study: Study, names: Collection[str]) -> Study:
    """The study without some systems; a pair with one of them is none any more."""
    if not names:
        return study
    lost = study.pair is not None and any(name in names for name in study.pair)
    base = without_systems(study.base, names)
    return replace(study, base=base, pair=None if lost else study.pair)
