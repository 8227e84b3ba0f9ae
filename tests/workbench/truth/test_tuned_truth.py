"""Studies of truth tune systems as any study does: never by the truth."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.workbench.execution import validation
from cranfield.workbench.truth.study import run_truth_study
from experiment_cases import study_of


def test_systems_are_tuned_once_and_not_by_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str, str]] = []
    make = validation.Validation.value

    def value(self: Any, *given: Any) -> tuple[float, float]:
        judging = self._experiment
        seen.append((str(judging.judged_by), str(self.metric), str(judging.targets)))
        return make(self, *given)

    monkeypatch.setattr(validation.Validation, "value", value)
    study = study_of(
        {"vary": {"targets": ["all-items", "test-items"]}, "draws": 0},
        systems={"kNN": "user-kNN(k=tune(2..9))", "Popularity": "Popularity"},
        tuning={"budget": 3},
    )
    run_truth_study(study, worlds=2)
    assert len(seen) == 3 * 2  # three trials in each of two worlds
    assert {judge for judge, _, _ in seen} == {"test"}
    assert {metric for _, metric, _ in seen} == {"nDCG@5"}
    assert len({targets for _, _, targets in seen}) == 1
