"""Comparisons are made once, and again as soon as anything that they depend on is another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.scoring.scores import Scores
from cranfield.significance import comparison
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.experiment import comparing
from cranfield.workbench.execution.experiment.comparing import compare_systems
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.store.store import Store


def defined(**more: object) -> Experiment:
    table: dict[str, Any] = {
        "data": "simulated(size=tiny)",
        "split": "per-user(test_share=0.4)",
        "relevance": 4,
        "systems": {"Popularity": "Popularity", "Random": "Random"},
        "metrics": ["P@5", "nDCG@5"],
        "comparison": {"test": "permutation(draws=500)"},
        "seed": 1,
    }
    return read_table({**table, **more})


@pytest.fixture(scope="module")
def scores() -> Scores:
    return execute(defined()).scores


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Scores]:
    """The scores that were really compared, one after the other."""
    seen: list[Scores] = []

    def compare(scores: Scores, *args: Any, **kwargs: Any) -> comparison.Comparison:
        seen.append(scores)
        return comparison.compare(scores, *args, **kwargs)

    monkeypatch.setattr(comparing, "compare", compare)
    return seen


def test_a_comparison_that_is_kept_is_the_one_that_was_made(
    scores: Scores, made: list[Scores], tmp_path: Path
) -> None:
    experiment, store = defined(), Store(tmp_path)
    first, again = (compare_systems(experiment, scores, store) for _ in range(2))
    assert len(made) == 1
    fresh = comparison.compare(scores, experiment.comparison_choice, seed=1)
    assert first is not None
    assert again is not None
    assert first.to_dict() == again.to_dict() == fresh.to_dict()


def test_without_a_store_everything_is_compared_again(scores: Scores, made: list[Scores]) -> None:
    for _ in range(2):
        compare_systems(defined(), scores, Store(None))
    assert len(made) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"comparison": {"test": "permutation(draws=501)"}},
        {"comparison": {"test": "t"}},
        {"comparison": {"test": "permutation(draws=500)", "correction": "bonferroni"}},
        {"comparison": {"test": "permutation(draws=500)", "family": "all"}},
        {"comparison": {"test": "permutation(draws=500)", "alpha": 0.01}},
        {"comparison": {"test": "permutation(draws=500)", "power": 0.9}},
        {"comparison": {"test": "permutation(draws=500)", "rope": 0.02}},
        {"comparison": {"test": "permutation(draws=500)", "subsets": {"count": 3, "share": 0.5}}},
        {"aggregation": "weighted-mean"},
        {"undefined": "zero"},
        {"coverage": "common"},
        {"seed": 2},
    ],
    ids=str,
)
def test_another_choice_is_compared_anew(
    scores: Scores, made: list[Scores], tmp_path: Path, change: dict[str, Any]
) -> None:
    store = Store(tmp_path)
    compare_systems(defined(), scores, store)
    compare_systems(defined(**change), scores, store)
    assert len(made) == 2


@pytest.mark.parametrize("what", ["values", "covered", "judged", "relevant", "systems", "metrics"])
def test_other_scores_are_compared_anew(
    scores: Scores, made: list[Scores], tmp_path: Path, what: str
) -> None:
    store, value = Store(tmp_path), getattr(scores, what)
    other: Any = ("A", "B")
    if isinstance(value, np.ndarray):
        other = value.copy()
        other.flat[0] = ~other.flat[0] if other.dtype == bool else other.flat[0] + 1
    compare_systems(defined(), scores, store)
    compare_systems(defined(), replace(scores, **{what: other}), store)
    assert len(made) == 2


def test_other_numbers_of_users_are_compared_anew(
    scores: Scores, made: list[Scores], tmp_path: Path
) -> None:
    store = Store(tmp_path)
    columns = dict(scores.user_columns)
    more = np.ones(len(scores))
    for each in (columns, {**columns, "age": more}, {**columns, "age": 2 * more}):
        compare_systems(defined(), replace(scores, user_columns=each), store)
    assert len(made) == 3


def test_another_file_of_reference_systems_is_compared_anew(
    scores: Scores, made: list[Scores], tmp_path: Path
) -> None:
    store, path = Store(tmp_path / "store"), tmp_path / "old.parquet"
    asked = defined(aggregation=f"standardised(reference={path})")
    for shift in (0.0, 0.0, 0.1):
        replace(scores, values=scores.values + shift).to_parquet(path)
        compare_systems(asked, scores, store)
    assert len(made) == 2
