"""Results: what an experiment found, with all that it was found by."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from cranfield.base.files import fingerprint
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary
from cranfield.significance.comparison import Comparison
from cranfield.validity.assessment import Assessment
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.table import write_table

FORMAT = 1
_LIBRARIES = ("cranfield", "numpy", "scipy", "polars", "numba")


@dataclass(frozen=True, eq=False)
class Results:
    """What an experiment found, with every decision, fingerprint, version and the seed.

    ``comparison`` is None for a single system. ``lists`` has for each system its value by
    each run metric. ``data`` tells sizes, fingerprints and leakage of the material,
    ``targets`` the fingerprint of those of each fold. ``assessments`` are what criteria
    say of the metrics, where they were asked for, and the biases that show by themselves.
    ``seconds`` are by stage.
    """

    experiment: Experiment
    scores: Scores
    summary: Summary
    comparison: Comparison | None
    lists: Mapping[str, Mapping[str, float]]
    data: Mapping[str, Any]
    targets: tuple[str, ...]
    seconds: Mapping[str, float]
    assessments: tuple[Assessment, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON: all but the scores of single users, which are named by fingerprint."""
        systems = self.summary.to_dict()["systems"]
        for system, values in self.lists.items():
            for metric, value in values.items():
                known = None if np.isnan(value) else value
                systems.setdefault(system, {})[metric] = {"value": known}
        return {
            "format": FORMAT,
            "title": self.experiment.title,
            "decisions": write_table(self.experiment),
            "seed": self.experiment.seed,
            "systems": systems,
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "assessments": [each.to_dict() for each in self.assessments],
            "data": dict(self.data),
            "targets": list(self.targets),
            "scores": fingerprint_of(self.scores),
            "versions": versions(),
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
        }


def fingerprint_of(scores: Scores) -> str:
    """The name of exactly these scores: same systems, metrics, users and bits."""
    users = [str(each) for each in scores.user_ids.take(scores.topics.users).to_list()]
    names = "\x1f".join([*scores.systems, "", *scores.metrics, "", *users])
    return fingerprint(names, scores.values, scores.covered)


def versions() -> dict[str, str]:
    """The versions of Python and of the libraries that numbers depend on."""
    return {"python": platform.python_version()} | {each: version(each) for each in _LIBRARIES}
