"""Assessments of a run's metrics: the same from the store, and made again when they must be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import TooFew
from cranfield.validity.assessment import Assessment
from cranfield.validity.criteria import Robustness
from cranfield.validity.criterion import Evidence
from cranfield.workbench.execution.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of

CRITERIA = ["correlation", "DP", "robustness(samples=2, sizes=[1, 0.5])"]


def run(store: Store | None, **changes: Any) -> tuple[Assessment, ...]:
    asked = {"assess": CRITERIA, "split": "k-fold(folds=2)", **changes}
    made = execute(experiment_of(**asked), Pipeline(store)).assessments
    return tuple(each for each in made if not each.criterion.startswith("bias"))


def kept_assessments(store: Store) -> int:
    return sum(size.entries for size in store.sizes() if size.kind == "assessment")


def assert_same(ours: tuple[Assessment, ...], others: tuple[Assessment, ...]) -> None:
    for one, other in zip(ours, others, strict=True):
        assert one.to_dict() == other.to_dict()
        assert one.charts == other.charts
        for name, table in {**one.tables, **one.details}.items():
            assert table.equals({**other.tables, **other.details}[name])


def test_assessments_are_the_same_without_a_store_with_a_new_one_and_with_a_warm_one(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    alone, first, second = run(None), run(store), run(store)
    assert_same(alone, first)
    assert_same(first, second)
    assert kept_assessments(store) == len(CRITERIA)


def test_what_is_kept_is_not_assessed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    run(store)

    def refuse(criterion: Robustness, evidence: Evidence) -> Assessment:
        raise AssertionError("it is kept")

    monkeypatch.setattr(Robustness, "assess", refuse)
    assert len(run(store)) == len(CRITERIA)
    with pytest.raises(AssertionError, match="it is kept"):
        run(store, assess=["robustness(samples=2, sizes=[1, 0.25])"])


@pytest.mark.parametrize(
    ("changes", "criteria"),
    [
        ({"seed": 5}, 3),
        ({"relevance": 3}, 3),
        ({"comparison": {"test": "sign"}}, 1),
        ({"aggregation": "geometric-mean"}, 3),
        ({"metrics": ["P@5", "AP@5", "RR@5"]}, 3),
    ],
)
def test_what_an_assessment_depends_on_makes_another_one(
    tmp_path: Path, changes: dict[str, Any], criteria: int
) -> None:
    store = Store(tmp_path)
    run(store)
    changed = run(store, **changes)
    assert kept_assessments(store) == len(CRITERIA) + criteria
    assert_same(changed, run(None, **changes))


def test_criteria_look_at_what_they_need_whatever_else_is_asked() -> None:
    together = run(None)
    alone = [run(None, assess=[each])[0] for each in CRITERIA]
    assert_same(together, tuple(alone))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"metrics": ["P@5"]}, "correlation needs at least 2 metrics; here 1 can be used"),
        ({"systems": {"a": "Random"}}, "correlation needs at least 2 systems; here 1 can be used"),
    ],
)
def test_what_cannot_be_assessed_is_told_before_anything_is_fitted(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    store = Store(tmp_path)
    with pytest.raises(TooFew, match=message):
        run(store, **changes)
    assert "fit" not in {size.kind for size in store.sizes()}
