"""Names in records are identifiers, and depend on no parameter's value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cranfield.workbench.execution.experiments import execute
from cranfield.workbench.execution.studies import execute_study
from experiment_cases import experiment_of, study_of

NAMED_BY_USERS = {"systems", "decisions", "values", "versions", "by", "vary", "words", "reasons"}
"""Objects whose keys are names of systems, metrics, decisions or libraries."""


def keys(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            if key not in NAMED_BY_USERS:
                yield from keys(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, path)


def record(alpha: float, cutoff: int) -> Any:
    criteria = [f"discriminative-power(alpha={alpha})", "correlation"]
    metrics = [f"nDCG@{cutoff}", f"P@{cutoff}"]
    made: Any = execute(experiment_of(assess=criteria, metrics=metrics)).to_dict()
    return made


def own_keys(made: Any) -> set[tuple[str, ...]]:
    """All keys but those that are metrics or systems, as columns of tables are."""
    known = {*made["systems"], *(metric for cells in made["systems"].values() for metric in cells)}
    return {path for path in keys(made) if not known & set(path)}


def test_keys_are_identifiers() -> None:
    for path in own_keys(record(0.05, 5)):
        assert path[-1].isidentifier(), path


def test_no_key_depends_on_a_parameter() -> None:
    assert own_keys(record(0.05, 5)) == own_keys(record(0.1, 3))


@pytest.mark.parametrize("draws", [0, 100])
def test_keys_of_studies_are_identifiers(draws: int) -> None:
    made = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": draws})).to_dict()
    made.pop("base")
    for path in keys(made):
        assert path[-1].isidentifier(), path
