"""One system on some cells: fitted once, ranked once, and kept by what it was made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.recommendation.ranking import rank as ranking
from cranfield.workbench.execution.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.prepared_data import JudgedFold, judge_fold
from cranfield.workbench.execution.system_pass import SystemPass, SystemSpec
from cranfield.workbench.execution.timing import Timing
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of

MATERIAL = Pipeline().prepare(experiment_of())
FOLD = MATERIAL.folds[0]


def cells_of(
    *changes: dict[str, Any], depth: int = 0
) -> dict[int, tuple[RankingCondition, JudgedFold]]:
    found = {}
    for place, each in enumerate(changes):
        experiment = experiment_of(**{"metrics": ["P@5"], **each})
        cell = RankingCondition(experiment=experiment, metrics=experiment.metrics, depth=depth)
        found[place] = cell, judge_fold(MATERIAL, FOLD, experiment)
    return found


def made_by(
    cells: dict[int, tuple[RankingCondition, JudgedFold]],
    store: Store,
    system: str = "user-kNN(k=5)",
) -> dict[int, SystemOutput]:
    named = SystemSpec("mine", parse("recommender", system), None)
    return dict(SystemPass(named, FOLD.train, cells, store, Timing()).made())


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many targets each pass of ranking had."""
    seen: list[int] = []
    rank = ranking.rank

    def counted(predictor: Any, targets: Any, *rest: Any) -> Any:
        seen.append(len(targets))
        return rank(predictor, targets, *rest)

    monkeypatch.setattr(ranking, "rank", counted)
    return seen


def test_cells_that_order_alike_are_ranked_in_one_pass(passes: list[int]) -> None:
    cells = cells_of({}, {"targets": "test-items"}, {"ties": "random"}, {"relevance": 3})
    together = made_by(cells, Store(None))
    assert sorted(passes[:2]) == [1, 3]
    for place, cell in cells.items():
        alone = made_by({place: cell}, Store(None))[place]
        assert alone.values.tobytes() == together[place].values.tobytes()


def test_what_is_kept_is_neither_fitted_nor_ranked_again(tmp_path: Path, passes: list[int]) -> None:
    store, cells = Store(tmp_path), cells_of({}, {"targets": "test-items"}, depth=3)
    first = made_by(cells, store)
    passes.clear()
    again = made_by(cells, store)
    assert passes == []
    for place, made in first.items():
        other = again[place]
        assert made.values.tobytes() == other.values.tobytes()
        assert made.run is not None
        assert other.run is not None
        assert made.run.items.tolist() == other.run.items.tolist()
    assert len(list((tmp_path / "fit").rglob("*.entry"))) == 1


def test_a_further_cell_is_ranked_alone(tmp_path: Path, passes: list[int]) -> None:
    store = Store(tmp_path)
    made_by(cells_of({}), store)
    passes.clear()
    made_by(cells_of({}, {"relevance": 3}), store)
    assert passes == [1]


def test_other_parameters_are_another_system(tmp_path: Path, passes: list[int]) -> None:
    store = Store(tmp_path)
    one = made_by(cells_of({}), store, "user-kNN(k=5)")[0]
    other = made_by(cells_of({}), store, "user-kNN(k=2)")[0]
    assert len(passes) == 2
    assert not np.array_equal(one.values, other.values)


def test_lists_are_kept_only_where_they_are_looked_at() -> None:
    [made] = made_by(cells_of({}), Store(None)).values()
    assert made.run is None
    [deep] = made_by(cells_of({}, depth=3), Store(None)).values()
    assert deep.run is not None
    assert int(np.diff(deep.run.offsets).max()) == 3
