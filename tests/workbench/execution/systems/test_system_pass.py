"""One recommender on some conditions: fitted once, ranked once, stored by its inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking import rank as ranking
from cranfield.workbench.execution.data.prepared_data import targets_of
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.system_pass import RecommenderPass, rank_systems
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of

MATERIAL = Pipeline().prepare(experiment_of())
FOLD = MATERIAL.folds[0]


def cells_of(
    *changes: dict[str, Any], depth: int = 0
) -> dict[int, tuple[RankingCondition, Targets]]:
    found = {}
    for place, each in enumerate(changes):
        experiment = experiment_of(**{"metrics": ["P@5"], **each})
        cell = RankingCondition(experiment=experiment, metrics=experiment.metrics, list_depth=depth)
        found[place] = cell, targets_of(MATERIAL, FOLD, experiment)
    return found


def made_by(
    cells: dict[int, tuple[RankingCondition, Targets]],
    store: Store,
    system: str = "user-kNN(k=5)",
) -> dict[int, SystemOutput]:
    recommender = parse("recommender", system)
    return dict(RecommenderPass("mine", recommender, FOLD.train, cells, store, Timing()).outputs(0))


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many targets each pass of ranking had."""
    seen: list[int] = []
    rank = ranking.rank

    def counted(predictor: Any, targets: Any, *rest: Any, **named: Any) -> Any:
        seen.append(len(targets))
        return rank(predictor, targets, *rest, **named)

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
        assert made.lists is not None
        assert other.lists is not None
        assert made.lists.items.tolist() == other.lists.items.tolist()
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
    assert made.lists is None
    [deep] = made_by(cells_of({}, depth=3), Store(None)).values()
    assert deep.lists is not None
    assert int(np.diff(deep.lists.offsets).max()) == 3


def test_lists_end_at_the_depth_of_the_experiment_and_hits_below_it_are_none() -> None:
    [whole] = made_by(cells_of({}, depth=9), Store(None)).values()
    [cut] = made_by(cells_of({"depth": 2}, depth=9), Store(None)).values()
    assert cut.lists is not None
    assert int(np.diff(cut.lists.offsets).max()) == 2
    assert cut.hits.lengths.tolist() == np.minimum(whole.hits.lengths, 2).tolist()
    assert cut.hits.ranks.tolist() == np.where(whole.hits.ranks > 2, 0, whole.hits.ranks).tolist()


def test_hits_of_another_depth_are_stored_apart(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for changes in ({}, {"depth": 2}, {}, {"depth": 2}):
        [found] = made_by(cells_of(changes, depth=3), store).values()
        [alone] = made_by(cells_of(changes, depth=3), Store(None)).values()
        assert found.values.tobytes() == alone.values.tobytes()
        assert found.hits.ranks.tolist() == alone.hits.ranks.tolist()


def test_lists_that_are_inspected_deeper_are_stored_apart(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for depth in (3, 5, 3, 1):
        [found] = made_by(cells_of({}, depth=depth), store).values()
        assert found.lists is not None
        assert int(np.diff(found.lists.offsets).max()) == depth


def test_every_recommender_of_an_experiment_ranks_the_same_targets() -> None:
    experiment = experiment_of()
    targets = targets_of(MATERIAL, FOLD, experiment)
    outputs = list(rank_systems(experiment, targets, 4))
    assert [output.system for output, _ in outputs] == list(experiment.systems)
    for output, timing in outputs:
        assert output.targets is targets
        assert output.lists is not None
        assert int(np.diff(output.lists.offsets).max()) == 4
        assert set(timing.seconds) == {"fitting", "ranking", "scoring"}
