"""Results: what an experiment found, with all that it was found by."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.base.machine.versions import library_versions
from cranfield.base.serialisation.plain import plain
from cranfield.recommendation.foreign.description import ModelDescription, library_version
from cranfield.scoring.scores import Scores
from cranfield.significance.comparison import Comparison
from cranfield.validity.assessment import Assessment
from cranfield.workbench.plan.changes import PlanCheck
from cranfield.workbench.results.costs import Cost, Machine
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.tuning.trials import Tuned

FORMAT = 1


def versions(models: Iterable[ModelDescription] = ()) -> dict[str, str]:
    """The versions of Python and of the libraries that numbers depend on, those of models too."""
    own = {each.library: library_version(each.library) for each in models}
    known = {"python": platform.python_version(), **library_versions()}
    return {**known, **{k: v for k, v in own.items() if v}}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Results(Evaluation):
    """What an experiment found, with every decision, fingerprint, version and the seed.

    It is an evaluation, and ``comparison`` tests its differences; None for a single system.
    ``data`` has sizes, fingerprints and leakage of the data. ``assessments`` are what
    criteria say of the metrics, where they were asked for, and the biases that show by
    themselves. ``seconds`` are by stage, ``costs`` by stage and system; ``versions`` and
    ``machine`` are those of what computed it. ``plan`` is that which was made before, and what
    was changed since; None without one. ``workers`` are the processes that shared the work,
    where some did: host, process, tasks and seconds. ``tuned`` are all trials of systems whose
    parameters were chosen on validation ratings, fold by fold.
    """

    comparison: Comparison | None
    data: Mapping[str, Any]
    seconds: Mapping[str, float]
    assessments: tuple[Assessment, ...] = ()
    versions: Mapping[str, str] = field(default_factory=versions)
    costs: tuple[Cost, ...] = ()
    machine: Machine | None = None
    plan: PlanCheck | None = None
    workers: tuple[Mapping[str, Any], ...] = ()
    tuned: tuple[Tuned, ...] = ()

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The fingerprint of the targets of each fold."""
        if self.recorded is not None:
            return self.recorded.targets
        return tuple(each.fingerprint for each in self.target_sets)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: all but the scores of single users, which are named by fingerprint."""
        workers = {"workers": [dict(each) for each in self.workers]} if self.workers else {}
        return {
            "format": FORMAT,
            "title": self.experiment.title,
            **super().to_dict(),
            "seed": self.experiment.seed,
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "assessments": [each.to_dict() for each in self.assessments],
            **({"tuning": [each.to_dict() for each in self.tuned]} if self.tuned else {}),
            "data": dict(self.data),
            "targets": list(self.targets),
            "scores": fingerprint_of(self.scores),
            "versions": dict(self.versions),
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
            "costs": plain([each.rounded() for each in self.costs]),
            "machine": plain(self.machine),
            **({} if self.plan is None else {"plan": self.plan.to_dict()}),
            **workers,
        }


def fingerprint_of(scores: Scores) -> str:
    """The name of exactly these scores: same systems, metrics, users and bits."""
    users = [str(each) for each in scores.user_ids.take(scores.topics.users).to_list()]
    names = "\x1f".join([*scores.systems, "", *scores.metrics, "", *users])
    return fingerprint(names, scores.values, scores.covered)
