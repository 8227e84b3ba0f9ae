"""Recommenders are ranked no further than the metrics look, and score what they scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.options import parse
from cranfield.recommendation.ranking import rank as ranking
from cranfield.workbench.execution.estimate import estimate
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems import conditions
from cranfield.workbench.execution.systems.conditions import condition_of
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of

SYSTEMS = {
    "Popularity": "Popularity",
    "Average": "AverageRating",
    "kNN": "user-kNN(k=5)",
    "WRMF": "WRMF(factors=4, iterations=2)",
}


@pytest.fixture
def reaches(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """How far each pass of ranking went; as few ranks as metrics look at are known."""
    seen: list[int | None] = []
    rank = ranking.rank

    def noted(*given: Any, reach: int | None = None) -> Any:
        seen.append(reach)
        return rank(*given, reach=reach)

    monkeypatch.setattr(ranking, "rank", noted)
    monkeypatch.setattr(conditions, "_LEAST_REACH", 1)
    return seen


def rows_of(experiment: Any, store: Store | None = None) -> tuple[str, bytes]:
    pipeline = Pipeline(store)
    made = evaluate_prepared(experiment, pipeline.prepare(experiment), pipeline)
    lists = repr(made.lists)
    return repr(made.summary.rows) + lists, made.scores.values.tobytes()


@pytest.mark.parametrize(
    ("changes", "reach"),
    [
        ({}, 100),
        ({"metrics": ["nDCG@5", "P@250"]}, 250),
        ({"metrics": ["nDCG@5", "AUC"]}, None),
        ({"metrics": ["CondensedDepth@10"]}, None),
        ({"metrics": ["P@999"]}, 999),
        ({"metrics": ["P@1000"]}, None),
        ({"depth": 20}, None),
        ({"ties": "expected"}, None),
        ({"targets": "one-relevant"}, None),
        ({"comparison": {"random": "users-and-items"}}, None),
    ],
    ids=str,
)
def test_the_reach_is_that_of_the_deepest_metric_if_none_looks_at_all(
    changes: dict[str, Any], reach: int | None
) -> None:
    assert condition_of(experiment_of(**changes)).reach(1000) == reach


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ties": "random", "unscored": "random"},
        {"ties": "pessimistic", "unscored": "minimum"},
        {"ties": "optimistic", "unscored": "merged(by=popularity)"},
        {"ties": "trec_eval", "targets": "test-items"},
        {"targets": "sampled(n=8)"},
        {"metrics": ["nDCG@5", "ERR@3", "Fallout@4", "CatalogueCoverage@5"]},
        {"by": ["popularity:3"]},
    ],
    ids=str,
)
def test_an_evaluation_is_the_same_bit_for_bit(
    changes: dict[str, Any], reaches: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = experiment_of(systems=SYSTEMS, **changes)
    cut = rows_of(experiment)
    assert set(reaches) == {5}
    monkeypatch.setattr(conditions, "_looks_at_all_ranks", lambda _: True)
    assert rows_of(experiment) == cut
    assert None in reaches


def test_hits_are_stored_by_their_reach_and_whole_ones_serve_all(
    tmp_path: Path, reaches: list[int | None]
) -> None:
    store = Store(tmp_path)
    near = experiment_of(systems={"kNN": "user-kNN(k=5)"}, metrics=["P@5"])
    deeper, whole = replace_metrics(near, "P@9"), replace_metrics(near, "AP")
    alone = [rows_of(each) for each in (near, deeper, whole)]
    reaches.clear()
    assert [rows_of(each, store) for each in (near, near, deeper, whole)] == [
        *(alone[0], alone[0], alone[1], alone[2])
    ]
    assert reaches == [5, 9, None]
    assert rows_of(near, store) == alone[0]
    assert reaches == [5, 9, None]


def test_an_estimate_counts_rankings_of_the_same_reach_as_cached(
    tmp_path: Path, reaches: list[int | None]
) -> None:
    near = experiment_of(systems={"kNN": "user-kNN(k=5)"}, metrics=["P@5"])
    pipeline = Pipeline(Store(tmp_path))
    evaluate_prepared(near, pipeline.prepare(near), pipeline)
    assert estimate(near, pipeline).rankings_cached == 1
    assert estimate(replace_metrics(near, "P@6"), pipeline).rankings_cached == 0
    assert reaches == [5]


def replace_metrics(experiment: Any, *metrics: str) -> Any:
    return replace(experiment, metrics=tuple(parse("metric", each) for each in metrics))
